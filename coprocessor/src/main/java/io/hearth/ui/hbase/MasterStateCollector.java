// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.ui.hbase;

import io.hearth.balancer.config.BalancerConfig;
import io.hearth.balancer.config.ServerCapacities;
import io.hearth.balancer.config.SloSettings;
import io.hearth.balancer.config.TableWeights;
import io.hearth.balancer.engine.BalanceEngine;
import io.hearth.balancer.engine.ClusterStateBuilder;
import io.hearth.balancer.hbase.CanaryTable;
import io.hearth.balancer.hbase.HBaseNames;
import io.hearth.balancer.hbase.MasterComponentRegistry;
import io.hearth.balancer.hbase.ReportedStateReader;
import io.hearth.balancer.state.ClusterState;
import io.hearth.balancer.state.ServerState;
import io.hearth.common.config.SettingsReader;
import io.hearth.common.hadoop.ConfigurationSettings;
import io.hearth.ui.model.PageInput;
import io.hearth.ui.model.PageInput.BalancerStatus;
import io.hearth.ui.model.PageInput.DoctorReport;
import java.io.IOException;
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
import org.apache.hadoop.hbase.util.VersionInfo;

/** Reads the state of one master, its balancer and its healer. Asks nobody outside of the process but the rack resolver. One thread's. */
final class MasterStateCollector {

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

    PageInput collect(DoctorReport doctor) throws IOException {
        Configuration conf = master.getConfiguration();
        long nowMs = EnvironmentEdgeManager.currentTime();
        Optional<BalanceEngine> engine = MasterComponentRegistry.engine(conf);
        ClusterStateBuilder view = engine.map(known -> known.view(nowMs)).orElseGet(ClusterStateBuilder::new);
        return new PageInput(
                new ClusterState(nowMs, "the master", VersionInfo.getVersion(), servers(conf, view)),
                master.getServerName().getAddress().toString(),
                engine.map(BalanceEngine::weights).orElse(TableWeights.DEFAULTS),
                balancer(engine, conf, nowMs),
                healing.collect(nowMs),
                doctor);
    }

    private List<ServerState> servers(Configuration conf, ClusterStateBuilder view) throws IOException {
        ServerCapacities capacities = ServerCapacities.read("hbase-site.xml", new ConfigurationSettings(conf));
        CanaryTable canaries = new CanaryTable(
                new SettingsReader("hbase-site.xml", new ConfigurationSettings(conf)).read(SloSettings.CANARY_TABLE),
                table -> Optional.ofNullable(master.getTableDescriptors().get(table)));
        ReportedStateReader reader = new ReportedStateReader(view, canaries);
        List<ServerState> servers = new ArrayList<>();
        Set<ServerName> draining = Set.copyOf(master.getServerManager().getDrainingServersList());
        Map<ServerName, ServerMetrics> online = master.getServerManager().getOnlineServers();
        racks.retainOnly(online.keySet());
        for (Map.Entry<ServerName, ServerMetrics> one : online.entrySet()) {
            ServerName server = one.getKey();
            ServerState state = reader.read(
                    new ServerState(HBaseNames.server(server), racks.of(server), capacities.of(server.getHostname())),
                    one.getValue());
            servers.add(draining.contains(server) ? state.beingDrained() : state);
        }
        return servers;
    }

    private BalancerStatus balancer(Optional<BalanceEngine> engine, Configuration conf, long nowMs) {
        Optional<String> whyResting = MasterComponentRegistry.whyBalancerRests(conf);
        return new BalancerStatus(
                engine.isPresent() || whyResting.isPresent(),
                master.isBalancerOn(),
                BalancerConfig.read("hbase-site.xml", new ConfigurationSettings(conf), key -> true),
                whyResting.or(() -> engine.flatMap(known -> known.tracker().adviseOnly())),
                engine.filter(known -> !known.tracker().stockActsAlone())
                        .flatMap(known -> MasterComponentRegistry.brake(conf, System.nanoTime() / 1_000_000)),
                engine.flatMap(BalanceEngine::canaries),
                engine.map(BalanceEngine::excludedNow).orElse(List.of()),
                engine.map(BalanceEngine::decisions).orElse(List.of()),
                engine.map(BalanceEngine::rejectedStockMoves).orElse(List.of()),
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
