package io.hearth.operate.client;

import io.hearth.balancer.config.ServerCapacities;
import io.hearth.balancer.hbase.Names;
import io.hearth.web.config.PageConfig;
import io.hearth.web.hbase.Published;
import io.hearth.web.hbase.ReportSight;
import io.hearth.web.model.BalancerWord;
import io.hearth.web.model.DoctorWord;
import io.hearth.web.model.HealingWord;
import io.hearth.web.model.Page;
import io.hearth.web.model.PageMaker;
import io.hearth.web.model.Seen;
import io.hearth.web.model.SeenServer;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.apache.hadoop.hbase.ServerName;
import org.apache.hadoop.hbase.client.Admin;

/** The page of a cluster that has no Hearth in its master: what was seen last, without a memory. Stateless. */
public final class LivePage {

    private static final PageConfig ONLY_SHOWS = new PageConfig(true, false, 60_000);

    private LivePage() {}

    /** The page of what was seen last, and of what the doctor found. */
    public static Published of(LiveCluster cluster, DoctorWord doctor) throws IOException {
        try (Admin admin = cluster.connection().getAdmin()) {
            Page page = PageMaker.make(
                    new Seen(
                            System.currentTimeMillis(),
                            admin.getMaster().getAddress().toString(),
                            servers(cluster, Set.copyOf(admin.listDecommissionedRegionServers())),
                            cluster.engine().weights(),
                            new BalancerWord(
                                    false,
                                    admin.isBalancerEnabled(),
                                    cluster.config(),
                                    Optional.empty(),
                                    List.of(),
                                    List.of(),
                                    List.of(),
                                    List.of(),
                                    List.of()),
                            HealingWord.NONE,
                            doctor),
                    region -> List.of());
            return new Published(page, ONLY_SHOWS);
        }
    }

    private static List<SeenServer> servers(LiveCluster cluster, Set<ServerName> draining) {
        ServerCapacities capacities = cluster.capacities();
        ReportSight sight = new ReportSight();
        List<SeenServer> servers = new ArrayList<>();
        cluster.lastReports()
                .forEach((server, report) -> servers.add(new SeenServer(
                        Names.server(server),
                        "",
                        capacities.of(server.getHostname()),
                        sight.regions(report, cluster.engine().heat()),
                        draining.contains(server))));
        return servers;
    }
}
