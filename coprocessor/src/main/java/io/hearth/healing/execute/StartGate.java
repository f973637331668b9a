package io.hearth.healing.execute;

import io.hearth.healing.model.BlockMove;
import io.hearth.healing.model.DataNode;
import io.hearth.healing.model.DataNodeId;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;

/**
 * Says which moves may start now: after their back-off, between DataNodes that don't rest, without hurting readers, with places
 * free and bytes to spend. Not thread-safe.
 */
final class StartGate {

    private final ReaderSpacing spacing;
    private final Slots slots = new Slots();
    private final BytePacer pacer = new BytePacer();
    private final Map<DataNodeId, Long> restsUntilMs = new HashMap<>();
    private int heldBack;

    StartGate(ReaderSpacing spacing) {
        this.spacing = spacing;
    }

    /** Forgets rests that are over and what readers have refreshed. */
    void tick(long nowMs) {
        restsUntilMs.values().removeIf(untilMs -> untilMs <= nowMs);
        spacing.forgetRefreshed(nowMs);
        heldBack = 0;
    }

    void rest(DataNode node, long untilMs) {
        restsUntilMs.put(node.id(), untilMs);
    }

    boolean isFull(MoveLimits limits) {
        return slots.taken() >= limits.concurrentMoves();
    }

    /** How many have asked since the last tick and had to wait for their DataNodes, their readers or their back-off. */
    int heldBack() {
        return heldBack;
    }

    int taken() {
        return slots.taken();
    }

    private boolean rests(DataNode node) {
        return restsUntilMs.containsKey(node.id());
    }

    /** The places for this move if it may start; its bytes are counted then. */
    Optional<Slots.Lease> pass(TrackedMove tracked, MoveLimits limits, long nowMs) {
        BlockMove move = tracked.move();
        boolean ready = tracked.state() == MoveState.PLANNED
                && tracked.notBeforeMs() <= nowMs
                && !rests(move.target())
                && !rests(tracked.proxy())
                && spacing.allows(move);
        Optional<Slots.Lease> lease = ready ? slots.take(move, tracked.proxy(), limits) : Optional.empty();
        heldBack += lease.isEmpty() ? 1 : 0;
        if (lease.isPresent() && !pacer.tryTake(move.lengthBytes(), limits.bytesPerSecond(), nowMs)) {
            lease.get().release();
            return Optional.empty();
        }
        return lease;
    }
}
