// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.testkit.measure;

import java.util.Collection;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * How much of what each server serves lies on its own host, counted from the NameNode's block
 * locations and from who serves which region, and from nothing else.
 *
 * @param regions sorted by region name; immutable
 */
public record LocalitySnapshot(List<RegionBlocks> regions) {

    public LocalitySnapshot {
        regions = regions.stream()
                .sorted(Comparator.comparing(RegionBlocks::region))
                .toList();
    }

    /** Bytes of all blocks. */
    public long bytes() {
        return regions.stream().mapToLong(RegionBlocks::bytes).sum();
    }

    /** Bytes of the blocks that are not local. */
    public long nonLocalBytes() {
        return regions.stream().mapToLong(RegionBlocks::nonLocalBytes).sum();
    }

    /** How many blocks are not local. */
    public int nonLocalBlocks() {
        return regions.stream().mapToInt(RegionBlocks::nonLocalBlocks).sum();
    }

    /** How many blocks have more replicas than their files ask for. */
    public int blocksInExcess() {
        return (int) regions.stream()
                .flatMap(region -> region.blocks().stream())
                .filter(block -> block.replicas() > block.replication())
                .count();
    }

    /** Local bytes over all bytes, 0 to 1; exactly 1 when no byte is away; 1 where there are no bytes. */
    public double locality() {
        return locality(regions);
    }

    /** The part of the snapshot that concerns these regions. */
    public LocalitySnapshot of(Set<String> regionNames) {
        return new LocalitySnapshot(regions.stream()
                .filter(region -> regionNames.contains(region.region()))
                .toList());
    }

    /** Locality of each host that serves a region. */
    public SortedMap<String, Double> localityByHost() {
        SortedMap<String, Double> localityByHost = new TreeMap<>();
        for (RegionBlocks region : regions) {
            localityByHost.computeIfAbsent(region.host(), host -> locality(servedBy(host)));
        }
        return Collections.unmodifiableSortedMap(localityByHost);
    }

    /** Store bytes of each host that serves a region. */
    public SortedMap<String, Long> bytesByHost() {
        SortedMap<String, Long> bytesByHost = new TreeMap<>();
        regions.forEach(region -> bytesByHost.merge(region.host(), region.bytes(), Long::sum));
        return Collections.unmodifiableSortedMap(bytesByHost);
    }

    /** The regions that a host serves. */
    public List<RegionBlocks> servedBy(String host) {
        return regions.stream().filter(region -> region.host().equals(host)).toList();
    }

    private static double locality(Collection<RegionBlocks> regions) {
        long bytes = 0;
        long remote = 0;
        for (RegionBlocks region : regions) {
            bytes += region.bytes();
            remote += region.nonLocalBytes();
        }
        return bytes == 0 ? 1 : (bytes - remote) / (double) bytes;
    }

    /**
     * One region, the host of the server that serves it, and the blocks of its store files.
     *
     * @param region encoded region name
     * @param host host of the RegionServer that serves it
     * @param blocks immutable
     */
    public record RegionBlocks(String region, String host, List<StoreFileBlock> blocks) {

        public RegionBlocks {
            blocks = List.copyOf(blocks);
        }

        /** Bytes of all its blocks. */
        public long bytes() {
            return blocks.stream().mapToLong(StoreFileBlock::bytes).sum();
        }

        /** Bytes of those blocks that have no replica on the host that serves the region. */
        public long nonLocalBytes() {
            return blocks.stream()
                    .filter(block -> !block.isOn(host))
                    .mapToLong(StoreFileBlock::bytes)
                    .sum();
        }

        /** How many blocks have no replica on the host that serves the region. */
        public int nonLocalBlocks() {
            return (int) blocks.stream().filter(block -> !block.isOn(host)).count();
        }
    }

    /**
     * One block of a store file and where the NameNode says that its replicas are.
     *
     * @param blockId the NameNode's id, unique in its block pool
     * @param bytes length of the block
     * @param replication how many replicas its file asks for
     * @param corrupt whether the NameNode knows of no replica that can be read
     * @param rackByHost rack of every host that holds a replica; sorted, immutable
     */
    public record StoreFileBlock(
            long blockId, long bytes, int replication, boolean corrupt, SortedMap<String, String> rackByHost) {

        public StoreFileBlock {
            rackByHost = Collections.unmodifiableSortedMap(new TreeMap<>(rackByHost));
        }

        /** Whether a replica lies on this host. */
        public boolean isOn(String host) {
            return rackByHost.containsKey(host);
        }

        /** On how many hosts it lies. */
        public int replicas() {
            return rackByHost.size();
        }

        /** How many racks it spans. */
        public int racks() {
            return (int) rackByHost.values().stream().distinct().count();
        }
    }
}
