// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.doctor.capacity;

import io.hearth.doctor.capacity.ObservedCluster.HdfsSpace;
import io.hearth.doctor.capacity.ObservedCluster.NodeSpace;
import io.hearth.doctor.capacity.ServerMemory.FlushCounters;
import io.hearth.doctor.model.ProbedCluster.ProbeResult;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.OptionalDouble;

/**
 * What becomes of a cluster with other servers, writes or splits, and when its disks are full. Pure.
 *
 * <p>It reckons with regions and growth spread evenly, and with new servers like the mean of those that are there, each with a DataNode
 * like the mean of the DataNodes; where nobody tells how many of these there are, as many as RegionServers.
 */
public final class CapacityForecast {

    /** The reference guide's range for a server's regions. */
    public static final int FEWEST_REGIONS = 20;

    /** Its upper end. */
    public static final int MOST_REGIONS = 200;

    private static final double DAY_MS = 86_400_000.0;
    private static final double SECOND_MS = 1_000;

    private CapacityForecast() {}

    /**
     * What is otherwise.
     *
     * @param addedServers below 0 for servers that go
     * @param writesFactor 2 for twice the writes, which grow the disks by as much
     * @param splitBytes the size at which regions are split; empty for that of now
     */
    public record WhatIf(int addedServers, double writesFactor, Optional<Long> splitBytes) {

        /** Everything as it is. */
        public static final WhatIf NOTHING = new WhatIf(0, 1, Optional.empty());
    }

    /**
     * By how much the disks fill in a day, with every replica.
     *
     * @param source whose word that is, for a person
     */
    public record Growth(double bytesPerDay, String source) {

        /** So many bytes of store files a day, as a person says. */
        public static Growth given(double storeBytesPerDay, int replication) {
            return new Growth(storeBytesPerDay * replication, "--growth, with " + replication + " replicas");
        }

        /**
         * What has been added since an earlier look at the same disks.
         *
         * @throws IllegalArgumentException if that look is not before this one
         */
        public static Growth between(long earlierMs, long earlierUsedBytes, long nowMs, long nowUsedBytes) {
            if (earlierMs >= nowMs) {
                throw new IllegalArgumentException("the earlier look has to be before this one");
            }
            double days = (nowMs - earlierMs) / DAY_MS;
            return new Growth(
                    (nowUsedBytes - earlierUsedBytes) / days,
                    String.format(Locale.ROOT, "what HDFS uses more than %.1f days ago", days));
        }
    }

    /**
     * A cluster in figures. Immutable.
     *
     * @param regions of all tables, HBase's own left out, when all that are above the split size have been split
     * @param fewestRegions how many there would be, were small neighbours merged
     * @param memstoreBytes what all memstores may fill together
     * @param regionsThatDoWell how many regions a server's heap is good for, on average
     * @param flushBytesIfAlike what a flush has if all regions are written to alike
     * @param flushedBytesPerSecond of all servers, the mean since they started; empty where no server tells
     * @param fillSeconds how long writes take to fill all memstores once
     * @param disk empty where HDFS does not tell
     */
    public record Figures(
            int servers,
            long regions,
            long fewestRegions,
            long memstoreBytes,
            long regionsThatDoWell,
            long flushBytesIfAlike,
            OptionalDouble flushedBytesPerSecond,
            OptionalDouble fillSeconds,
            Optional<Disk> disk) {

        public double regionsPerServer() {
            return servers == 0 ? 0 : (double) regions / servers;
        }

        /** Where the regions of a server are against the reference guide's range, for a person. */
        public String range() {
            double each = regionsPerServer();
            return each < FEWEST_REGIONS
                    ? "below 20 to 200"
                    : each > MOST_REGIONS ? "above 20 to 200" : "within 20 to 200";
        }
    }

    /**
     * How full the disks of HDFS are and when there is no room any more. Immutable.
     *
     * @param bytesPerDay empty where nobody knows the growth
     * @param daysUntilFull of all disks together; empty where they do not fill, or nobody knows
     * @param firstFull the DataNode that has no room first; empty where the NameNode does not tell of each
     */
    public record Disk(
            long capacityBytes,
            long usedBytes,
            long remainingBytes,
            OptionalDouble bytesPerDay,
            OptionalDouble daysUntilFull,
            Optional<FullNode> firstFull) {}

    /** A DataNode and in how many days it has no room. */
    public record FullNode(String host, double days) {}

    /** The figures with this otherwise; with {@link WhatIf#NOTHING} those of now. */
    public static Figures of(ObservedCluster cluster, WhatIf change, Optional<Growth> growth) {
        int before = cluster.servers().size();
        int servers = Math.max(0, before + change.addedServers());
        double scale = before == 0 ? 0 : (double) servers / before;
        long regions = cluster.tables().stream()
                .mapToLong(table -> table.regionsSplitAt(splitBytes(table, cluster, change)))
                .sum();
        long memstoreBytes = Math.round(scale
                * cluster.servers().stream()
                        .mapToLong(server -> server.sizing().roomBytes())
                        .sum());
        OptionalDouble flushed = flushedBytesPerSecond(cluster.servers(), change.writesFactor());
        return new Figures(
                servers,
                regions,
                cluster.tables().stream()
                        .mapToLong(table -> table.fewestRegions(splitBytes(table, cluster, change)))
                        .sum(),
                memstoreBytes,
                Math.round(cluster.servers().stream()
                        .mapToLong(server -> server.sizing().regionsThatDoWell())
                        .average()
                        .orElse(0)),
                flushBytes(cluster.servers(), memstoreBytes, regions),
                flushed,
                flushed.isPresent() && flushed.getAsDouble() > 0
                        ? OptionalDouble.of(memstoreBytes / flushed.getAsDouble())
                        : OptionalDouble.empty(),
                cluster.space()
                        .ifKnown()
                        .map(space -> disk(
                                space,
                                before,
                                servers - before,
                                growth.map(each -> each.bytesPerDay() * change.writesFactor()))));
    }

    /** A table's own size wins over that of the site, as in HBase. One of 0 bytes, which would split for ever, counts as 1 MB. */
    private static long splitBytes(TableStore table, ObservedCluster cluster, WhatIf change) {
        return Math.max(1L << 20, change.splitBytes().orElse(table.splitBytes().orElse(cluster.splitBytes())));
    }

    private static long flushBytes(List<ServerMemory> servers, long memstoreBytes, long regions) {
        long asked = servers.stream()
                .mapToLong(server -> server.sizing().flushBytes())
                .max()
                .orElse(0);
        return regions == 0 ? asked : Math.min(asked, memstoreBytes / regions);
    }

    /** Those that do not tell are taken for as busy as the mean of the others. */
    private static OptionalDouble flushedBytesPerSecond(List<ServerMemory> servers, double factor) {
        OptionalDouble mean = servers.stream()
                .filter(server -> server.load().uptimeMs() > 0)
                .flatMap(server -> server.flushes().ifKnown().map(counters -> perSecond(counters, server)).stream())
                .mapToDouble(Double::doubleValue)
                .average();
        return mean.isPresent() ? OptionalDouble.of(mean.getAsDouble() * servers.size() * factor) : mean;
    }

    private static double perSecond(FlushCounters counters, ServerMemory server) {
        return counters.flushedBytes() * SECOND_MS / server.load().uptimeMs();
    }

    private static Disk disk(HdfsSpace space, int servers, int added, Optional<Double> bytesPerDay) {
        int nodes = space.dataNodes()
                .ifKnown()
                .map(List::size)
                .filter(known -> known > 0)
                .orElse(Math.max(1, servers));
        long capacity = Math.round(space.capacityBytes() * (1 + (double) Math.max(-nodes, added) / nodes));
        long remaining = Math.max(0, space.remainingBytes() + capacity - space.capacityBytes());
        return new Disk(
                capacity,
                space.usedBytes(),
                remaining,
                bytesPerDay.map(OptionalDouble::of).orElseGet(OptionalDouble::empty),
                days(remaining, bytesPerDay),
                added == 0 ? firstFull(space.dataNodes(), bytesPerDay) : Optional.empty());
    }

    private static OptionalDouble days(double remaining, Optional<Double> bytesPerDay) {
        return bytesPerDay
                .filter(each -> each > 0)
                .map(each -> OptionalDouble.of(remaining / each))
                .orElseGet(OptionalDouble::empty);
    }

    /** Each gets as much of what is new: the NameNode does not go by how full they are. */
    private static Optional<FullNode> firstFull(ProbeResult<List<NodeSpace>> dataNodes, Optional<Double> bytesPerDay) {
        List<NodeSpace> nodes = dataNodes.ifKnown().orElse(List.of());
        return bytesPerDay.filter(each -> each > 0).flatMap(each -> nodes.stream()
                .min(Comparator.comparingLong(NodeSpace::remainingBytes).thenComparing(NodeSpace::host))
                .map(node -> new FullNode(node.host(), node.remainingBytes() / (each / nodes.size()))));
    }
}
