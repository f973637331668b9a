// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.datanode.cache;

/**
 * What may be written to an SSD, as a token bucket that holds a day's budget and fills at that rate.
 *
 * <p>It is never in debt: over any number of days no more is taken than so many budgets, and one more that a rest has saved up. What
 * was taken and not written is given back. Times are milliseconds of one monotonic clock. Thread-safe.
 */
final class WriteBudget {

    private static final double DAY_MS = 86_400_000;

    /** In bytes; whole days of terabytes still leave a double a thousandth of a byte. */
    private double available;

    private long alreadySpentBytes;
    private boolean isStarted;
    private long lastMs;

    /**
     * Counts these bytes as written before the first day begins: what an earlier process has left on the SSD, because otherwise each
     * restart would bring a new budget. Has no effect after the first taking, so that a folder that is opened again goes on with what it
     * had.
     */
    synchronized void startWithSpent(long bytes) {
        alreadySpentBytes = bytes;
    }

    /** Takes so many bytes if they are there, and returns whether they were. */
    synchronized boolean tryTake(long bytes, long bytesPerDay, long nowMs) {
        fill(bytesPerDay, nowMs);
        if (bytes > available) {
            return false;
        }
        available -= bytes;
        return true;
    }

    /** Gives back what was taken and is not written. */
    synchronized void giveBack(long bytes) {
        available += bytes;
    }

    /** What could be taken now, in bytes. */
    synchronized long availableBytes(long bytesPerDay, long nowMs) {
        fill(bytesPerDay, nowMs);
        return (long) available;
    }

    private void fill(long bytesPerDay, long nowMs) {
        if (!isStarted) {
            isStarted = true;
            lastMs = nowMs;
            available = Math.max(0, bytesPerDay - alreadySpentBytes);
        }
        double earned = (double) bytesPerDay * Math.max(0, nowMs - lastMs) / DAY_MS;
        available = Math.min((double) bytesPerDay, available + earned);
        lastMs = Math.max(lastMs, nowMs);
    }
}
