// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.doctor.capacity;

import java.util.List;

/**
 * A table as far as its regions, files and indexes go, by the reports of the RegionServers. Immutable.
 *
 * @param regionBytes the store files of each region; HBase reports whole MB
 * @param storeFiles of all stores of all regions
 * @param uncompressedBytes what is in the store files before compression; HBase reports whole MB
 * @param indexBytes of the indexes of all store files, uncompressed and with all their levels; HBase reports whole KB of each region
 * @param bloomBytes of their Bloom filters
 * @param families sorted by name
 */
public record TableStore(
        String table,
        List<Long> regionBytes,
        int storeFiles,
        long memstoreBytes,
        long uncompressedBytes,
        long indexBytes,
        long bloomBytes,
        List<Family> families) {

    public TableStore {
        regionBytes = List.copyOf(regionBytes);
        families = List.copyOf(families);
    }

    /**
     * A column family as its table's descriptor has it.
     *
     * @param blockBytes {@code BLOCKSIZE}
     */
    public record Family(String name, int blockBytes) {}

    public long storeBytes() {
        return regionBytes.stream().mapToLong(Long::longValue).sum();
    }

    /** How many regions the table comes to when every one above so many bytes has been split in halves until none is. */
    public long regionsSplitAt(long bytes) {
        return regionBytes.stream().mapToLong(region -> parts(region, bytes)).sum();
    }

    /** How many regions of at most so many bytes the table would need, were its small ones merged; at least 1. */
    public long fewestRegions(long bytes) {
        return Math.max(1, (storeBytes() + bytes - 1) / bytes);
    }

    private static long parts(long region, long bytes) {
        long parts = 1;
        while (region > parts * bytes) {
            parts *= 2;
        }
        return parts;
    }
}
