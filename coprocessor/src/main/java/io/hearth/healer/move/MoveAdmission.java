package io.hearth.healer.move;

import io.hearth.healer.model.BlockMove;
import io.hearth.healer.model.DataNode;
import io.hearth.healer.model.DataNodeId;
import io.hearth.healer.move.AdmissionDecision.Admitted;
import io.hearth.healer.move.AdmissionDecision.DeferredForReaders;
import io.hearth.healer.move.AdmissionDecision.DeferredForSlot;
import io.hearth.healer.move.AdmissionDecision.DeferredUntil;
import io.hearth.healer.move.AdmissionDecision.OverBandwidth;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;

/**
 * Says which moves may start now: after their back-off, between DataNodes that don't rest, without hurting readers, with places
 * free and bytes to spend. Not thread-safe.
 */
final class MoveAdmission {

    private final StaleReaderGuard readerGuard;
    private final MoveSlots slots = new MoveSlots();
    private final TokenBucket tokenBucket = new TokenBucket();
    private final Map<DataNodeId, Long> backedOffUntilMs = new HashMap<>();

    MoveAdmission(StaleReaderGuard readerGuard) {
        this.readerGuard = readerGuard;
    }

    /** Forgets rests that are over and what readers have refreshed. */
    void tick(long nowMs) {
        backedOffUntilMs.values().removeIf(untilMs -> untilMs <= nowMs);
        readerGuard.forgetRefreshed(nowMs);
    }

    void backOff(DataNode node, long untilMs) {
        backedOffUntilMs.put(node.id(), untilMs);
    }

    boolean isFull(MoveLimits limits) {
        return slots.taken() >= limits.concurrentMoves();
    }

    int taken() {
        return slots.taken();
    }

    /** Whether this move may start, the cluster having a place free; its bytes are counted then. */
    AdmissionDecision admit(TrackedMove tracked, MoveLimits limits, long nowMs) {
        BlockMove move = tracked.move();
        long earliestMs = Math.max(
                tracked.notBeforeMs(), Math.max(backedOffUntilMs(move.target()), backedOffUntilMs(tracked.proxy())));
        if (earliestMs > nowMs) {
            return new DeferredUntil(earliestMs);
        }
        Optional<MoveSlots.Slot> full = slots.full(move, tracked.proxy(), limits);
        if (full.isPresent()) {
            return new DeferredForSlot(full.get());
        }
        if (!readerGuard.allows(move)) {
            return new DeferredForReaders(move.filePath());
        }
        if (!tokenBucket.tryAcquire(move.lengthBytes(), limits.bytesPerSecond(), nowMs)) {
            return OverBandwidth.INSTANCE;
        }
        return new Admitted(slots.take(move, tracked.proxy(), limits).orElseThrow());
    }

    private long backedOffUntilMs(DataNode node) {
        return backedOffUntilMs.getOrDefault(node.id(), Long.MIN_VALUE);
    }
}
