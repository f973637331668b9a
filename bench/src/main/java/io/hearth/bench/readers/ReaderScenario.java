// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.bench.readers;

import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * What a run of the readers is made of. Immutable.
 *
 * @param properties of the cluster, on top of the embedded cluster's own
 * @param regions of the table, all on one server
 * @param bytesPerRegion of values
 * @param warmUpMs how long the readers read before anything is measured
 * @param quietMs how long they are measured while nothing moves
 * @param afterMs how long they are measured after the last replica has gone
 * @param lateMs how long the local share of what they read is measured at the end
 */
public record ReaderScenario(
        Map<String, String> properties,
        int regions,
        int bytesPerRegion,
        long warmUpMs,
        long quietMs,
        long afterMs,
        long lateMs) {

    static final int BLOCK_BYTES = 1 << 20;

    /** A stream learns of a new location within this many refresh intervals: facts of HDFS-16262. */
    private static final double INTERVALS_UNTIL_FRESH = 2.1;

    private static final long QUICK_REFRESH_MS = 2_000;

    public ReaderScenario {
        properties = Map.copyOf(new LinkedHashMap<>(properties));
    }

    /** A short run: locations are refreshed every two seconds, and the deletion delay of the DataNode jar, if it is there, fits that. */
    public static ReaderScenario quick(Map<String, String> properties) {
        Map<String, String> quick = new HashMap<>(properties);
        quick.replace("hearth.datanode.deletion.delay.ms", "" + 3 * QUICK_REFRESH_MS);
        // The client's defaults stay as they are.
        quick.computeIfPresent(
                "dfs.client.refresh.read-block-locations.ms",
                (key, ms) -> Long.parseLong(ms) == 0 ? ms : "" + QUICK_REFRESH_MS);
        return of(quick, QUICK_REFRESH_MS);
    }

    /** A run for readers that refresh their locations this often: long enough for each stream to do so. */
    public static ReaderScenario of(Map<String, String> properties, long refreshMs) {
        long freshMs = (long) (refreshMs * INTERVALS_UNTIL_FRESH) + 2_000;
        return new ReaderScenario(properties, 4, 12 << 20, freshMs, 10_000, freshMs, 6_000);
    }
}
