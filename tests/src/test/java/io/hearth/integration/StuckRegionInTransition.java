// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.integration;

import io.hearth.testkit.embedded.EmbeddedCluster;
import java.io.IOException;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.RegionInfo;
import org.apache.hadoop.hbase.master.assignment.RegionStateNode;
import org.apache.hadoop.hbase.master.assignment.TransitRegionStateProcedure;
import org.apache.hadoop.hbase.master.procedure.MasterProcedureEnv;

/** A region that the master holds to be in transition until this is closed, though it is served: its procedure never runs. */
final class StuckRegionInTransition implements AutoCloseable {

    private final RegionStateNode node;
    private final TransitRegionStateProcedure procedure;

    private StuckRegionInTransition(RegionStateNode node, TransitRegionStateProcedure procedure) {
        this.node = node;
        this.procedure = procedure;
    }

    /** The first region of this table. */
    static StuckRegionInTransition of(EmbeddedCluster cluster, TableName table) throws IOException {
        RegionInfo region = cluster.admin().getRegions(table).get(0);
        MasterProcedureEnv env = cluster.master().getMasterProcedureExecutor().getEnvironment();
        RegionStateNode node =
                cluster.master().getAssignmentManager().getRegionStates().getRegionStateNode(region);
        TransitRegionStateProcedure procedure = TransitRegionStateProcedure.unassign(env, region);
        node.lock();
        try {
            node.setProcedure(procedure);
        } finally {
            node.unlock();
        }
        return new StuckRegionInTransition(node, procedure);
    }

    @Override
    public void close() {
        node.lock();
        try {
            node.unsetProcedure(procedure);
        } finally {
            node.unlock();
        }
    }

    @Override
    public String toString() {
        return node.toString();
    }
}
