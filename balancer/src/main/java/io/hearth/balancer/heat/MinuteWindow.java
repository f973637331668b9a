// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.balancer.heat;

/**
 * Requests of the last minutes, in one bucket for each: a sliding window that moves on by whole minutes of report time.
 *
 * <p>A sample's requests are spread evenly over the time that it took. Time that goes back (another server's clock) counts
 * in the newest bucket. A bucket holds at most {@link Integer#MAX_VALUE}. Not thread-safe.
 */
final class MinuteWindow {

    private static final long MINUTE_MS = 60_000;

    private final int[] requestsByMinute;
    private long newestMinute = Long.MIN_VALUE;

    /** @param minutes how many buckets there are, above 0 */
    MinuteWindow(int minutes) {
        requestsByMinute = new int[minutes];
    }

    int minutes() {
        return requestsByMinute.length;
    }

    /** Adds what was seen in the {@code elapsedMs} milliseconds before this report, above 0. */
    void add(long requests, long elapsedMs, long reportMs) {
        long endMs = moveTo(reportMs);
        long beginMs = endMs - elapsedMs;
        long oldestMinute = newestMinute - requestsByMinute.length + 1;
        long minute = Math.max(oldestMinute, Math.floorDiv(beginMs, MINUTE_MS));
        for (; minute <= newestMinute; minute++) {
            long fromMs = Math.max(beginMs, minute * MINUTE_MS);
            long toMs = Math.min(endMs, (minute + 1) * MINUTE_MS);
            addTo(minute, Math.round((double) requests * (toMs - fromMs) / elapsedMs));
        }
    }

    /** Requests in all buckets. */
    long count() {
        long sum = 0;
        for (int requests : requestsByMinute) {
            sum += requests;
        }
        return sum;
    }

    /** Drops the buckets that are too old at this time; the time that counts, which never goes back. */
    private long moveTo(long reportMs) {
        long minute = Math.floorDiv(reportMs, MINUTE_MS);
        if (newestMinute == Long.MIN_VALUE) {
            newestMinute = minute;
        }
        if (minute < newestMinute) {
            return (newestMinute + 1) * MINUTE_MS;
        }
        long steps = Math.min(minute - newestMinute, requestsByMinute.length);
        for (long step = 0; step < steps; step++) {
            requestsByMinute[index(minute - step)] = 0;
        }
        newestMinute = minute;
        return reportMs;
    }

    private void addTo(long minute, long requests) {
        int index = index(minute);
        requestsByMinute[index] = (int) Math.min(Integer.MAX_VALUE, requestsByMinute[index] + requests);
    }

    private int index(long minute) {
        return (int) Math.floorMod(minute, (long) requestsByMinute.length);
    }
}
