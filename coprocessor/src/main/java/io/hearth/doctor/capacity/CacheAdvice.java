// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.doctor.capacity;

import io.hearth.common.config.HumanFormat;
import io.hearth.doctor.capacity.ServerMemory.CacheCounters;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.OptionalDouble;

/**
 * What the block caches of a cluster hold, how often they have what is asked for, and what to do for more. Immutable.
 *
 * <p>A larger cache on the heap is more to collect: at Bloomberg (HBaseConAsia 2018) 93 GB of cache were slower than 61, 20 ms against
 * 14 at the 99th percentile. So smaller blocks come first, then a bucket cache off the heap, and never a larger cache on it where
 * garbage collection shows already.
 *
 * @param hitShare of all blocks asked for since the servers started; empty where none was
 */
public record CacheAdvice(
        long heapBytes, long otherBytes, long indexBytes, long bloomBytes, OptionalDouble hitShare, String advice) {

    /** Garbage collection shows from this share of a server's time on. */
    private static final double MUCH_GC = 0.05;

    /** Above it a larger cache has little to gain. */
    private static final double MOST_ARE_HITS = 0.95;

    private static final String MEASURED =
            "elsewhere a cache of 93 GB was slower than one of 61: 20 ms against 14 at the" + " 99th percentile";

    /** Of all servers that tell; empty where none does. */
    public static Optional<CacheAdvice> of(List<ServerMemory> servers) {
        List<CacheCounters> caches = servers.stream()
                .flatMap(server -> server.counters().cache().ifKnown().stream())
                .toList();
        if (caches.isEmpty()) {
            return Optional.empty();
        }
        long hits = caches.stream().mapToLong(CacheCounters::hits).sum();
        long asked = hits + caches.stream().mapToLong(CacheCounters::misses).sum();
        OptionalDouble share = asked == 0 ? OptionalDouble.empty() : OptionalDouble.of((double) hits / asked);
        return Optional.of(new CacheAdvice(
                caches.stream().mapToLong(CacheCounters::heapBytes).sum(),
                caches.stream().mapToLong(CacheCounters::otherBytes).sum(),
                caches.stream().mapToLong(CacheCounters::indexBytes).sum(),
                caches.stream().mapToLong(CacheCounters::bloomBytes).sum(),
                share,
                advice(servers, share)));
    }

    /** What all caches hold. */
    public long bytes() {
        return heapBytes + otherBytes;
    }

    private static String advice(List<ServerMemory> servers, OptionalDouble hitShare) {
        Optional<String> pauses = pauses(servers);
        if (pauses.isPresent()) {
            return "No larger cache on the heap: " + pauses.get() + ", and " + MEASURED
                    + ". Smaller blocks where they are advised, then a bucket cache off the heap"
                    + " (hbase.bucketcache.ioengine offheap, hbase.bucketcache.size) and a smaller"
                    + " hfile.block.cache.size.";
        }
        if (hitShare.isPresent() && hitShare.getAsDouble() < MOST_ARE_HITS) {
            return "For more hits: smaller blocks where they are advised, then a bucket cache off the heap"
                    + " (hbase.bucketcache.ioengine offheap). Not a larger one on the heap: " + MEASURED + ".";
        }
        return "It has what is asked for.";
    }

    /** What the server that garbage collection holds up the most says; empty where it does not show. */
    private static Optional<String> pauses(List<ServerMemory> servers) {
        return servers.stream()
                .filter(server -> server.gcShare().orElse(0) >= MUCH_GC || longPauses(server) > 0)
                .max(Comparator.<ServerMemory>comparingLong(CacheAdvice::longPauses)
                        .thenComparingDouble(server -> server.gcShare().orElse(0)))
                .map(server -> String.format(
                        Locale.ROOT,
                        "%s spends %.1f %% of its time on garbage collection and stood still for long (jvm.pause.warn-threshold.ms) %,d times"
                                + " in %s",
                        server.host(),
                        100 * server.gcShare().orElse(0),
                        longPauses(server),
                        HumanFormat.timeOfMs(server.load().uptimeMs())));
    }

    private static long longPauses(ServerMemory server) {
        return server.counters().gc().ifKnown().map(gc -> gc.warnPauses()).orElse(0L);
    }
}
