// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.healer.throttle;

import java.util.Set;

/**
 * The rate of block moves at one DataNode: additive increase, multiplicative decrease (Chiu and Jain, 1989). Pure; times are
 * milliseconds of any one clock that does not go back.
 *
 * <p><b>Goals.</b> Use what nobody else needs, and yield at once to whoever does.
 *
 * <p><b>Constraints.</b> The rate is never above the limit, from the step in which the limit changes. It is halved
 * at most once in {@value #CUT_EVERY_MS} ms, the time that a halving takes to be felt. It is never below a
 * 64th of where it starts from, so that healing always gets on, and grows only while it is used: an idle hour proves nothing. While
 * another tool of HDFS moves blocks the rate is at most where it starts from, however long that takes: the DataNode's own limit is for
 * both, and nothing that was measured asks for less.
 *
 * <p><b>Algorithm.</b> It starts at a quarter of the limit; so it does again after {@value #FORGET_AFTER_MS} ms without use. Each
 * second without pressure adds a tenth of the limit. Each pressure halves, and nothing is added for a second afterwards. From
 * the start to the limit it takes 8 seconds. A second step at the same time changes nothing more.
 */
public final class AimdThrottle {

    /** A rate in use grows as often as this at most, in milliseconds. */
    public static final long RAISE_EVERY_MS = 1_000;

    static final long CUT_EVERY_MS = 10_000;

    /** A rate that was not used for so long is forgotten, in milliseconds. */
    public static final long FORGET_AFTER_MS = 600_000;

    private AimdThrottle() {}

    /**
     * The state after this step, in which the rate is used: bytes move, or would if the rate allowed.
     *
     * @param limitBytesPerSecond above 0
     */
    public static ThrottleState next(
            ThrottleState state, long limitBytesPerSecond, Set<ThrottleReason> reasons, long nowMs) {
        Bounds bounds = Bounds.of(limitBytesPerSecond);
        boolean fresh = isFresh(state, nowMs);
        long before = fresh ? bounds.start : Math.min(state.bytesPerSecond(), bounds.highest);
        long highest = reasons.stream().allMatch(ThrottleReason::isMeasured) ? bounds.highest : bounds.start;
        long rate = Math.min(before, highest);
        if (reasons.stream().anyMatch(ThrottleReason::isMeasured)) {
            boolean cut = nowMs - state.cutMs() >= CUT_EVERY_MS;
            long slower = cut ? Math.max(rate / 2, Math.min(rate, bounds.lowest)) : rate;
            return new ThrottleState(slower, nowMs, cut ? nowMs : state.cutMs(), nowMs);
        }
        if (fresh || rate < before) {
            return new ThrottleState(rate, nowMs, state.cutMs(), nowMs);
        }
        if (nowMs - state.raisedMs() < RAISE_EVERY_MS) {
            return new ThrottleState(rate, state.raisedMs(), state.cutMs(), nowMs);
        }
        return new ThrottleState(Math.min(rate + bounds.step, highest), nowMs, state.cutMs(), nowMs);
    }

    /**
     * How long so many bytes take without any pressure, in seconds, from a rate that is this share of the limit, or from the start where
     * that is faster.
     *
     * @param share 0 to 1; 0 where the rate is not known
     * @param limitBytesPerSecond above 0
     */
    public static double secondsFrom(double share, long bytes, long limitBytesPerSecond) {
        Bounds bounds = Bounds.of(limitBytesPerSecond);
        long rate = (long) (share * limitBytesPerSecond);
        return secondsFrom(Math.max(bounds.start, Math.min(bounds.highest, rate)), bytes, bounds);
    }

    /**
     * How long so many bytes take from this state on, in seconds: at a rate that grows as it does without any pressure, or at the one that
     * holds where it does not grow now or was cut just before.
     *
     * @param limitBytesPerSecond above 0
     */
    public static double seconds(ThrottleState state, boolean grows, long bytes, long limitBytesPerSecond, long nowMs) {
        Bounds bounds = Bounds.of(limitBytesPerSecond);
        long rate = rate(state, limitBytesPerSecond, nowMs);
        return grows && nowMs - state.cutMs() >= CUT_EVERY_MS
                ? secondsFrom(rate, bytes, bounds)
                : (double) bytes / rate;
    }

    /**
     * The rate with which it would go on now, in bytes per second.
     *
     * @param limitBytesPerSecond above 0
     */
    public static long rate(ThrottleState state, long limitBytesPerSecond, long nowMs) {
        Bounds bounds = Bounds.of(limitBytesPerSecond);
        return isFresh(state, nowMs) ? bounds.start : Math.min(state.bytesPerSecond(), bounds.highest);
    }

    private static boolean isFresh(ThrottleState state, long nowMs) {
        return state.bytesPerSecond() == 0 || nowMs - state.usedMs() > FORGET_AFTER_MS;
    }

    private static double secondsFrom(long firstRate, long bytes, Bounds bounds) {
        long rate = firstRate;
        long left = bytes;
        int seconds = 0;
        while (rate < bounds.highest && left > rate) {
            left -= rate;
            seconds++;
            rate = Math.min(rate + bounds.step, bounds.highest);
        }
        return seconds + (double) left / rate;
    }

    /** Where the rate starts, how far it goes and how fast it grows, in bytes per second. */
    private record Bounds(long lowest, long start, long step, long highest) {

        static Bounds of(long limit) {
            long start = Math.max(1, limit / 4);
            return new Bounds(Math.max(1, start / 64), start, Math.max(1, limit / 10), limit);
        }
    }

    /** A reason to go slower. */
    public enum ThrottleReason {
        /** A DataNode makes as many moves as it allows. */
        DATANODE_BUSY(true),
        /** The moves of a DataNode take much longer than their sizes and its rate predict. */
        DATANODE_SLOW(true),
        /** The NameNode answers a call of ours that is always the same much later than it used to. */
        NAMENODE_SLOW(true),
        /** RegionServers on the host of a DataNode answer reads of ours much later than they used to. */
        READS_SLOW(true),
        /** The HDFS Balancer is at work. */
        HDFS_BALANCER(false),
        /** The HDFS Mover is at work. */
        HDFS_MOVER(false);

        private final boolean measured;

        ThrottleReason(boolean measured) {
            this.measured = measured;
        }

        /** Whether something is known to be slower for our moves; if not, another tool of HDFS is only there. */
        public boolean isMeasured() {
            return measured;
        }
    }

    /**
     * What the throttle remembers. Immutable.
     *
     * @param bytesPerSecond the rate that holds; 0 before the first step
     * @param raisedMs when it was last raised, held or set
     * @param cutMs when it was last halved
     * @param usedMs when it was last used
     */
    public record ThrottleState(long bytesPerSecond, long raisedMs, long cutMs, long usedMs) {

        /** Nothing is known. */
        public static final ThrottleState START =
                new ThrottleState(0, Long.MIN_VALUE / 2, Long.MIN_VALUE / 2, Long.MIN_VALUE / 2);
    }
}
