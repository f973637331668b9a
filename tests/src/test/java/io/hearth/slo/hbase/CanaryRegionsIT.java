// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.slo.hbase;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.hearth.slo.probe.ProbeSender.Answer;
import io.hearth.testkit.embedded.EmbeddedCluster;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import org.apache.hadoop.hbase.HRegionLocation;
import org.apache.hadoop.hbase.ServerName;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.AsyncConnection;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptorBuilder;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.ConnectionFactory;
import org.apache.hadoop.hbase.client.RegionInfo;
import org.apache.hadoop.hbase.client.RegionLocator;
import org.apache.hadoop.hbase.client.Table;
import org.apache.hadoop.hbase.client.TableDescriptorBuilder;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Canary regions in a cluster without Hearth in its master. */
@Tag("shared")
class CanaryRegionsIT {

    private static final TableName CANARY = TableName.valueOf("hearth_canary");
    private static final Duration PATIENCE = Duration.ofMinutes(2);

    private static EmbeddedCluster cluster() throws IOException {
        return EmbeddedCluster.builder().hosts(3).racks(1).shared();
    }

    /** How many canary regions each host has. */
    private static Map<String, Integer> regionsByHost(Connection connection) throws IOException {
        Map<String, Integer> regions = new TreeMap<>();
        try (RegionLocator locator = connection.getRegionLocator(CANARY)) {
            for (HRegionLocation location : locator.getAllRegionLocations()) {
                regions.merge(location.getHostname(), 1, Integer::sum);
            }
        }
        return regions;
    }

    @Test
    void eachServerHasOneAlsoAfterOneWasDrainedAndAnotherCame() throws Exception {
        try (EmbeddedCluster cluster = cluster()) {
            ServerName drained = cluster.regionServerOn("host3").orElseThrow();
            cluster.admin().decommissionRegionServers(List.of(drained), false);
            CanaryKeeper keeper = new CanaryKeeper(cluster.connection(), CANARY, "west");
            CanaryKeeper other = new CanaryKeeper(cluster.connection(), CANARY, "east");

            assertThat(keeper.step()).as("a new table has what it needs").isFalse();
            assertThat(regionsByHost(cluster.connection())).isEqualTo(Map.of("host1", 1, "host2", 1));
            assertThat(keeper.serversWithout()).isZero();

            cluster.admin().recommissionRegionServer(drained, List.of());
            assertThat(keeper.step()).as("one is split").isTrue();
            assertThat(other.step()).as("another daemon has no lease").isFalse();
            assertThat(other.serversWithout()).isOne();
            await("one region on each").atMost(PATIENCE).untilAsserted(() -> {
                keeper.step();
                assertThat(regionsByHost(cluster.connection())).isEqualTo(Map.of("host1", 1, "host2", 1, "host3", 1));
            });
            assertThat(keeper.step()).isFalse();
            assertThat(keeper.serversWithout()).isZero();
            assertThat(cluster.admin().getDescriptor(CANARY).getValue("HEARTH_CANARY"))
                    .isEqualTo("true");
        }
    }

    /** Somebody who moves a region away from where it was just moved is not a server that takes none. */
    @Test
    void aRegionThatIsMovedAwayAtOnceIsBroughtBack() throws Exception {
        try (EmbeddedCluster cluster = cluster()) {
            CanaryKeeper keeper = new CanaryKeeper(cluster.connection(), CANARY, "west");
            assertThat(keeper.step()).isFalse();
            for (int time = 1; time <= 2; time++) {
                move(cluster, "host1", "host2");
                assertThat(regionsByHost(cluster.connection())).isEqualTo(Map.of("host2", 2, "host3", 1));

                assertThat(keeper.step()).as("time %d", time).isTrue();

                assertThat(regionsByHost(cluster.connection()))
                        .as("time %d", time)
                        .isEqualTo(Map.of("host1", 1, "host2", 1, "host3", 1));
            }
        }
    }

    /** Moves the first of its regions; which that was. */
    private static RegionInfo move(EmbeddedCluster cluster, String from, String to) throws IOException {
        RegionInfo canary = cluster
                .admin()
                .getRegions(cluster.regionServerOn(from).orElseThrow())
                .stream()
                .filter(region -> region.getTable().equals(CANARY))
                .findFirst()
                .orElseThrow();
        cluster.admin()
                .move(canary.getEncodedNameAsBytes(), cluster.regionServerOn(to).orElseThrow());
        return canary;
    }

    @Test
    void aServerIsAskedAgainOnceItsRegionIsBack() throws Exception {
        try (EmbeddedCluster cluster = cluster();
                AsyncConnection connection = ConnectionFactory.createAsyncConnection(cluster.configuration())
                        .get()) {
            assertThat(new CanaryKeeper(cluster.connection(), CANARY, "west").step())
                    .isFalse();
            RegionServerProbes probes = new RegionServerProbes(connection, CANARY, List.of(), Duration.ofSeconds(30));
            String host1 =
                    RegionsByServer.target(cluster.regionServerOn("host1").orElseThrow());
            probes.refresh().get();
            assertThat(probes.put(host1).get()).isEqualTo(Answer.RIGHT);

            RegionInfo region = move(cluster, "host1", "host2");
            CompletableFuture<Answer> asked = probes.put(host1);
            await("it is noticed").atMost(PATIENCE).until(probes::isOutdated);
            probes.refresh().get();
            assertThat(asked.get()).isEqualTo(Answer.NOT_ON_TARGET);
            assertThat(probes.canaryServers()).doesNotContain(host1);

            cluster.admin()
                    .move(
                            region.getEncodedNameAsBytes(),
                            cluster.regionServerOn("host1").orElseThrow());
            await("it is asked").atMost(PATIENCE).untilAsserted(() -> {
                probes.refresh().get();
                assertThat(probes.put(host1).get()).isEqualTo(Answer.RIGHT);
            });
        }
    }

    @Test
    void oneDaemonHasTheLeaseUntilItDoesNotRenewIt() throws Exception {
        try (EmbeddedCluster cluster = cluster()) {
            CanaryTable.ensure(cluster.admin(), CANARY, 1);
            try (Table table = cluster.connection().getTable(CANARY)) {
                assertThat(CanaryLease.acquire(table, "west", 60_000)).isTrue();
                assertThat(CanaryLease.acquire(table, "east", 60_000)).isFalse();
                assertThat(CanaryLease.acquire(table, "west", 1_000)).isTrue();
                await("it runs out").atMost(PATIENCE).until(() -> CanaryLease.acquire(table, "east", 60_000));
                assertThat(CanaryLease.acquire(table, "west", 60_000)).isFalse();
            }
        }
    }

    @Test
    void aTableOfSomebodysOwnIsNeitherProbedNorChanged() throws Exception {
        try (EmbeddedCluster cluster = cluster()) {
            cluster.admin()
                    .createTable(TableDescriptorBuilder.newBuilder(CANARY)
                            .setColumnFamily(ColumnFamilyDescriptorBuilder.of("mine"))
                            .build());

            assertThatThrownBy(() -> new CanaryKeeper(cluster.connection(), CANARY, "west").step())
                    .isInstanceOf(IOException.class)
                    .hasMessage("the table hearth_canary is not a canary table: its descriptor has no HEARTH_CANARY ="
                            + " 'true'. Set hearth.slo.canary.table to a name that no other table has.");
        }
    }
}
