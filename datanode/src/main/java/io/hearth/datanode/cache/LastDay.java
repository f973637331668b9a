// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.datanode.cache;

import io.hearth.datanode.cache.ReadCacheCounts.Counter;
import java.util.ArrayDeque;
import java.util.Deque;

/**
 * What a read cache has done within the last day, to an hour: its counters now, less those of the oldest of 24 readings. Before a day is
 * over it goes back to the start. Times are milliseconds of one monotonic clock. Thread-safe.
 */
public final class LastDay {

    static final long HOUR_MS = 3_600_000;
    static final long DAY_MS = 24 * HOUR_MS;

    private final ReadCacheCounts counts;

    /** An hour apart at least; the first is the one to compare with. */
    private final Deque<Reading> readings = new ArrayDeque<>();

    private record Reading(long atMs, long hits, long fills, long writtenBytes) {

        static Reading of(ReadCacheCounts counts, long nowMs) {
            return new Reading(
                    nowMs, counts.get(Counter.HITS), counts.get(Counter.FILLS), counts.get(Counter.WRITTEN_BYTES));
        }
    }

    LastDay(ReadCacheCounts counts, long nowMs) {
        this.counts = counts;
        readings.add(Reading.of(counts, nowMs));
    }

    /** Takes a reading if the last one is an hour old, and gives up those that no longer tell of the day; called about once a minute. */
    synchronized void turn(long nowMs) {
        if (nowMs - readings.getLast().atMs() >= HOUR_MS) {
            readings.addLast(Reading.of(counts, nowMs));
        }
        Reading first = readings.removeFirst();
        while (!readings.isEmpty() && nowMs - readings.getFirst().atMs() >= DAY_MS) {
            first = readings.removeFirst();
        }
        readings.addFirst(first);
    }

    synchronized Activity activity(long nowMs) {
        Reading first = readings.getFirst();
        Reading now = Reading.of(counts, nowMs);
        return new Activity(
                nowMs - first.atMs(),
                now.hits() - first.hits(),
                now.fills() - first.fills(),
                now.writtenBytes() - first.writtenBytes());
    }

    /**
     * What was done in a time. Immutable.
     *
     * @param overMs how long it was, in milliseconds: a day and up to an hour, or less after a start
     * @param hits pages that reads have found on the SSD
     * @param fills pages that were written to it
     * @param writtenBytes bytes that were written to it, checksums included
     */
    public record Activity(long overMs, long hits, long fills, long writtenBytes) {}
}
