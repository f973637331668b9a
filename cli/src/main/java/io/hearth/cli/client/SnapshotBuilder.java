// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.cli.client;

import io.hearth.balancer.config.ServerCapacities;
import io.hearth.balancer.engine.ClusterStateBuilder;
import io.hearth.balancer.engine.RegionStateFactory;
import io.hearth.balancer.hbase.HBaseNames;
import io.hearth.balancer.hbase.ReportedStateReader;
import io.hearth.balancer.state.ClusterState;
import io.hearth.balancer.state.LocalBytes;
import io.hearth.balancer.state.ServerState;
import io.hearth.common.model.ServerId;
import java.io.IOException;
import java.util.Map;
import org.apache.hadoop.hbase.ServerMetrics;
import org.apache.hadoop.hbase.ServerName;

/** Makes a snapshot of what servers have reported, as the master would plan on it. */
final class SnapshotBuilder {

    private SnapshotBuilder() {}

    /**
     * The snapshot of these servers.
     *
     * @param reports of every server that may serve regions, the last ones
     * @param blocksByRegion where the bytes are, by encoded name; a region that is missing is unknown
     */
    static ClusterState snapshot(
            Map<ServerName, ServerMetrics> reports,
            ServerCapacities capacities,
            RegionStateFactory view,
            Map<String, LocalBytes> blocksByRegion)
            throws IOException {
        ReportedStateReader reader = new ReportedStateReader(
                view, region -> blocksByRegion.getOrDefault(region.encodedName(), LocalBytes.UNKNOWN));
        ClusterStateBuilder states = new ClusterStateBuilder();
        for (Map.Entry<ServerName, ServerMetrics> entry : reports.entrySet()) {
            ServerId id = HBaseNames.server(entry.getKey());
            ServerState server = new ServerState(id, ServerState.UNKNOWN_RACK, capacities.of(id.host()));
            states.add(server);
            reader.read(server, entry.getValue()).regions().forEach(region -> states.add(id, region));
        }
        return states.all();
    }
}
