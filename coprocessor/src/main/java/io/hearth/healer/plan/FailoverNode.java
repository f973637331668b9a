package io.hearth.healer.plan;

import io.hearth.healer.model.BlockReplicas;
import io.hearth.healer.model.DataNode;
import io.hearth.healer.model.DataNodeId;
import io.hearth.healer.model.FileRead;
import io.hearth.healer.model.Replica;
import io.hearth.healer.model.ServiceState;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;

/**
 * Where a region would best be opened if its server died: of the DataNodes in service on other hosts, the one that holds most
 * bytes of the region's files; the first by id among equals. It keeps what it holds where another can give, so that it stays
 * the best one from plan to plan.
 */
final class FailoverNode {

    private FailoverNode() {}

    static Optional<DataNodeId> of(PlanRequest request) {
        Map<DataNodeId, Long> bytesByNode = new HashMap<>();
        for (FileRead read : request.files().files()) {
            for (BlockReplicas block : read.file().blocks()) {
                for (Replica replica : block.replicas()) {
                    bytesByNode.merge(replica.node().id(), block.lengthBytes(), Long::sum);
                }
            }
        }
        return bytesByNode.entrySet().stream()
                .filter(entry -> isElsewhereAndInService(entry.getKey(), request))
                .max(Map.Entry.<DataNodeId, Long>comparingByValue()
                        .thenComparing(
                                Map.Entry.<DataNodeId, Long>comparingByKey().reversed()))
                .map(Map.Entry::getKey);
    }

    private static boolean isElsewhereAndInService(DataNodeId id, PlanRequest request) {
        DataNode node = request.nodes().byId().get(id);
        return node != null && node.state() == ServiceState.IN_SERVICE && !node.isOn(request.host());
    }
}
