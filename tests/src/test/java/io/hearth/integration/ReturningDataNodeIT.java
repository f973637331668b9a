// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.integration;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.hearth.healer.hbase.HealingMetricRegistry;
import io.hearth.testkit.embedded.ClusterHost;
import io.hearth.testkit.embedded.EmbeddedCluster;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.function.ToLongFunction;
import java.util.stream.IntStream;
import org.apache.hadoop.hbase.HRegionLocation;
import org.apache.hadoop.hbase.ServerName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** A DataNode dies after regions were healed, and comes back: of the replicas that are too many then, the NameNode deletes healed ones. */
@Tag("soak")
@Tag("shared")
class ReturningDataNodeIT {

    private static final Duration PATIENCE = Duration.ofMinutes(2);

    /** DataNodes are looked at once a minute, and healed regions are asked about one minute after one has come, and five. */
    private static final Duration MINUTES = Duration.ofMinutes(8);

    /** Longer than from one of these looks to the next. */
    private static final long LOOK_S = 70;

    private static final int REPLICATION = 3;

    /** As HealerIT's, so that each can use the other's. */
    private static EmbeddedCluster cluster() throws IOException {
        return EmbeddedCluster.builder()
                .withHearth()
                .property("hearth.heal.poll.ms", "1000")
                .property("hearth.heal.region.stable.ms", "2000")
                .property("dfs.client.refresh.read-block-locations.ms", "0")
                .shared();
    }

    @Test
    void whatTheNameNodeDeletesThenIsHealedWithinMinutes() throws Exception {
        try (EmbeddedCluster cluster = cluster()) {
            LocalityTable table = LocalityTable.load(cluster);
            awaitLocal(table);
            assertThat(table.moveEveryOtherRegion()).isPositive();
            awaitLocal(table);
            reopen(cluster);
            await("their servers report that they are local")
                    .atMost(PATIENCE)
                    .until(() -> reportedLocality(cluster).stream().allMatch(locality -> locality == 1));
            List<HealedBlock> before = blocks(table, moved(table));

            ClusterHost dead = hostOfMost(cluster, host -> before.stream()
                    .filter(block -> block.isOn(host) && !block.isHealedOn(host))
                    .count());
            cluster.stopDataNode(dead.name());
            try {
                List<HealedBlock> held =
                        before.stream().filter(block -> block.isOn(dead)).toList();
                await("the NameNode has copied what was lost").atMost(PATIENCE).until(() -> now(table, held).stream()
                        .allMatch(block -> block.hosts().size() == REPLICATION));
                // HDFS takes ten minutes until a DataNode is dead, so that nobody misses it.
                TimeUnit.SECONDS.sleep(LOOK_S);
                goesOnAfterItIsBack(cluster, table, dead, now(table, held));
            } finally {
                cluster.restartDataNode(dead.name());
            }
        }
    }

    /** Every other one. */
    private static List<HRegionLocation> moved(LocalityTable table) throws IOException {
        List<HRegionLocation> locations = table.locations();
        return IntStream.range(0, LocalityTable.REGIONS)
                .filter(region -> region % 2 == 0)
                .mapToObj(locations::get)
                .toList();
    }

    /** On the same servers, which go on with what they find then. */
    private static void reopen(EmbeddedCluster cluster) throws IOException {
        cluster.admin().disableTable(LocalityTable.NAME);
        cluster.admin().enableTable(LocalityTable.NAME);
    }

    private static List<Float> reportedLocality(EmbeddedCluster cluster) throws IOException {
        List<Float> localities = new ArrayList<>();
        for (ServerName server : cluster.admin().getRegionServers()) {
            cluster.admin()
                    .getRegionMetrics(server, LocalityTable.NAME)
                    .forEach(region -> localities.add(region.getDataLocality()));
        }
        return localities;
    }

    /** Of racks with two replicas the NameNode deletes the one on the DataNode with the least room. */
    private static void goesOnAfterItIsBack(
            EmbeddedCluster cluster, LocalityTable table, ClusterHost dead, List<HealedBlock> copied) throws Exception {
        ClusterHost full = hostOfMost(cluster, host -> copied.stream()
                .filter(block -> block.isHealedOn(host) && block.isOnRackMate(host, cluster))
                .count());
        List<HealedBlock> there = copied.stream()
                .filter(block -> block.isHealedOn(full) && block.isOnRackMate(full, cluster))
                .toList();
        try {
            cluster.setDataNodeFull(full.name(), true);
            cluster.restartDataNode(dead.name());
            await("healed replicas are deleted").atMost(PATIENCE).untilAsserted(() -> assertThat(now(table, there))
                    .as("blocks healed on %s, which is full, after %s is back", full, dead)
                    .anyMatch(block -> !block.isHealedOn(full)));
        } finally {
            cluster.setDataNodeFull(full.name(), false);
        }
        long asked = RegisteredMetrics.counter(HealingMetricRegistry.INFO, "regionsRechecked");

        await("they are local again").atMost(MINUTES).until(() -> now(table, there).stream()
                .allMatch(block -> block.isHealedOn(full)));
        assertThat(RegisteredMetrics.counter(HealingMetricRegistry.INFO, "regionsRechecked"))
                .isGreaterThan(asked);
    }

    private static void awaitLocal(LocalityTable table) {
        await().atMost(PATIENCE)
                .untilAsserted(() -> assertThat(table.localShare()).isEqualTo(1.0));
    }

    /** A block of a region that was moved and healed; blocks of a region are counted from 0. */
    private record HealedBlock(HRegionLocation region, int number, Set<String> hosts) {

        boolean isOn(ClusterHost host) {
            return hosts.contains(host.name());
        }

        boolean isHealedOn(ClusterHost host) {
            return isOn(host) && region.getHostname().equals(host.name());
        }

        boolean isOnRackMate(ClusterHost host, EmbeddedCluster cluster) {
            return cluster.hosts().stream()
                    .anyMatch(other -> !other.equals(host) && other.rack().equals(host.rack()) && isOn(other));
        }
    }

    private static List<HealedBlock> blocks(LocalityTable table, List<HRegionLocation> regions) throws IOException {
        List<HealedBlock> blocks = new ArrayList<>();
        for (HRegionLocation region : regions) {
            List<Set<String>> hosts = table.hostsByBlock(region);
            for (int number = 0; number < hosts.size(); number++) {
                blocks.add(new HealedBlock(region, number, hosts.get(number)));
            }
        }
        return blocks;
    }

    private static List<HealedBlock> now(LocalityTable table, List<HealedBlock> blocks) throws IOException {
        List<HealedBlock> now = new ArrayList<>();
        for (HealedBlock block : blocks) {
            now.add(new HealedBlock(
                    block.region(),
                    block.number(),
                    table.hostsByBlock(block.region()).get(block.number())));
        }
        return now;
    }

    private static ClusterHost hostOfMost(EmbeddedCluster cluster, ToLongFunction<ClusterHost> blocks) {
        ClusterHost host =
                cluster.hosts().stream().max(Comparator.comparingLong(blocks)).orElseThrow();
        assertThat(blocks.applyAsLong(host)).as("blocks on %s", host).isPositive();
        return host;
    }
}
