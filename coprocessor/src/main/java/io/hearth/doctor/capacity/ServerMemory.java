// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.doctor.capacity;

import io.hearth.doctor.model.ProbedCluster.ProbeResult;
import io.hearth.doctor.model.ProcessConfig;
import java.util.Optional;
import java.util.OptionalDouble;

/**
 * One RegionServer as far as its memory and its files go, at one time. Immutable.
 *
 * @param config what it is configured with
 * @param sizing by that configuration and its report
 */
public record ServerMemory(
        String host, EffectiveConfig config, MemstoreSizing sizing, StoreLoad load, Counters counters) {

    /**
     * The configuration that a server is judged by.
     *
     * @param note whose it is, as a sentence; empty where it is the server's own
     */
    public record EffectiveConfig(ProcessConfig settings, Optional<String> note) {}

    /**
     * What a server has, by its report.
     *
     * @param storeFiles of all its stores
     * @param mostStoreFilesOfAStore of the region with the most files for each of its stores, rounded up
     * @param memstoreBytes what its memstores hold now
     * @param uptimeMs since it started, by its start code and the clock of whoever asks
     */
    public record StoreLoad(int storeFiles, int mostStoreFilesOfAStore, long memstoreBytes, long uptimeMs) {}

    /** What a server counts, by its page {@code /jmx}. */
    public record Counters(
            ProbeResult<FlushCounters> flushes, ProbeResult<GcCounters> gc, ProbeResult<CacheCounters> cache) {

        /** Nothing of it can be read. */
        public static Counters unknown(String why) {
            return new Counters(ProbeResult.unknown(why), ProbeResult.unknown(why), ProbeResult.unknown(why));
        }
    }

    /**
     * What a RegionServer has counted of flushes and of what follows from them, since it started. Immutable.
     *
     * @param flushes of regions
     * @param flushedBytes what was in the memstores that were flushed
     * @param writtenBytes the files that flushes have made
     * @param compactedBytes the files that compactions have made of them
     * @param medianBytes of the flushes of the last seconds, by HBase's histogram; 0 where there was none
     * @param compactionQueue compactions that wait just now
     * @param blockedRequests writes that were refused because their region's memstore was at its limit
     * @param blockedMs how long writes have waited because all memstores together were at theirs
     */
    public record FlushCounters(
            long flushes,
            long flushedBytes,
            long writtenBytes,
            long compactedBytes,
            long medianBytes,
            long compactionQueue,
            long blockedRequests,
            long blockedMs) {

        /** The mean of all flushes; 0 where there was none. */
        public long meanBytes() {
            return flushes == 0 ? 0 : flushedBytes / flushes;
        }
    }

    /**
     * What a RegionServer has counted of its garbage collections and pauses, since it started. Immutable.
     *
     * @param collections of all collectors
     * @param gcMs what they took together; of a collector that works beside the program not all of it is a pause
     * @param warnPauses pauses above {@code jvm.pause.warn-threshold.ms}, 10 s by default
     * @param infoPauses those above {@code jvm.pause.info-threshold.ms}, 1 s by default, and not above the other
     */
    public record GcCounters(long collections, long gcMs, long warnPauses, long infoPauses) {}

    /**
     * What a RegionServer has counted of its block caches, since it started. Immutable.
     *
     * @param heapBytes of blocks in the cache on the heap (L1)
     * @param otherBytes of blocks in the bucket cache (L2), off the heap or in a file
     * @param hits of data blocks and index blocks together
     * @param indexBytes of all indexes of its store files, uncompressed
     * @param bloomBytes of all their Bloom filters
     */
    public record CacheCounters(
            long heapBytes, long otherBytes, long hits, long misses, long indexBytes, long bloomBytes) {}

    public ProcessConfig settings() {
        return config.settings();
    }

    public ProbeResult<FlushCounters> flushes() {
        return counters.flushes();
    }

    /** How many files a store has on average. */
    public double storeFilesPerStore() {
        return sizing.stores() == 0 ? 0 : (double) load.storeFiles() / sizing.stores();
    }

    /** The share of its time that it has spent on garbage collection since it started; empty where nobody knows. */
    public OptionalDouble gcShare() {
        return load.uptimeMs() <= 0
                ? OptionalDouble.empty()
                : counters.gc()
                        .ifKnown()
                        .map(gc -> OptionalDouble.of((double) gc.gcMs() / load.uptimeMs()))
                        .orElseGet(OptionalDouble::empty);
    }
}
