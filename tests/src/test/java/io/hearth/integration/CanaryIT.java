// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.integration;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.hearth.admin.rpc.HearthAdminClient;
import io.hearth.balancer.hbase.BalancerMetrics;
import io.hearth.healer.hbase.HealingMetricRegistry;
import io.hearth.testkit.embedded.EmbeddedCluster;
import io.hearth.ui.hbase.ApiResponse;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.apache.hadoop.hbase.HRegionLocation;
import org.apache.hadoop.hbase.ServerName;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.BalanceRequest;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptorBuilder;
import org.apache.hadoop.hbase.client.TableDescriptorBuilder;
import org.apache.hadoop.hbase.util.Bytes;
import org.apache.hbase.thirdparty.com.google.gson.JsonArray;
import org.apache.hbase.thirdparty.com.google.gson.JsonObject;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Canary regions and the brake in a real master: what an SLO watch needs of it. */
@Tag("shared")
class CanaryIT {

    private static final Duration PATIENCE = Duration.ofMinutes(2);
    private static final TableName CANARY = TableName.valueOf("hearth_canary");
    private static final int SERVERS = 4;

    @Test
    void eachServerHasOneCanaryAfterACrashAndAJoinAndTheBrakeHoldsEverythingElse() throws Exception {
        try (EmbeddedCluster cluster = EmbeddedCluster.builder()
                .hosts(SERVERS)
                .racks(2)
                .withHearth()
                .property("hearth.slo.brake", "true")
                // Only to make time pass faster.
                .property("hearth.heal.poll.ms", "500")
                .property("hearth.heal.region.stable.ms", "1000")
                .shared()) {
            LocalityTable table = LocalityTable.load(cluster);
            createCanaryTable(cluster);
            assertThat(canariesByServer(cluster)).as("when it is created").hasSize(SERVERS);
            cluster.admin().balancerSwitch(true, true);

            String host = table.locations().get(0).getHostname();
            cluster.killRegionServer(host);
            await("the regions of the dead server are served elsewhere")
                    .atMost(PATIENCE)
                    .until(() -> table.isServed() && areSpread(cluster, SERVERS - 1));

            assertThat(brake(cluster, 60).body())
                    .isEqualTo("{\"braked\":true,\"done\":\"Healing and balancing rest: the SLO watch brakes: it"
                            + " (fast burn of gets).\",\"why\":\"the SLO watch brakes: it (fast burn of gets)\"}");
            cluster.startRegionServer(host);
            await("the server that joins has one canary, and no other region: the rest is braked")
                    .atMost(PATIENCE)
                    .pollInterval(Duration.ofSeconds(2))
                    .until(() -> {
                        brake(cluster, 60);
                        cluster.admin().balance(BalanceRequest.defaultInstance());
                        return areSpread(cluster, SERVERS);
                    });
            assertThat(regionsOn(cluster, host)).isEqualTo(1);
            healingRests(cluster, table);

            brake(cluster, 1);
            await("the lease has run out: that server is given regions, and what is remote is healed")
                    .atMost(PATIENCE)
                    .pollInterval(Duration.ofSeconds(2))
                    .until(() -> {
                        cluster.admin().balance(BalanceRequest.defaultInstance());
                        return regionsOn(cluster, host) > 1 && table.isServed() && table.localShare() == 1;
                    });
            assertThat(canariesByServer(cluster).values())
                    .as("no plan has moved one away")
                    .hasSize(SERVERS)
                    .allMatch(count -> count == 1);
            assertThat(gauge("serversWithoutCanary")).isZero();
            assertThat(cluster.log())
                    .containsOnlyOnce("Healing and balancing rest, as ")
                    .contains("Healing starts no moves: the SLO watch brakes: it (fast burn of gets).")
                    .contains("Balancing rests, but for canary regions and regions without a server: the SLO watch"
                            + " brakes: it (fast burn of gets).")
                    .contains("Balancing goes on: it is not braked any more.");
            watchesTellOfADataNode(cluster, host);
            assertThat(cluster.master().isAborted()).isFalse();
        }
    }

    /** Two that can't write to it are believed until they have ended. */
    private static void watchesTellOfADataNode(EmbeddedCluster cluster, String host) throws IOException {
        for (String instance : List.of("it", "another")) {
            JsonObject seen = new JsonObject();
            seen.addProperty("host", host);
            seen.addProperty("operation", "write");
            seen.addProperty("outcome", "FAILED");
            seen.addProperty("agoMs", 0);
            JsonArray dataNodes = new JsonArray();
            dataNodes.add(seen);
            assertThat(HearthAdminClient.reportDataNodes(cluster.admin(), instance, 60, dataNodes))
                    .contains(ApiResponse.json(
                            200, "{\"taken\":1,\"done\":\"1 observations of DataNodes are taken in.\"}"));
        }
        await("healing avoids it").atMost(PATIENCE).untilAsserted(() -> assertThat(cluster.log())
                .contains("The DataNode on " + host + " is suspect: it does not serve writes of probes"
                        + " (seen by the SLO watch another, the SLO watch it)."));
        for (String instance : List.of("it", "another")) {
            assertThat(HearthAdminClient.reportDataNodes(cluster.admin(), instance, 0, new JsonArray()))
                    .isPresent();
        }
        await("nothing speaks against it any more").atMost(PATIENCE).untilAsserted(() -> assertThat(cluster.log())
                .contains("The DataNode on " + host + " is probing"));
    }

    private static void healingRests(EmbeddedCluster cluster, LocalityTable table) throws Exception {
        await().atMost(PATIENCE).until(() -> RegisteredMetrics.gauge(HealingMetricRegistry.INFO, "braked") == 1);
        long plannedBefore = RegisteredMetrics.counter(HealingMetricRegistry.INFO, "blocksPlanned");
        HRegionLocation moved = table.locations().get(0);
        ServerName remote = table.leastLocalServer(moved.getRegion());
        cluster.admin().move(moved.getRegion().getEncodedNameAsBytes(), remote);
        long pollsBefore = RegisteredMetrics.counter(HealingMetricRegistry.INFO, "polls");
        await("healing has seen it for longer than it waits for a region to be stable")
                .atMost(PATIENCE)
                .until(() -> {
                    brake(cluster, 60);
                    return RegisteredMetrics.counter(HealingMetricRegistry.INFO, "polls") >= pollsBefore + 10;
                });
        assertThat(table.localShare()).isLessThan(1);
        assertThat(RegisteredMetrics.counter(HealingMetricRegistry.INFO, "blocksPlanned"))
                .isEqualTo(plannedBefore);
        assertThat(gauge("braked")).isEqualTo(1);
    }

    private static long gauge(String name) {
        return RegisteredMetrics.gauge(BalancerMetrics.INFO, name);
    }

    private static ApiResponse brake(EmbeddedCluster cluster, int seconds) throws IOException {
        return HearthAdminClient.brake(cluster.admin(), "it", "fast burn of gets", seconds)
                .orElseThrow();
    }

    private static void createCanaryTable(EmbeddedCluster cluster) throws IOException {
        cluster.admin()
                .createTable(
                        TableDescriptorBuilder.newBuilder(CANARY)
                                .setColumnFamily(ColumnFamilyDescriptorBuilder.of("f"))
                                .setValue("HEARTH_CANARY", "true")
                                .build(),
                        Bytes.toBytes("a"),
                        Bytes.toBytes("z"),
                        SERVERS);
    }

    private static Map<ServerName, Integer> canariesByServer(EmbeddedCluster cluster) throws IOException {
        Map<ServerName, Integer> count = new TreeMap<>();
        for (ServerName server : cluster.admin().getRegionServers()) {
            int regions = (int) cluster.admin().getRegions(server).stream()
                    .filter(region -> region.getTable().equals(CANARY))
                    .count();
            if (regions > 0) {
                count.put(server, regions);
            }
        }
        return count;
    }

    /** Whether all canary regions are open, on so many servers. */
    private static boolean areSpread(EmbeddedCluster cluster, int servers) throws IOException {
        Map<ServerName, Integer> count = canariesByServer(cluster);
        return count.size() == servers
                && count.values().stream().mapToInt(Integer::intValue).sum() == SERVERS;
    }

    private static int regionsOn(EmbeddedCluster cluster, String host) throws IOException {
        return cluster.admin()
                .getRegions(cluster.regionServerOn(host).orElseThrow())
                .size();
    }
}
