// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.healer.hdfs;

import io.hearth.common.log.PrintableName;
import io.hearth.healer.model.DataNode;
import io.hearth.healer.model.DataNode.ServiceState;
import io.hearth.healer.model.DataNode.Volume;
import io.hearth.healer.model.DataNodes;
import java.util.Arrays;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalLong;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.LongSupplier;
import java.util.stream.Collectors;
import org.apache.hadoop.hdfs.protocol.DatanodeInfo;
import org.apache.hadoop.hdfs.server.protocol.DatanodeStorage;
import org.apache.hadoop.hdfs.server.protocol.DatanodeStorageReport;

/**
 * Every DataNode that the NameNode has mentioned, as HDFS describes it: in a report or among the locations of a block. One of which nothing
 * was heard on {@value #FORGET_DAYS} days on which others were mentioned is forgotten; days on which nobody asks don't count, since where no
 * report is to be had a quiet week would end with an empty book. Thread-safe.
 */
final class DataNodeCache {

    static final int FORGET_DAYS = 7;
    private static final long DAY_MS = 86_400_000;

    /**
     * @param onDay the last day on which it was mentioned
     * @param atMs when it was
     * @param metIn the path of the file among whose locations it was; empty if it was in a report
     */
    private record CachedNode(DatanodeInfo info, long onDay, long atMs, Optional<String> metIn) {}

    private final LongSupplier clockMs;
    private final Map<DataNode.Id, CachedNode> nodeById = new ConcurrentHashMap<>();
    /** A DataNode that was formatted anew comes back to its place under another id. */
    private final Map<String, DataNode.Id> lastByAddress = new ConcurrentHashMap<>();

    private long day;
    private long dayBeganMs;

    /** @param clockMs a clock that does not go back */
    DataNodeCache(LongSupplier clockMs) {
        this.clockMs = clockMs;
        this.dayBeganMs = clockMs.getAsLong();
    }

    /** Notes a DataNode among the locations of a block of this file, which say nothing of when it was last heard of. */
    DataNode note(DatanodeInfo info, String path) {
        return note(info, Optional.of(path));
    }

    private DataNode note(DatanodeInfo info, Optional<String> metIn) {
        DataNode.Id id = new DataNode.Id(info.getDatanodeUuid());
        nodeById.put(id, new CachedNode(info, today(), clockMs.getAsLong(), metIn));
        lastByAddress.put(address(info), id);
        return dataNode(info, false, List.of());
    }

    /**
     * Takes a whole report in. A DataNode is stale if its last heartbeat is so much older than the newest one in the report:
     * compared with the NameNode's own times, so that clocks need not agree.
     */
    DataNodes take(DatanodeStorageReport[] report, long staleMs) {
        long newestMs = Arrays.stream(report)
                .mapToLong(node -> node.getDatanodeInfo().getLastUpdate())
                .max()
                .orElse(0);
        return DataNodes.of(Arrays.stream(report)
                .map(node -> {
                    DatanodeInfo info = node.getDatanodeInfo();
                    note(info, Optional.empty());
                    return dataNode(info, newestMs - info.getLastUpdate() > staleMs, volumes(node));
                })
                .toList());
    }

    /** Every DataNode met so far, of each place the last one, for a cluster that does not give reports to us. */
    DataNodes allNodes() {
        long nowMs = clockMs.getAsLong();
        return DataNodes.met(lastByAddress.values().stream()
                .distinct()
                .flatMap(id -> Optional.ofNullable(nodeById.get(id)).stream())
                .collect(Collectors.toMap(
                        cached -> dataNode(cached.info(), false, List.of()),
                        cached -> Math.max(0, nowMs - cached.atMs()))));
    }

    /** The file in which this DataNode was met last. */
    Optional<String> metIn(DataNode node) {
        return Optional.ofNullable(nodeById.get(node.id())).flatMap(CachedNode::metIn);
    }

    Optional<DatanodeInfo> info(DataNode node) {
        return Optional.ofNullable(nodeById.get(node.id())).map(CachedNode::info);
    }

    /** HDFS's descriptions of these DataNodes; empty if one of them was never met. */
    Optional<Collection<DatanodeInfo>> infos(Collection<DataNode> nodes) {
        Collection<DatanodeInfo> infos =
                nodes.stream().flatMap(node -> info(node).stream()).toList();
        return infos.size() == nodes.size() ? Optional.of(infos) : Optional.empty();
    }

    /** The number of the days on which somebody was mentioned; with each new one some are forgotten. */
    private synchronized long today() {
        long nowMs = clockMs.getAsLong();
        if (nowMs - dayBeganMs >= DAY_MS) {
            day++;
            dayBeganMs = nowMs;
            nodeById.values().removeIf(cached -> day - cached.onDay() > FORGET_DAYS);
            lastByAddress.values().removeIf(id -> !nodeById.containsKey(id));
        }
        return day;
    }

    /** The host and the port for data. */
    static String address(DatanodeInfo info) {
        return info.getHostName() + ":" + info.getXferPort();
    }

    private static DataNode dataNode(DatanodeInfo info, boolean stale, List<Volume> volumes) {
        ServiceState state = !info.isInService()
                ? ServiceState.NOT_IN_SERVICE
                : stale ? ServiceState.STALE : ServiceState.IN_SERVICE;
        return new DataNode(
                new DataNode.Id(info.getDatanodeUuid()),
                PrintableName.of(info.getHostName()),
                info.getIpAddr(),
                PrintableName.of(info.getNetworkLocation()),
                state,
                Optional.ofNullable(info.getUpgradeDomain()),
                usedShare(info),
                info.getCapacity() > 0 ? OptionalLong.of(info.getRemaining()) : OptionalLong.empty(),
                info.getCapacity() > 0 ? OptionalLong.of(info.getCapacity()) : OptionalLong.empty(),
                volumes);
    }

    private static List<Volume> volumes(DatanodeStorageReport node) {
        return Arrays.stream(node.getStorageReports())
                .map(report -> new Volume(
                        report.getStorage().getStorageID(),
                        StoragePolicies.storageType(report.getStorage().getStorageType()),
                        !report.isFailed() && report.getStorage().getState() == DatanodeStorage.State.NORMAL,
                        report.getCapacity(),
                        report.getDfsUsed(),
                        report.getRemaining()))
                .toList();
    }

    private static OptionalDouble usedShare(DatanodeInfo info) {
        return info.getCapacity() > 0
                ? OptionalDouble.of(Math.min(1.0, (double) info.getDfsUsed() / info.getCapacity()))
                : OptionalDouble.empty();
    }
}
