// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.doctor.capacity;

import io.hearth.doctor.model.ProbedCluster.ProbeResult;
import java.util.List;
import java.util.OptionalLong;

/**
 * A table as far as its regions, files, indexes, readers and writers go, by what the RegionServers say. Immutable.
 *
 * @param regionBytes the store files of each region, and of each region replica, which reads those of its primary; HBase reports whole MB
 * @param storeBytes the store files of all regions, those that region replicas read counted once
 * @param splitBytes {@code MAX_FILESIZE} of its descriptor; empty where it goes by {@code hbase.hregion.max.filesize}
 * @param families sorted by name
 */
public record TableStore(
        String table,
        List<Long> regionBytes,
        long storeBytes,
        OptionalLong splitBytes,
        Files files,
        List<Family> families,
        Access access) {

    /** One without region replicas that goes by {@code hbase.hregion.max.filesize}. */
    public TableStore(String table, List<Long> regionBytes, Files files, List<Family> families, Access access) {
        this(table, regionBytes, sum(regionBytes), OptionalLong.empty(), files, families, access);
    }

    public TableStore {
        regionBytes = List.copyOf(regionBytes);
        families = List.copyOf(families);
    }

    /**
     * What all its regions have together, region replicas too, each of which caches for itself.
     *
     * @param uncompressedBytes what is in the store files before compression, counted once; HBase reports whole MB of each region
     * @param indexBytes of the indexes of all store files, uncompressed and with all their levels; whole KB of each region
     * @param bloomBytes of their Bloom filters
     */
    public record Files(int storeFiles, long memstoreBytes, long uncompressedBytes, long indexBytes, long bloomBytes) {}

    /**
     * A column family as its table's descriptor has it.
     *
     * @param blockBytes {@code BLOCKSIZE}
     */
    public record Family(String name, int blockBytes) {}

    /**
     * How it is read and written, and what is in it.
     *
     * @param flushes of its regions' memstores
     * @param meanCellBytes key and value of a cell, by the largest store file of its largest region
     * @param cacheHitShare of the block caches that its reads go to, as {@link CacheHits} has it; from 0 to 1
     */
    public record Access(
            ProbeResult<Reads> reads,
            ProbeResult<Flushes> flushes,
            ProbeResult<Long> meanCellBytes,
            ProbeResult<Double> cacheHitShare) {

        public static Access unknown(String why) {
            return new Access(
                    ProbeResult.unknown(why),
                    ProbeResult.unknown(why),
                    ProbeResult.unknown(why),
                    ProbeResult.unknown(why));
        }
    }

    /** Gets and calls of scanners that servers have answered since they started. */
    public record Reads(long gets, long scans) {

        public static final Reads NONE = new Reads(0, 0);

        /** Those of both. */
        public Reads plus(Reads others) {
            return new Reads(gets + others.gets, scans + others.scans);
        }

        /** Gets and calls of scanners together. */
        public long all() {
            return gets + scans;
        }
    }

    /**
     * Flushes since servers started; HBase counts them for each table, and not for each region.
     *
     * @param bytes what was in the memstores
     */
    public record Flushes(long count, long bytes) {

        /** Those of both. */
        public Flushes plus(Flushes others) {
            return new Flushes(count + others.count, bytes + others.bytes);
        }

        /** 0 where there was none. */
        public long meanBytes() {
            return count == 0 ? 0 : bytes / count;
        }
    }

    /** The largest block size of its families; 0 where it has none. */
    public int blockBytes() {
        return families.stream().mapToInt(Family::blockBytes).max().orElse(0);
    }

    /** How many regions the table comes to when every one above so many bytes has been split in halves until none is. */
    public long regionsSplitAt(long bytes) {
        return regionBytes.stream().mapToLong(region -> parts(region, bytes)).sum();
    }

    /** How many regions of at most so many bytes the table would need, were its small ones merged; at least 1. */
    public long fewestRegions(long bytes) {
        return Math.max(1, (sum(regionBytes) + bytes - 1) / bytes);
    }

    private static long sum(List<Long> all) {
        return all.stream().mapToLong(Long::longValue).sum();
    }

    private static long parts(long region, long bytes) {
        long parts = 1;
        while (region > parts * bytes) {
            parts *= 2;
        }
        return parts;
    }
}
