package org.apache.hadoop.hdfs.server.datanode.fsdataset.impl;

import io.hearth.datanode.deletion.ReplicaId;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import org.apache.hadoop.hdfs.protocol.BlockListAsLongs;
import org.apache.hadoop.hdfs.protocol.BlockListAsLongs.BlockReportReplica;
import org.apache.hadoop.hdfs.server.protocol.DatanodeStorage;
import org.jspecify.annotations.NullMarked;

/** Block reports without some of their replicas. */
@NullMarked
final class BlockReports {

    private BlockReports() {}

    /** These reports of one block pool without those replicas; the very same where there are none. */
    static Map<DatanodeStorage, BlockListAsLongs> without(
            Set<ReplicaId> absent,
            String blockPool,
            Map<DatanodeStorage, BlockListAsLongs> reports,
            int maxMessageBytes) {
        if (absent.isEmpty()) {
            return reports;
        }
        Map<DatanodeStorage, BlockListAsLongs> rest = new HashMap<>();
        reports.forEach((storage, report) -> rest.put(storage, without(absent, blockPool, report, maxMessageBytes)));
        return rest;
    }

    private static BlockListAsLongs without(
            Set<ReplicaId> absent, String blockPool, BlockListAsLongs report, int maxMessageBytes) {
        BlockListAsLongs.Builder rest = BlockListAsLongs.builder(maxMessageBytes);
        for (BlockReportReplica replica : report) {
            if (!absent.contains(DatasetReplicas.idOf(blockPool, replica))) {
                rest.add(replica);
            }
        }
        return rest.build();
    }
}
