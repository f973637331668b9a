// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.healer.move;

/**
 * Spreads bytes over time: a bucket that fills at the rate given and holds what comes in a stated time. A taking is allowed
 * whenever the bucket is not in debt, and may bring it there, so that a block larger than the bucket still passes and is paid for
 * afterwards. Over any longer time the rate is kept. Not thread-safe.
 */
public final class TokenBucket {

    private final double burstSeconds;
    private double available;
    private long lastMs;
    private boolean started;

    /** @param burstMs what the bucket holds, in milliseconds of its rate: so much may go at once after a rest, above 0 */
    public TokenBucket(long burstMs) {
        this.burstSeconds = burstMs / 1000.0;
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
        available -= bytes;
        return true;
    }

    /** Whether a taking would be allowed now. */
    public boolean canAcquire(long bytesPerSecond, long nowMs) {
        if (bytesPerSecond != 0) {
            fill(bytesPerSecond, nowMs);
        }
        return bytesPerSecond == 0 || available > 0;
    }

    /** How long it takes until a taking is allowed at this rate, in milliseconds: 0 where one is now. */
    public long waitMs(long bytesPerSecond, long nowMs) {
        return canAcquire(bytesPerSecond, nowMs) ? 0 : (long) Math.floor(-available * 1000 / bytesPerSecond) + 1;
    }

    private void fill(long bytesPerSecond, long nowMs) {
        double full = bytesPerSecond * burstSeconds;
        if (!started) {
            started = true;
            available = full;
            lastMs = nowMs;
        }
        double earned = (nowMs - lastMs) / 1000.0 * bytesPerSecond;
        available = Math.min(full, available + Math.max(0, earned));
        lastMs = nowMs;
    }
}
