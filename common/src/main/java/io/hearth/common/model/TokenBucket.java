// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.common.model;

/**
 * Spreads bytes, or anything else that is counted, over time: a bucket that fills at the rate given and holds what comes in a stated time. A taking is allowed
 * whenever the bucket is not in debt, and may bring it there, so that a block larger than the bucket still passes and is paid for
 * afterwards. Over any longer time the rate is kept. Not thread-safe.
 */
public final class TokenBucket {

    private final long burstMs;
    private final boolean savesOneTaking;
    private long lastTaken;
    /** In thousandths of a byte, so that a rate in bytes per second and milliseconds leave no remainder; below 0 while in debt. */
    private long available;

    private long lastMs;
    private boolean started;

    /** @param burstMs what the bucket holds, in milliseconds of its rate: so much may go at once after a rest, above 0 */
    public TokenBucket(long burstMs) {
        this(burstMs, false);
    }

    private TokenBucket(long burstMs, boolean savesOneTaking) {
        this.burstMs = burstMs;
        this.savesOneTaking = savesOneTaking;
    }

    /**
     * A bucket that holds as much as was taken last where that is more: for takings from two buckets at once, so that one that waits for
     * the other's debt loses nothing of its own rate as long as that takes no longer than a taking.
     *
     * @param burstMs as for the constructor
     */
    public static TokenBucket savingOneTaking(long burstMs) {
        return new TokenBucket(burstMs, true);
    }

    /** Whether so many bytes may go now; if so they have been counted. A rate of 0 stands for no limit. */
    public boolean tryAcquire(long bytes, long bytesPerSecond, long nowMs) {
        if (bytesPerSecond == 0) {
            started = false;
            return true;
        }
        fill(bytesPerSecond, nowMs);
        if (available <= 0) {
            return false;
        }
        available -= bytes * 1000;
        lastTaken = bytes;
        return true;
    }

    /** The same, but what was saved of the last taking is lost: the next one waits until this one is paid for. */
    public boolean tryAcquireUnsaved(long bytes, long bytesPerSecond, long nowMs) {
        if (bytesPerSecond != 0) {
            fill(bytesPerSecond, nowMs);
            available = Math.min(available, bytesPerSecond * burstMs);
        }
        return tryAcquire(bytes, bytesPerSecond, nowMs);
    }

    /** Takes so many bytes that have gone already, allowed or not. */
    public void charge(long bytes, long bytesPerSecond, long nowMs) {
        fill(bytesPerSecond, nowMs);
        available -= bytes * 1000;
    }

    /** Takes so many bytes, or as many as are there where those are fewer; returns how many. The rate is above 0. */
    public long takeUpTo(long bytes, long bytesPerSecond, long nowMs) {
        fill(bytesPerSecond, nowMs);
        long taken = Math.min(bytes, Math.max(0, available / 1000));
        available -= taken * 1000;
        return taken;
    }

    /** Whether a taking would be allowed now. */
    public boolean canAcquire(long bytesPerSecond, long nowMs) {
        return waitMs(bytesPerSecond, nowMs) == 0;
    }

    /** How long it takes until a taking is allowed at this rate, in milliseconds: 0 where one is now. */
    public long waitMs(long bytesPerSecond, long nowMs) {
        if (bytesPerSecond == 0) {
            return 0;
        }
        fill(bytesPerSecond, nowMs);
        return available > 0 ? 0 : -available / bytesPerSecond + 1;
    }

    private void fill(long bytesPerSecond, long nowMs) {
        long full = Math.max(bytesPerSecond * burstMs, savesOneTaking ? lastTaken * 1000 : 0);
        if (!started) {
            started = true;
            available = full;
            lastMs = nowMs;
        }
        long elapsedMs = Math.max(0, nowMs - lastMs);
        available = elapsedMs > (full - available) / bytesPerSecond ? full : available + elapsedMs * bytesPerSecond;
        available = Math.min(full, available);
        lastMs = nowMs;
    }
}
