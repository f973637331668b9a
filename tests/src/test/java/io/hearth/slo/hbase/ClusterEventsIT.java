// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.slo.hbase;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.hearth.healer.hbase.HealerUser;
import io.hearth.slo.event.ClusterEvent;
import io.hearth.slo.event.EventKind;
import io.hearth.testkit.embedded.EmbeddedCluster;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.apache.hadoop.hbase.HRegionLocation;
import org.apache.hadoop.hbase.ServerName;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptorBuilder;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.RegionLocator;
import org.apache.hadoop.hbase.client.Table;
import org.apache.hadoop.hbase.client.TableDescriptorBuilder;
import org.apache.hadoop.hbase.util.Bytes;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** What HBase's own reports say of a move, a flush and a compaction, in a cluster without Hearth in its master. */
@Tag("shared")
class ClusterEventsIT {

    private static final TableName ROWS = TableName.valueOf("events");
    private static final byte[] FAMILY = Bytes.toBytes("f");
    private static final Duration PATIENCE = Duration.ofMinutes(2);

    private final List<ClusterEvent> events = new ArrayList<>();

    private static HRegionLocation location(EmbeddedCluster cluster) throws Exception {
        try (RegionLocator locator = cluster.connection().getRegionLocator(ROWS)) {
            return locator.getAllRegionLocations().get(0);
        }
    }

    private static boolean isReported(EmbeddedCluster cluster, HRegionLocation region) throws Exception {
        return cluster.admin().getRegionMetrics(region.getServerName(), ROWS).size() == 1
                && cluster.admin()
                        .getClusterMetrics()
                        .getLiveServerMetrics()
                        .get(region.getServerName())
                        .getRegionMetrics()
                        .containsKey(region.getRegion().getRegionName());
    }

    private void awaitEvent(ClusterEventWatch watch, EventKind kind, String text) {
        await(text).atMost(PATIENCE).untilAsserted(() -> {
            watch.look();
            assertThat(events)
                    .filteredOn(event -> event.kind() == kind)
                    .map(ClusterEvent::text)
                    .contains(text);
        });
    }

    @Test
    void aMoveAFlushAndACompactionAreSeen() throws Exception {
        try (EmbeddedCluster cluster =
                        EmbeddedCluster.builder().hosts(3).racks(1).shared();
                ClusterEventWatch watch = new ClusterEventWatch(
                        cluster.configuration(),
                        HealerUser.login(cluster.configuration()),
                        System::currentTimeMillis,
                        minute -> events.addAll(minute.events()))) {
            cluster.admin()
                    .createTable(TableDescriptorBuilder.newBuilder(ROWS)
                            .setColumnFamily(ColumnFamilyDescriptorBuilder.of(FAMILY))
                            .build());
            HRegionLocation before = location(cluster);
            ServerName to = cluster.admin().getRegionServers().stream()
                    .filter(server -> !server.equals(before.getServerName()))
                    .findFirst()
                    .orElseThrow();
            String target = RegionsByServer.target(to);
            await("it is reported").atMost(PATIENCE).until(() -> isReported(cluster, before));
            watch.look();
            assertThat(events).as("the first look").isEmpty();

            cluster.admin().move(before.getRegion().getEncodedNameAsBytes(), to);
            awaitEvent(watch, EventKind.REGIONS_MOVED, "1 region moved to " + target + " (not by Hearth)");

            events.clear();
            try (Table table = cluster.connection().getTable(ROWS)) {
                table.put(new Put(FAMILY).addColumn(FAMILY, FAMILY, FAMILY));
            }
            cluster.admin().flush(ROWS);
            awaitEvent(watch, EventKind.REGIONS_FLUSHED, "1 region flushed on " + target);

            cluster.admin().majorCompact(ROWS);
            awaitEvent(watch, EventKind.REGIONS_COMPACTED, "1 region compacted on " + target + " (not by Hearth)");
        }
    }
}
