package io.hearth.healing.execute;

import io.hearth.healing.execute.Passage.ForPlace;
import io.hearth.healing.execute.Passage.ForReaders;
import io.hearth.healing.execute.Passage.Granted;
import io.hearth.healing.execute.Passage.NoBytes;
import io.hearth.healing.execute.Passage.UntilMs;
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

    StartGate(ReaderSpacing spacing) {
        this.spacing = spacing;
    }

    /** Forgets rests that are over and what readers have refreshed. */
    void tick(long nowMs) {
        restsUntilMs.values().removeIf(untilMs -> untilMs <= nowMs);
        spacing.forgetRefreshed(nowMs);
    }

    void rest(DataNode node, long untilMs) {
        restsUntilMs.put(node.id(), untilMs);
    }

    boolean isFull(MoveLimits limits) {
        return slots.taken() >= limits.concurrentMoves();
    }

    int taken() {
        return slots.taken();
    }

    /** Whether this move may start, the cluster having a place free; its bytes are counted then. */
    Passage pass(TrackedMove tracked, MoveLimits limits, long nowMs) {
        BlockMove move = tracked.move();
        long earliestMs =
                Math.max(tracked.notBeforeMs(), Math.max(restsUntilMs(move.target()), restsUntilMs(tracked.proxy())));
        if (earliestMs > nowMs) {
            return new UntilMs(earliestMs);
        }
        Optional<Slots.Place> full = slots.full(move, tracked.proxy(), limits);
        if (full.isPresent()) {
            return new ForPlace(full.get());
        }
        if (!spacing.allows(move)) {
            return new ForReaders(move.filePath());
        }
        if (!pacer.tryTake(move.lengthBytes(), limits.bytesPerSecond(), nowMs)) {
            return NoBytes.NOW;
        }
        return new Granted(slots.take(move, tracked.proxy(), limits).orElseThrow());
    }

    private long restsUntilMs(DataNode node) {
        return restsUntilMs.getOrDefault(node.id(), Long.MIN_VALUE);
    }
}
