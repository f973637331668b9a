// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.ui.hbase;

import io.hearth.balancer.config.BalancerConfig;
import io.hearth.balancer.config.ServerCapacities;
import io.hearth.balancer.cost.TableWeights;
import io.hearth.balancer.engine.BalanceEngine;
import io.hearth.balancer.hbase.HBaseNames;
import io.hearth.balancer.hbase.MasterComponentRegistry;
import io.hearth.balancer.heat.RegionHeat;
import io.hearth.balancer.heat.RegionHeats;
import io.hearth.common.hadoop.ConfigurationSettings;
import io.hearth.ui.model.BalancerStatus;
import io.hearth.ui.model.DoctorReport;
import io.hearth.ui.model.PageInput;
import io.hearth.ui.model.ServerStatus;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.ServerMetrics;
import org.apache.hadoop.hbase.ServerName;
import org.apache.hadoop.hbase.master.HMaster;
import org.apache.hadoop.hbase.master.RackManager;
import org.apache.hadoop.hbase.util.EnvironmentEdgeManager;

/** Looks at one master, its balancer and its healer. Asks nobody outside of the process but the rack resolver. One thread's. */
final class MasterStateCollector {

    private static final RegionHeats NO_HEATS = region -> new RegionHeat.Unknown(RegionHeat.Reason.NEVER_REPORTED);

    private final HMaster master;
    private final Racks racks;
    private final HealerStatusCollector healing;

    MasterStateCollector(HMaster master) {
        this.master = master;
        racks = new Racks(master.getConfiguration());
        healing = new HealerStatusCollector(master.getConfiguration());
    }

    boolean isOf(HMaster other) {
        return master == other;
    }

    PageInput look(DoctorReport doctor) {
        Configuration conf = master.getConfiguration();
        long nowMs = EnvironmentEdgeManager.currentTime();
        Optional<BalanceEngine> engine = MasterComponentRegistry.engine(conf);
        return new PageInput(
                nowMs,
                master.getServerName().getAddress().toString(),
                servers(conf),
                engine.map(BalanceEngine::weights).orElse(TableWeights.DEFAULTS),
                balancer(engine, conf, nowMs),
                healing.look(nowMs),
                doctor);
    }

    private List<ServerStatus> servers(Configuration conf) {
        RegionHeats heats = MasterComponentRegistry.regionHeats(conf).orElse(NO_HEATS);
        ServerCapacities capacities = ServerCapacities.read("hbase-site.xml", new ConfigurationSettings(conf));
        RegionStatusReader input = new RegionStatusReader();
        List<ServerStatus> servers = new ArrayList<>();
        Set<ServerName> draining = Set.copyOf(master.getServerManager().getDrainingServersList());
        Map<ServerName, ServerMetrics> online = master.getServerManager().getOnlineServers();
        racks.retainOnly(online.keySet());
        online.forEach((server, metrics) -> servers.add(new ServerStatus(
                HBaseNames.server(server),
                racks.of(server),
                capacities.of(server.getHostname()),
                input.regions(metrics, heats),
                draining.contains(server))));
        return servers;
    }

    private BalancerStatus balancer(Optional<BalanceEngine> engine, Configuration conf, long nowMs) {
        return new BalancerStatus(
                engine.isPresent(),
                master.isBalancerOn(),
                BalancerConfig.read("hbase-site.xml", new ConfigurationSettings(conf), key -> true),
                engine.flatMap(known -> known.tracker().adviseOnly()),
                engine.map(BalanceEngine::excludedNow).orElse(List.of()),
                engine.map(BalanceEngine::decisions).orElse(List.of()),
                engine.map(known -> known.tracker().pinned(nowMs)).orElse(List.of()),
                engine.map(known -> known.tracker().predictionLog()).orElse(List.of()),
                engine.map(known -> known.advice().newestFirst()).orElse(List.of()),
                engine.map(known -> known.advice().days()).orElse(List.of()));
    }

    /** Racks by host, each asked for once for as long as it has a server: a resolver may run a script. */
    private static final class Racks {

        private final RackManager resolver;
        private final Map<String, String> rackByHost = new TreeMap<>();

        Racks(Configuration conf) {
            resolver = new RackManager(conf);
        }

        void retainOnly(Set<ServerName> servers) {
            rackByHost
                    .keySet()
                    .retainAll(servers.stream().map(ServerName::getHostname).collect(Collectors.toSet()));
        }

        String of(ServerName server) {
            return rackByHost.computeIfAbsent(server.getHostname(), host -> {
                String rack = resolver.getRack(server);
                return rack == null || rack.equals(RackManager.UNKNOWN_RACK) ? "" : rack;
            });
        }
    }
}
