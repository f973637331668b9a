// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.integration;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.hearth.balancer.hbase.BalancerMetrics;
import io.hearth.testkit.embedded.EmbeddedCluster;
import java.time.Duration;
import java.util.Map;
import java.util.Set;
import org.apache.hadoop.hbase.HRegionLocation;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptorBuilder;
import org.apache.hadoop.hbase.client.RegionInfo;
import org.apache.hadoop.hbase.client.TableDescriptorBuilder;
import org.apache.hadoop.hbase.master.balancer.LocalityCacheInspector;
import org.apache.hadoop.hbase.util.Bytes;
import org.junit.jupiter.api.Test;

/** Where the regions of a killed RegionServer land in a real master, according to the NameNode, with no healer to help. */
class PlacementIT {

    private static final Duration PATIENCE = Duration.ofMinutes(2);

    @Test
    void regionsOfADeadServerLandWhereTheirBlocksAreAndNobodyGetsMoreHeatThanTheCap() throws Exception {
        try (EmbeddedCluster cluster = EmbeddedCluster.builder()
                        .property("hbase.master.loadbalancer.class", "io.hearth.balancer.HearthLoadBalancer")
                        // Only to make time pass faster.
                        .property("hearth.balancer.heat.min.observed.ms", "3000")
                        .start();
                UniformReadLoad table = UniformReadLoad.start(cluster)) {
            awaitTheBalancerKnows(cluster, table);
            long placedBefore = RegisteredMetrics.counter(BalancerMetrics.INFO, "regionsPlaced");

            Landing ours = kill(cluster, table);
            System.out.println("Placed for their bytes: " + ours);
            assertThat(RegisteredMetrics.counter(BalancerMetrics.INFO, "regionsPlaced") - placedBefore)
                    .isEqualTo(ours.regions());

            cluster.master().getConfiguration().set("hearth.balancer.placement.enabled", "false");
            cluster.admin().updateConfiguration(cluster.master().getServerName());
            Landing stock = kill(cluster, table);
            System.out.println("Placed by the stock balancer: " + stock);

            assertThat(ours.localShare()).as("%s", ours).isGreaterThanOrEqualTo(1.5 * ours.shareByLot());
            assertThat(ours.localShare()).as("%s against %s", ours, stock).isGreaterThan(stock.localShare());
            assertThat(ours.hottestOverFairShare()).as("%s", ours).isLessThanOrEqualTo(1.25);
            noRegionIsSentTwiceToAServerOnWhichItDidNotOpen(cluster);
            assertThat(RegisteredMetrics.counter(BalancerMetrics.INFO, "placementFailures"))
                    .isZero();
            assertThat(cluster.master().isAborted()).isFalse();
        }
    }

    /** Kills the first server that serves regions of the table, and looks where they land. */
    private static Landing kill(EmbeddedCluster cluster, UniformReadLoad table) throws Exception {
        String host = table.locations().get(0).getHostname();
        Set<RegionInfo> homeless = table.regionsOn(host);
        cluster.killRegionServer(host);
        await().atMost(PATIENCE).until(table::isServed);
        Map<RegionInfo, String> hosts = table.hostByRegion();
        return new Landing(
                host,
                homeless.size(),
                table.localShare(homeless, hosts),
                table.shareByLot(homeless, cluster.admin().getRegionServers()),
                table.hottestOverFairShare(hosts));
    }

    /** Each of 24 new regions that lands on the broken server first is tried there once, and all are served. */
    private static void noRegionIsSentTwiceToAServerOnWhichItDidNotOpen(EmbeddedCluster cluster) throws Exception {
        cluster.master().getConfiguration().set("hearth.balancer.placement.enabled", "true");
        cluster.admin().updateConfiguration(cluster.master().getServerName());
        RegionOpenFailureObserver.host =
                cluster.admin().getRegionServers().iterator().next().getHostname();
        TableName table = TableName.valueOf("refused");
        cluster.admin()
                .createTable(
                        TableDescriptorBuilder.newBuilder(table)
                                .setColumnFamily(ColumnFamilyDescriptorBuilder.of("f"))
                                .setCoprocessor(RegionOpenFailureObserver.class.getName())
                                .build(),
                        Bytes.toBytes("a"),
                        Bytes.toBytes("z"),
                        24);

        System.out.println("Tried on the broken server: " + RegionOpenFailureObserver.TRIES);
        assertThat(cluster.connection().getRegionLocator(table).getAllRegionLocations())
                .hasSize(24)
                .noneMatch(location -> location.getHostname().equals(RegionOpenFailureObserver.host));
        assertThat(RegionOpenFailureObserver.TRIES).isNotEmpty();
        assertThat(RegionOpenFailureObserver.TRIES.values()).allMatch(tries -> tries.get() == 1);
    }

    private static void awaitTheBalancerKnows(EmbeddedCluster cluster, UniformReadLoad table) {
        await("every region is known to be local, and its heat is known")
                .pollDelay(Duration.ofSeconds(10))
                .atMost(PATIENCE)
                .untilAsserted(() -> {
                    for (HRegionLocation location : table.locations()) {
                        assertThat(LocalityCacheInspector.cachedLocality(
                                        cluster.master(), location.getRegion(), location.getHostname()))
                                .as("what the balancer believes of %s", location)
                                .isEqualTo(1f);
                    }
                });
    }

    /**
     * What became of the regions of one server.
     *
     * @param localShare local bytes over bytes of those regions, as soon as all were served again
     * @param shareByLot the same if each of the servers were as likely to get each of them
     * @param hottestOverFairShare reads of the server with most of them over the mean of the servers
     */
    private record Landing(
            String host, int regions, double localShare, double shareByLot, double hottestOverFairShare) {}
}
