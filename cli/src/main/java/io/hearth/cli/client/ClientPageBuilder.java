// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.cli.client;

import io.hearth.balancer.config.ServerCapacities;
import io.hearth.balancer.hbase.HBaseNames;
import io.hearth.balancer.hbase.ReportedStateReader;
import io.hearth.balancer.state.ClusterState;
import io.hearth.balancer.state.ServerState;
import io.hearth.ui.config.UiSettings.UiConfig;
import io.hearth.ui.hbase.PublishedPage;
import io.hearth.ui.model.Page;
import io.hearth.ui.model.PageBuilder;
import io.hearth.ui.model.PageInput;
import io.hearth.ui.model.PageInput.BalancerStatus;
import io.hearth.ui.model.PageInput.DoctorReport;
import io.hearth.ui.model.PageInput.HealerStatus;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.apache.hadoop.hbase.ServerMetrics;
import org.apache.hadoop.hbase.ServerName;
import org.apache.hadoop.hbase.client.Admin;

/** The page of a cluster that has no Hearth in its master: what was seen last, without a memory. Stateless. */
public final class ClientPageBuilder {

    private static final UiConfig READ_ONLY = new UiConfig(true, false, 60_000);

    private ClientPageBuilder() {}

    /** The page of what was seen last, and of what the doctor found. */
    public static PublishedPage of(LiveCluster cluster, DoctorReport doctor) throws IOException {
        try (Admin admin = cluster.connection().getAdmin()) {
            long nowMs = System.currentTimeMillis();
            Page page = PageBuilder.build(
                    new PageInput(
                            new ClusterState(
                                    nowMs,
                                    "bin/hearth",
                                    ClusterState.UNKNOWN,
                                    servers(cluster, Set.copyOf(admin.listDecommissionedRegionServers()), nowMs)),
                            admin.getMaster().getAddress().toString(),
                            cluster.engine().weights(),
                            new BalancerStatus(
                                    false,
                                    admin.isBalancerEnabled(),
                                    cluster.config(),
                                    Optional.empty(),
                                    Optional.empty(),
                                    Optional.empty(),
                                    List.of(),
                                    List.of(),
                                    List.of(),
                                    List.of(),
                                    List.of(),
                                    List.of(),
                                    List.of()),
                            HealerStatus.NONE,
                            doctor),
                    region -> List.of());
            return new PublishedPage(page, READ_ONLY);
        }
    }

    private static List<ServerState> servers(LiveCluster cluster, Set<ServerName> draining, long nowMs)
            throws IOException {
        ServerCapacities capacities = cluster.capacities();
        ReportedStateReader reader = new ReportedStateReader(cluster.engine().view(nowMs), cluster::isCanary);
        List<ServerState> servers = new ArrayList<>();
        for (Map.Entry<ServerName, ServerMetrics> one : cluster.lastReports().entrySet()) {
            ServerName server = one.getKey();
            ServerState state = reader.read(
                    new ServerState(
                            HBaseNames.server(server), ServerState.UNKNOWN_RACK, capacities.of(server.getHostname())),
                    one.getValue());
            servers.add(draining.contains(server) ? state.beingDrained() : state);
        }
        return servers;
    }
}
