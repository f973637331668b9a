package io.hearth.healing.hdfs;

import io.hearth.healing.model.DataNode;
import io.hearth.healing.model.DataNodeId;
import io.hearth.healing.model.DataNodes;
import io.hearth.healing.model.ServiceState;
import java.util.Arrays;
import java.util.Collection;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalLong;
import java.util.concurrent.ConcurrentHashMap;
import org.apache.hadoop.hdfs.protocol.DatanodeInfo;

/**
 * Every DataNode that the NameNode has mentioned, as HDFS describes it: in a report or among the locations of a block.
 * Thread-safe.
 */
final class DataNodeBook {

    private final Map<DataNodeId, DatanodeInfo> infoById = new ConcurrentHashMap<>();

    /** Notes a DataNode among a block's locations, which say nothing of when it was last heard of. */
    DataNode note(DatanodeInfo info) {
        infoById.put(new DataNodeId(info.getDatanodeUuid()), info);
        return dataNode(info, false);
    }

    /**
     * Takes a whole report in. A DataNode is stale if its last heartbeat is so much older than the newest one in the report:
     * compared with the NameNode's own times, so that clocks need not agree.
     */
    DataNodes take(DatanodeInfo[] report, long staleMs) {
        long newestMs = Arrays.stream(report)
                .mapToLong(DatanodeInfo::getLastUpdate)
                .max()
                .orElse(0);
        return DataNodes.of(Arrays.stream(report)
                .map(info -> {
                    note(info);
                    return dataNode(info, newestMs - info.getLastUpdate() > staleMs);
                })
                .toList());
    }

    /** Every DataNode met so far, for a cluster that does not give reports to us. */
    DataNodes everyNodeMet() {
        return DataNodes.of(
                infoById.values().stream().map(info -> dataNode(info, false)).toList());
    }

    Optional<DatanodeInfo> info(DataNode node) {
        return Optional.ofNullable(infoById.get(node.id()));
    }

    /** HDFS's descriptions of these DataNodes; empty if one of them was never met. */
    Optional<Collection<DatanodeInfo>> infos(Collection<DataNode> nodes) {
        Collection<DatanodeInfo> infos =
                nodes.stream().flatMap(node -> info(node).stream()).toList();
        return infos.size() == nodes.size() ? Optional.of(infos) : Optional.empty();
    }

    private static DataNode dataNode(DatanodeInfo info, boolean stale) {
        ServiceState state =
                !info.isInService() ? ServiceState.LEAVING : stale ? ServiceState.STALE : ServiceState.IN_SERVICE;
        return new DataNode(
                new DataNodeId(info.getDatanodeUuid()),
                info.getHostName(),
                info.getIpAddr(),
                info.getNetworkLocation(),
                state,
                Optional.ofNullable(info.getUpgradeDomain()),
                usedShare(info),
                info.getCapacity() > 0 ? OptionalLong.of(info.getRemaining()) : OptionalLong.empty());
    }

    private static OptionalDouble usedShare(DatanodeInfo info) {
        return info.getCapacity() > 0
                ? OptionalDouble.of(Math.min(1.0, (double) info.getDfsUsed() / info.getCapacity()))
                : OptionalDouble.empty();
    }
}
