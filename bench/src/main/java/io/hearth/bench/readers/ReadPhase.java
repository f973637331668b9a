// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.bench.readers;

import java.util.ArrayList;
import java.util.List;

/** The reads of one stretch of time: how many, how many failed, which were slow. Thread-safe. */
final class ReadPhase {

    private static final long SLOW_NANOS = 100_000_000;

    /** A slow read's begin and end, by {@link System#nanoTime}. */
    record SlowRead(long fromNanos, long toNanos) {

        double millis() {
            return (toNanos - fromNanos) / 1e6;
        }
    }

    private final long fromNanos;
    private long toNanos;
    private long reads;
    private long rows;
    private long failed;
    private double worstMillis;
    private final List<SlowRead> slow = new ArrayList<>();

    ReadPhase(long fromNanos) {
        this.fromNanos = fromNanos;
        this.toNanos = fromNanos;
    }

    synchronized void add(boolean isGood, int rowsRead, long readFromNanos, long readToNanos) {
        SlowRead read = new SlowRead(readFromNanos, readToNanos);
        reads++;
        rows += isGood ? rowsRead : 0;
        failed += isGood ? 0 : 1;
        worstMillis = Math.max(worstMillis, read.millis());
        toNanos = Math.max(toNanos, readToNanos);
        if (readToNanos - readFromNanos > SLOW_NANOS) {
            slow.add(read);
        }
    }

    /** The bytes of the values that the readers have got. */
    synchronized long gotBytes() {
        return rows * ReaderTable.VALUE_BYTES;
    }

    /** This phase in figures, with what HDFS said meanwhile. */
    synchronized ReaderResult.Phase result(DfsClientEvents events) {
        List<SlowRead> above250 =
                slow.stream().filter(read -> read.millis() > 250).toList();
        return new ReaderResult.Phase(
                reads,
                failed,
                slow.size(),
                above250.size(),
                (int) above250.stream()
                        .filter(read -> events.anyWithin(read.fromNanos(), read.toNanos()))
                        .count(),
                worstMillis,
                events.count(DfsClientEvents.Kind.FAILOVER, fromNanos, toNanos),
                events.count(DfsClientEvents.Kind.STALL, fromNanos, toNanos));
    }
}
