package io.hearth.healing.verify;

import io.hearth.healing.model.BlockId;
import io.hearth.healing.model.BlockMove;
import io.hearth.healing.model.DataNodeId;
import io.hearth.healing.trigger.BackOff;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Which moves were undone by the NameNode or by the HDFS Balancer. A bounce means that somebody wants it otherwise: no further
 * move of the block, and none from the same rack to the same target, for a minute, and twice as long with each further one, up
 * to an hour; what has not bounced for three hours is forgotten. Not thread-safe.
 */
public final class BounceBook {

    private static final long HOUR_MS = 3_600_000;
    private static final BackOff BACK_OFF = new BackOff(60_000, HOUR_MS);
    private static final long FORGET_MS = 3 * HOUR_MS;

    /** A pass over all that is remembered at each of ten thousand bounces would be quadratic. */
    private static final long FORGET_EVERY_MS = 60_000;

    /** What two moves that bounced have in common. */
    private record Pair(String giverRack, DataNodeId target) {

        static Pair of(BlockMove move) {
            return new Pair(move.giver().rack(), move.target().id());
        }
    }

    private record Bounced(int times, long lastMs) {

        long untilMs() {
            return lastMs + BACK_OFF.delayMs(times);
        }
    }

    private final Map<Pair, Bounced> bouncedByPair = new HashMap<>();
    private final Map<BlockId, Bounced> bouncedByBlock = new HashMap<>();
    private final Deque<Long> timesMs = new ArrayDeque<>();
    private long forgottenMs = Long.MIN_VALUE / 2;

    public void bounced(BlockMove move, long nowMs) {
        timesMs.addLast(nowMs);
        if (nowMs - forgottenMs >= FORGET_EVERY_MS) {
            forgottenMs = nowMs;
            bouncedByPair.values().removeIf(known -> isForgotten(known, nowMs));
            bouncedByBlock.values().removeIf(known -> isForgotten(known, nowMs));
        }
        note(bouncedByPair, Pair.of(move), nowMs);
        note(bouncedByBlock, move.block(), nowMs);
    }

    /** Whether no such move should be made for now. */
    public boolean isBackedOff(BlockMove move, long nowMs) {
        return isBackedOff(bouncedByPair.get(Pair.of(move)), nowMs)
                || isBackedOff(bouncedByBlock.get(move.block()), nowMs);
    }

    /** The bounces of the last hour. */
    public int withinHour(long nowMs) {
        while (!timesMs.isEmpty() && nowMs - timesMs.getFirst() >= HOUR_MS) {
            timesMs.removeFirst();
        }
        return timesMs.size();
    }

    /** Starts counting anew; what bounced stays remembered. */
    public void forgetCount() {
        timesMs.clear();
    }

    /** Bounces while it is backed off from are of moves that had been started before: they count once. */
    private static <K> void note(Map<K, Bounced> bouncedByKey, K key, long nowMs) {
        Bounced before = bouncedByKey.get(key);
        if (before == null || isForgotten(before, nowMs)) {
            bouncedByKey.put(key, new Bounced(1, nowMs));
        } else if (nowMs >= before.untilMs()) {
            bouncedByKey.put(key, new Bounced(before.times() + 1, nowMs));
        }
    }

    private static boolean isForgotten(Bounced known, long nowMs) {
        return nowMs - known.lastMs() > FORGET_MS;
    }

    private static boolean isBackedOff(@Nullable Bounced known, long nowMs) {
        return known != null && nowMs < known.untilMs();
    }
}
