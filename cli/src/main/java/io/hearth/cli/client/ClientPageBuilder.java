// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.cli.client;

import io.hearth.balancer.config.ServerCapacities;
import io.hearth.balancer.hbase.HBaseNames;
import io.hearth.ui.config.UiSettings.UiConfig;
import io.hearth.ui.hbase.PublishedPage;
import io.hearth.ui.hbase.RegionStatusReader;
import io.hearth.ui.model.BalancerStatus;
import io.hearth.ui.model.DoctorReport;
import io.hearth.ui.model.HealerStatus;
import io.hearth.ui.model.Page;
import io.hearth.ui.model.PageBuilder;
import io.hearth.ui.model.PageInput;
import io.hearth.ui.model.ServerStatus;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.apache.hadoop.hbase.ServerName;
import org.apache.hadoop.hbase.client.Admin;

/** The page of a cluster that has no Hearth in its master: what was seen last, without a memory. Stateless. */
public final class ClientPageBuilder {

    private static final UiConfig READ_ONLY = new UiConfig(true, false, 60_000);

    private ClientPageBuilder() {}

    /** The page of what was seen last, and of what the doctor found. */
    public static PublishedPage of(LiveCluster cluster, DoctorReport doctor) throws IOException {
        try (Admin admin = cluster.connection().getAdmin()) {
            Page page = PageBuilder.build(
                    new PageInput(
                            System.currentTimeMillis(),
                            admin.getMaster().getAddress().toString(),
                            servers(cluster, Set.copyOf(admin.listDecommissionedRegionServers())),
                            cluster.engine().weights(),
                            new BalancerStatus(
                                    false,
                                    admin.isBalancerEnabled(),
                                    cluster.config(),
                                    Optional.empty(),
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

    private static List<ServerStatus> servers(LiveCluster cluster, Set<ServerName> draining) {
        ServerCapacities capacities = cluster.capacities();
        RegionStatusReader reader = new RegionStatusReader();
        List<ServerStatus> servers = new ArrayList<>();
        cluster.lastReports()
                .forEach((server, report) -> servers.add(new ServerStatus(
                        HBaseNames.server(server),
                        "",
                        capacities.of(server.getHostname()),
                        reader.regions(report, cluster.engine().heat()),
                        draining.contains(server))));
        return servers;
    }
}
