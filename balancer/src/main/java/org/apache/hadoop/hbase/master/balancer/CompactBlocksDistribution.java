// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package org.apache.hadoop.hbase.master.balancer;

import io.hearth.balancer.hbase.LocalBytesReader;
import io.hearth.balancer.state.LocalBytes;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.UnaryOperator;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.apache.hadoop.fs.StorageType;
import org.apache.hadoop.hbase.HDFSBlocksDistribution;
import org.jspecify.annotations.NullMarked;

/**
 * HBase's distribution of a region's blocks in a tenth of its memory, to be kept for each region: a host takes 5 to 12 bytes
 * ({@link LocalBytes}), or 8 more where bytes are on an SSD, in the place of a map's entry, an object and a name of its own. No host has
 * more bytes than there are. Immutable.
 */
@NullMarked
final class CompactBlocksDistribution extends HDFSBlocksDistribution {

    private static final long[] NO_SSD = {};

    /** This object with the empty map of HBase's, and {@link LocalBytes} with its arrays empty, with references of four bytes. */
    private static final long HEADER_BYTES = 160;

    private final LocalBytes local;
    private final long[] ssdBytes;

    private CompactBlocksDistribution(LocalBytes local, long[] ssdBytes) {
        this.local = local;
        this.ssdBytes = ssdBytes;
    }

    /**
     * The same as this distribution.
     *
     * @param names gives the one object that stands for all equal names of hosts
     */
    static CompactBlocksDistribution of(HDFSBlocksDistribution blocks, UnaryOperator<String> names) {
        LocalBytes local = LocalBytesReader.read(blocks, names);
        Map<String, HostAndWeight> weightByHost = blocks.getHostAndWeights();
        if (weightByHost.values().stream().allMatch(weight -> weight.getWeightForSsd() == 0)) {
            return new CompactBlocksDistribution(local, NO_SSD);
        }
        long[] ssdBytes = new long[local.hostCount()];
        for (int index = 0; index < ssdBytes.length; index++) {
            HostAndWeight weight = weightByHost.get(local.host(index));
            ssdBytes[index] = weight == null ? 0 : weight.getWeightForSsd();
        }
        return new CompactBlocksDistribution(local, ssdBytes);
    }

    /** The same for the planner. */
    LocalBytes local() {
        return local;
    }

    boolean saysTheSame(CompactBlocksDistribution other) {
        return local.equals(other.local) && Arrays.equals(ssdBytes, other.ssdBytes);
    }

    /** Bytes of heap that this takes, names of hosts left out: they are shared. */
    long heapBytes() {
        return HEADER_BYTES + local.heapBytes() + ssdBytes.length * (long) Long.BYTES;
    }

    private long ssd(int index) {
        return ssdBytes.length == 0 ? 0 : Math.min(ssdBytes[index], local.bytes(index));
    }

    private long ssdOn(String host) {
        int index = ssdBytes.length == 0 ? -1 : local.indexOf(host);
        return index < 0 ? 0 : ssd(index);
    }

    @Override
    public void addHostsAndBlockWeight(String[] hosts, long weight) {
        throw unmodifiable();
    }

    @Override
    public void addHostsAndBlockWeight(String[] hosts, long weight, StorageType[] storageTypes) {
        throw unmodifiable();
    }

    @Override
    public void add(HDFSBlocksDistribution other) {
        throw unmodifiable();
    }

    private static UnsupportedOperationException unmodifiable() {
        return new UnsupportedOperationException(
                "What is known of a region's blocks can't be changed; make a new distribution.");
    }

    @Override
    public Map<String, HostAndWeight> getHostAndWeights() {
        Map<String, HostAndWeight> weightByHost = new TreeMap<>();
        for (int index = 0; index < local.hostCount(); index++) {
            weightByHost.put(local.host(index), weight(index));
        }
        return weightByHost;
    }

    @Override
    public long getWeight(String host) {
        return local.on(host).orElse(0);
    }

    @Override
    public long getUniqueBlocksTotalWeight() {
        return local.totalBytes().orElse(0);
    }

    @Override
    public float getBlockLocalityIndex(String host) {
        return share(getBlocksLocalWeight(host));
    }

    @Override
    public float getBlockLocalityIndexForSsd(String host) {
        return share(getBlocksLocalWithSsdWeight(host));
    }

    private float share(long bytes) {
        long total = getUniqueBlocksTotalWeight();
        return total == 0 ? 0 : (float) bytes / (float) total;
    }

    @Override
    public long getBlocksLocalWeight(String host) {
        return getWeight(host);
    }

    @Override
    public long getBlocksLocalWithSsdWeight(String host) {
        return ssdOn(host);
    }

    @Override
    public List<String> getTopHosts() {
        return mostFirst().mapToObj(local::host).collect(Collectors.toCollection(ArrayList::new));
    }

    @Override
    public HostAndWeight[] getTopHostsWithWeights() {
        return mostFirst().mapToObj(this::weight).toArray(HostAndWeight[]::new);
    }

    private HostAndWeight weight(int index) {
        return new HostAndWeight(local.host(index), local.bytes(index), ssd(index));
    }

    /** As HBase orders hosts: most bytes first, and of as many bytes the last name first. */
    private IntStream mostFirst() {
        return IntStream.range(0, local.hostCount())
                .boxed()
                .sorted(Comparator.<Integer>comparingLong(local::bytes)
                        .thenComparingInt(index -> index)
                        .reversed())
                .mapToInt(Integer::intValue);
    }

    @Override
    public synchronized String toString() {
        return "number of unique hosts in the distribution=" + local.hostCount();
    }
}
