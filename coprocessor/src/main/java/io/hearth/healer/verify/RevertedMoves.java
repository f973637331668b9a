// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.healer.verify;

import io.hearth.common.model.ExponentialBackoff;
import io.hearth.healer.model.BlockMove;
import io.hearth.healer.model.BlockReplicas.BlockId;
import io.hearth.healer.model.DataNode;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Which moves were undone by the NameNode or by the HDFS Balancer. A revert means that somebody wants it otherwise: no further
 * move of the block for a minute, and twice as long with each further one, up to an hour. The same holds for all moves from the same
 * rack to the same target, where one was reverted for every three or fewer that were verified lately, as under a placement policy that forbids
 * them; one block that the Balancer took, or that lost a replica by {@code setrep}, is no reason to leave that target alone. What was
 * not reverted for three hours is forgotten. Not thread-safe.
 */
public final class RevertedMoves {

    private static final long HOUR_MS = 3_600_000;
    private static final ExponentialBackoff BACK_OFF = new ExponentialBackoff(60_000, HOUR_MS);
    private static final long FORGET_MS = 3 * HOUR_MS;

    /** A pair is backed off from where its verified moves are at most this many times its reverted ones. */
    private static final int VERIFIED_PER_REVERTED = 3;

    /** From so many verified moves of a pair on the older ones count half. */
    private static final int VERIFIED_LATELY = 30;

    /** A pass over all that is remembered at each of ten thousand reverts would be quadratic. */
    private static final long FORGET_EVERY_MS = 60_000;

    /** What two reverted moves have in common. */
    private record Pair(String sourceRack, DataNode.Id target) {

        static Pair of(BlockMove move) {
            return new Pair(move.source().rack(), move.target().id());
        }
    }

    private record Reverted(int times, long lastMs) {

        long untilMs() {
            return lastMs + BACK_OFF.delayMs(times);
        }
    }

    /** How the moves of a pair ended of late. */
    private record PairEnds(int verified, int reverted, long lastMs) {

        static final PairEnds NONE = new PairEnds(0, 0, Long.MIN_VALUE / 2);

        PairEnds withVerified(long nowMs) {
            return verified >= VERIFIED_LATELY
                    ? new PairEnds(verified / 2 + 1, reverted / 2, nowMs)
                    : new PairEnds(verified + 1, reverted, nowMs);
        }

        PairEnds withReverted(long nowMs) {
            return new PairEnds(verified, reverted + 1, nowMs);
        }

        boolean isBackedOffFrom() {
            return reverted * VERIFIED_PER_REVERTED >= verified;
        }
    }

    private final Map<Pair, PairEnds> endsByPair = new HashMap<>();
    private final Map<Pair, Reverted> revertedByPair = new HashMap<>();
    private final Map<BlockId, Reverted> revertedByBlock = new HashMap<>();
    private final Deque<Long> timesMs = new ArrayDeque<>();
    private long forgottenMs = Long.MIN_VALUE / 2;

    /** The NameNode has confirmed a move; it may be reverted later all the same. */
    public void verified(BlockMove move, long nowMs) {
        forget(nowMs);
        Pair pair = Pair.of(move);
        endsByPair.put(pair, endsByPair.getOrDefault(pair, PairEnds.NONE).withVerified(nowMs));
    }

    public void reverted(BlockMove move, long nowMs) {
        forgetTimes(nowMs);
        timesMs.addLast(nowMs);
        forget(nowMs);
        Pair pair = Pair.of(move);
        PairEnds ends = endsByPair.getOrDefault(pair, PairEnds.NONE).withReverted(nowMs);
        endsByPair.put(pair, ends);
        if (ends.isBackedOffFrom()) {
            note(revertedByPair, pair, nowMs);
        }
        note(revertedByBlock, move.block(), nowMs);
    }

    private void forget(long nowMs) {
        if (nowMs - forgottenMs >= FORGET_EVERY_MS) {
            forgottenMs = nowMs;
            endsByPair.values().removeIf(known -> nowMs - known.lastMs() > FORGET_MS);
            revertedByPair.values().removeIf(known -> isForgotten(known, nowMs));
            revertedByBlock.values().removeIf(known -> isForgotten(known, nowMs));
        }
    }

    /** Whether no such move should be made for now. */
    public boolean isBackedOff(BlockMove move, long nowMs) {
        return isBackedOff(revertedByPair.get(Pair.of(move)), nowMs)
                || isBackedOff(revertedByBlock.get(move.block()), nowMs);
    }

    /** The reverts of the last hour. */
    public int withinHour(long nowMs) {
        forgetTimes(nowMs);
        return timesMs.size();
    }

    private void forgetTimes(long nowMs) {
        while (!timesMs.isEmpty() && nowMs - timesMs.getFirst() >= HOUR_MS) {
            timesMs.removeFirst();
        }
    }

    /** Starts counting anew; what was reverted stays remembered. */
    public void forgetCount() {
        timesMs.clear();
    }

    /** Reverts while it is backed off from are of moves that had been started before: they count once. */
    private static <K> void note(Map<K, Reverted> revertedByKey, K key, long nowMs) {
        Reverted before = revertedByKey.get(key);
        if (before == null || isForgotten(before, nowMs)) {
            revertedByKey.put(key, new Reverted(1, nowMs));
        } else if (nowMs >= before.untilMs()) {
            revertedByKey.put(key, new Reverted(before.times() + 1, nowMs));
        }
    }

    private static boolean isForgotten(Reverted known, long nowMs) {
        return nowMs - known.lastMs() > FORGET_MS;
    }

    private static boolean isBackedOff(@Nullable Reverted known, long nowMs) {
        return known != null && nowMs < known.untilMs();
    }
}
