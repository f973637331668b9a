// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.integration;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.hearth.testkit.embedded.EmbeddedCluster;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import javax.management.InstanceNotFoundException;
import javax.management.MBeanAttributeInfo;
import javax.management.MBeanServer;
import javax.management.ObjectName;
import org.apache.hadoop.hbase.ServerName;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.BalanceRequest;
import org.apache.hadoop.hbase.client.BalanceResponse;
import org.apache.hadoop.hbase.client.LogEntry;
import org.apache.hadoop.hbase.client.RegionInfo;
import org.apache.hadoop.hbase.client.RegionReplicaUtil;
import org.apache.hadoop.hbase.client.ServerType;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** What an operator of the stock balancer relies on, with Hearth's in its place. */
class StockBalancerContractIT {

    private static EmbeddedCluster.Builder cluster() {
        return EmbeddedCluster.builder()
                .hosts(4)
                .racks(2)
                .property("hbase.master.loadbalancer.class", "io.hearth.balancer.HearthLoadBalancer")
                // A busy machine's client asks for little.
                .property("hearth.balancer.min.requests.per.second", "1")
                .property("hearth.balancer.heat.min.observed.ms", "5000");
    }

    @Test
    void dryRunsDecommissionedServersDecisionsAndCostsOfTheSiteAreObeyed() throws Exception {
        try (EmbeddedCluster cluster = cluster()
                        .property("hbase.master.balancer.decision.buffer.enabled", "true")
                        .property("hbase.master.balancer.rejection.buffer.enabled", "true")
                        .property(
                                "hbase.master.balancer.stochastic.additionalCostFunctions",
                                CountingCostFunction.class.getName())
                        .shared();
                HotServerLoad hot = HotServerLoad.start(cluster, 24)) {
            Map<RegionInfo, ServerName> before = serverByRegion(cluster);
            await("a dry run plans, with balance_switch off")
                    .atMost(Duration.ofMinutes(2))
                    .pollInterval(Duration.ofSeconds(2))
                    .until(() ->
                            dryRun(cluster).isBalancerRan() && cluster.log().contains("Heat plan: "));
            assertThat(serverByRegion(cluster)).as("and moves nothing").isEqualTo(before);

            ServerName out = coldServer(cluster, hot);
            int regionsBefore = cluster.admin().getRegions(out).size();
            cluster.admin().decommissionRegionServers(List.of(out), false);
            cluster.admin().balancerSwitch(true, true);
            balanceUntilOn(cluster, hot, 3);

            assertThat(cluster.admin().getRegions(out))
                    .as("a decommissioned server gets no region")
                    .hasSizeLessThanOrEqualTo(regionsBefore);
            assertThat(hot.hotRegionsByServer()).doesNotContainKey(out);
            assertThat(CountingCostFunction.ASKED).hasPositiveValue();
            // HBase takes all its beans out of JMX and puts them back when a region has come or gone.
            await("stock's own costs and ours, with a plan of ours")
                    .ignoreException(InstanceNotFoundException.class)
                    .untilAsserted(() -> assertThat(costsInJmx())
                            .contains(
                                    "hbase:ensemble_Overall",
                                    "hbase:ensemble_RegionCountSkewCostFunction",
                                    "hbase:ensemble_HearthMaxOverMean_READS"));
            assertThat(decisions(cluster))
                    .contains("Hearth\\u0027s max/mean of reads: ")
                    .contains("table: hot , region: ");
        }
    }

    /** On one rack: with as many racks as replicas a region can only change places with its own replica. */
    @Test
    @Tag("soak")
    void replicasOfARegionStayOnDifferentHostsWhileHeatIsEvened() throws Exception {
        try (EmbeddedCluster cluster = cluster().racks(1).start();
                HotServerLoad hot = HotServerLoad.start(cluster, 24, 2)) {
            cluster.admin().balancerSwitch(true, true);
            balanceUntilOn(cluster, hot, 3);

            Map<RegionInfo, Set<String>> hosts = new TreeMap<>();
            Map<RegionInfo, Integer> replicas = new HashMap<>();
            serverByRegion(cluster).forEach((region, server) -> {
                RegionInfo primary = RegionReplicaUtil.getRegionInfoForDefaultReplica(region);
                hosts.computeIfAbsent(primary, first -> new HashSet<>()).add(server.getHostname());
                replicas.merge(primary, 1, Integer::sum);
            });
            hosts.forEach((primary, ofPrimary) ->
                    assertThat(ofPrimary).as("hosts of %s", primary).hasSize(replicas.get(primary)));
        }
    }

    /** With a region in transition, too, but only where that is asked for, as by the shell's {@code balancer 'force'}. */
    @Test
    @Tag("soak")
    void oneTableAtATimeIsEvenedToo() throws Exception {
        try (EmbeddedCluster cluster = cluster()
                        .property("hbase.master.loadbalance.bytable", "true")
                        .shared();
                HotServerLoad hot = HotServerLoad.start(cluster, 24);
                StuckRegionInTransition stuck = StuckRegionInTransition.of(cluster, TableName.NAMESPACE_TABLE_NAME)) {
            cluster.admin().balancerSwitch(true, true);
            balanceUntilOn(
                    cluster,
                    hot,
                    4,
                    BalanceRequest.newBuilder()
                            .setIgnoreRegionsInTransition(true)
                            .build());
            assertThat(cluster.log()).contains("Heat plan for hot:");
            assertThat(cluster.admin().balance(BalanceRequest.defaultInstance()).isBalancerRan())
                    .as("without force, while %s is in transition", stuck)
                    .isFalse();
        }
    }

    private static void balanceUntilOn(EmbeddedCluster cluster, HotServerLoad hot, int servers) {
        balanceUntilOn(cluster, hot, servers, BalanceRequest.defaultInstance());
    }

    private static void balanceUntilOn(
            EmbeddedCluster cluster, HotServerLoad hot, int servers, BalanceRequest request) {
        await("the hot regions are on " + servers + " servers")
                .atMost(Duration.ofMinutes(2))
                .pollInterval(Duration.ofSeconds(2))
                .until(() -> {
                    cluster.admin().balance(request);
                    return hot.hotRegionsByServer().size() >= servers;
                });
    }

    private static BalanceResponse dryRun(EmbeddedCluster cluster) throws IOException {
        return cluster.admin()
                .balance(BalanceRequest.newBuilder().setDryRun(true).build());
    }

    private static String decisions(EmbeddedCluster cluster) throws IOException {
        StringBuilder text = new StringBuilder();
        for (LogEntry entry :
                cluster.admin().getLogEntries(Set.of(), "BALANCER_DECISION", ServerType.MASTER, 100, null)) {
            text.append(entry.toJsonPrettyPrint()).append('\n');
        }
        return text.toString();
    }

    private static ServerName coldServer(EmbeddedCluster cluster, HotServerLoad hot) throws IOException {
        Set<ServerName> hotServerLoads = hot.hotRegionsByServer().keySet();
        return cluster.admin().getRegionServers().stream()
                .filter(server -> !hotServerLoads.contains(server))
                .findFirst()
                .orElseThrow();
    }

    private static Map<RegionInfo, ServerName> serverByRegion(EmbeddedCluster cluster) throws IOException {
        Map<RegionInfo, ServerName> all = new TreeMap<>();
        for (ServerName server : cluster.admin().getRegionServers()) {
            cluster.admin().getRegions(server).forEach(region -> all.put(region, server));
        }
        return all;
    }

    private static List<String> costsInJmx() throws Exception {
        // Under service=DataNode where the DataNodes of this JVM were the last to name the metrics system.
        MBeanServer server = ManagementFactory.getPlatformMBeanServer();
        List<String> names = new ArrayList<>();
        for (ObjectName balancer :
                server.queryNames(new ObjectName("Hadoop:service=*,name=Master,sub=Balancer"), null)) {
            for (MBeanAttributeInfo attribute : server.getMBeanInfo(balancer).getAttributes()) {
                names.add(attribute.getName());
            }
        }
        return names;
    }
}
