package io.hearth.web.hbase;

import io.hearth.balancer.config.BalancerConfig;
import io.hearth.balancer.config.ServerCapacities;
import io.hearth.balancer.cost.TableWeights;
import io.hearth.balancer.engine.BalanceEngine;
import io.hearth.balancer.hbase.ConfigurationSettings;
import io.hearth.balancer.hbase.MasterLinks;
import io.hearth.balancer.hbase.Names;
import io.hearth.balancer.heat.RegionHeat;
import io.hearth.balancer.heat.RegionHeats;
import io.hearth.web.model.BalancerWord;
import io.hearth.web.model.DoctorWord;
import io.hearth.web.model.Seen;
import io.hearth.web.model.SeenServer;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.ServerName;
import org.apache.hadoop.hbase.master.HMaster;
import org.apache.hadoop.hbase.master.RackManager;
import org.apache.hadoop.hbase.util.EnvironmentEdgeManager;

/** Looks at one master, its balancer and its healer. Asks nobody outside of the process but the rack resolver. One thread's. */
final class MasterSight {

    private static final RegionHeats NOBODY = region -> new RegionHeat.Unknown(RegionHeat.Reason.NEVER_REPORTED);

    private final HMaster master;
    private final Racks racks;
    private final HealingSight healing;

    MasterSight(HMaster master) {
        this.master = master;
        racks = new Racks(master.getConfiguration());
        healing = new HealingSight(master.getConfiguration());
    }

    boolean isOf(HMaster other) {
        return master == other;
    }

    Seen look(DoctorWord doctor) {
        Configuration conf = master.getConfiguration();
        long nowMs = EnvironmentEdgeManager.currentTime();
        Optional<BalanceEngine> engine = MasterLinks.engine(conf);
        return new Seen(
                nowMs,
                master.getServerName().getAddress().toString(),
                servers(conf),
                engine.map(BalanceEngine::weights).orElse(TableWeights.DEFAULTS),
                balancer(engine, conf, nowMs),
                healing.look(nowMs),
                doctor);
    }

    private List<SeenServer> servers(Configuration conf) {
        RegionHeats heats = MasterLinks.regionHeats(conf).orElse(NOBODY);
        ServerCapacities capacities = ServerCapacities.read("hbase-site.xml", new ConfigurationSettings(conf));
        ReportSight seen = new ReportSight();
        List<SeenServer> servers = new ArrayList<>();
        Set<ServerName> draining = Set.copyOf(master.getServerManager().getDrainingServersList());
        master.getServerManager()
                .getOnlineServers()
                .forEach((server, metrics) -> servers.add(new SeenServer(
                        Names.server(server),
                        racks.of(server),
                        capacities.of(server.getHostname()),
                        seen.regions(metrics, heats),
                        draining.contains(server))));
        return servers;
    }

    private BalancerWord balancer(Optional<BalanceEngine> engine, Configuration conf, long nowMs) {
        return new BalancerWord(
                engine.isPresent(),
                master.isBalancerOn(),
                BalancerConfig.read("hbase-site.xml", new ConfigurationSettings(conf), key -> true),
                engine.flatMap(known -> known.steering().adviseOnly()),
                engine.map(BalanceEngine::decisions).orElse(List.of()),
                engine.map(known -> known.steering().pinned(nowMs)).orElse(List.of()),
                engine.map(known -> known.steering().ledger()).orElse(List.of()),
                engine.map(known -> known.advice().newestFirst()).orElse(List.of()),
                engine.map(known -> known.advice().days()).orElse(List.of()));
    }

    /** Racks by host, each asked for once: a resolver may run a script. */
    private static final class Racks {

        private final RackManager resolver;
        private final Map<String, String> rackByHost = new TreeMap<>();

        Racks(Configuration conf) {
            resolver = new RackManager(conf);
        }

        String of(ServerName server) {
            return rackByHost.computeIfAbsent(server.getHostname(), host -> {
                String rack = resolver.getRack(server);
                return rack == null || rack.equals(RackManager.UNKNOWN_RACK) ? "" : rack;
            });
        }
    }
}
