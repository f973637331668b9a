// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.cli.client;

import static org.assertj.core.api.Assertions.assertThat;

import io.hearth.balancer.config.BalancerConfig;
import io.hearth.balancer.config.ServerCapacities;
import io.hearth.balancer.engine.BalanceEngine;
import io.hearth.balancer.hbase.CanaryTable;
import io.hearth.balancer.planner.DirectedPlanner;
import io.hearth.balancer.state.ClusterState;
import io.hearth.balancer.state.LocalBytes;
import io.hearth.balancer.state.Pin;
import io.hearth.balancer.state.RegionState.StoreFileBytes;
import io.hearth.cli.client.LiveCluster.UnhealedTables;
import io.hearth.common.config.RawSettings.MapSettings;
import io.hearth.common.model.TableId;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.net.ConnectException;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.HDFSBlocksDistribution;
import org.apache.hadoop.hbase.RegionMetricsBuilder;
import org.apache.hadoop.hbase.ServerMetrics;
import org.apache.hadoop.hbase.ServerMetricsBuilder;
import org.apache.hadoop.hbase.ServerName;
import org.apache.hadoop.hbase.Size;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.RegionInfo;
import org.apache.hadoop.hbase.client.RegionInfoBuilder;
import org.apache.hadoop.hbase.client.RegionReplicaUtil;
import org.apache.hadoop.hbase.client.TableDescriptor;
import org.apache.hadoop.hbase.client.TableDescriptorBuilder;
import org.junit.jupiter.api.Test;

/** What a capture takes over from a cluster besides its reports. */
class SnapshotCaptureTest {

    private static final ServerName LARGE = ServerName.valueOf("large", 16020, 1);
    private static final ServerName OTHER = ServerName.valueOf("other", 16020, 1);
    private static final RegionInfo REGION =
            RegionInfoBuilder.newBuilder(TableName.valueOf("t")).build();

    private final BalanceEngine engine = new BalanceEngine(
            BalancerConfig.read("test", new MapSettings(Map.of()), key -> false), new DirectedPlanner()::plan);

    @Test
    void serversHaveTheirCapacitiesAndWhatIsDoubtfulIsGivenNothing() throws IOException {
        LocalBytes local = LocalBytes.of(10, Map.of("large", 10L));
        ClusterState snapshot = SnapshotCapture.snapshot(
                Map.of(LARGE, report(LARGE, REGION), OTHER, report(OTHER)),
                ServerCapacities.read("test", new MapSettings(Map.of("hearth.server.large.capacity", "2"))),
                engine.view(0),
                Map.of(REGION.getEncodedName(), local),
                CanaryTable.NONE);

        assertThat(snapshot.server(0).capacity()).isEqualTo(2);
        assertThat(snapshot.server(0).mayReceiveRegions())
                .as("its heat is unknown")
                .isFalse();
        assertThat(snapshot.server(1).capacity()).isEqualTo(1);
        assertThat(snapshot.server(1).mayReceiveRegions()).isTrue();
        assertThat(snapshot.regionsOf(0)).singleElement().satisfies(region -> {
            assertThat(region.pin()).isEqualTo(Pin.HEAT_UNKNOWN);
            assertThat(region.bytesByHost()).isSameAs(local);
            assertThat(region.region().encodedName()).isEqualTo(REGION.getEncodedName());
            assertThat(region.reported()).hasValue(new StoreFileBytes(3 << 20, 0, 0));
        });
    }

    /** Two replicas must not share a host; a report names each by its own name. */
    @Test
    void aReplicaHasThePrimaryOfItsName() throws IOException {
        RegionInfo replica = RegionReplicaUtil.getRegionInfoForReplica(REGION, 1);
        ClusterState snapshot = SnapshotCapture.snapshot(
                Map.of(LARGE, report(LARGE, replica)),
                ServerCapacities.read("test", new MapSettings(Map.of())),
                engine.view(0),
                Map.of(),
                CanaryTable.NONE);

        assertThat(snapshot.regionsOf(0)).singleElement().satisfies(region -> {
            assertThat(region.region().encodedName()).isEqualTo(replica.getEncodedName());
            assertThat(region.primary().encodedName()).isEqualTo(REGION.getEncodedName());
        });
    }

    /** Broken (the first failures of a table end it): a table of one region, the first one, hides all others. */
    @Test
    void aRegionThatCannotBeReadHidesNoOther() {
        RegionInfo gone =
                RegionInfoBuilder.newBuilder(TableName.valueOf("gone")).build();
        Map<String, LocalBytes> all = new HashMap<>();

        assertThat(SnapshotCapture.addBlocks(List.of(gone), region -> read(region, gone), all))
                .isTrue();
        assertThat(SnapshotCapture.addBlocks(List.of(REGION, gone), region -> read(region, gone), all))
                .isTrue();
        assertThat(all).containsOnlyKeys(REGION.getEncodedName());
    }

    /** Broken (three regions are asked for): three times the minutes that HDFS's client tries. */
    @Test
    void aNameNodeThatDoesNotAnswerIsAskedOnce() {
        AtomicInteger asked = new AtomicInteger();

        assertThat(SnapshotCapture.addBlocks(
                        List.of(REGION, REGION, REGION),
                        region -> {
                            asked.incrementAndGet();
                            throw new ConnectException("connection refused");
                        },
                        new HashMap<>()))
                .isFalse();
        assertThat(asked).hasValue(1);
    }

    private static HDFSBlocksDistribution read(RegionInfo region, RegionInfo gone) throws IOException {
        if (region.equals(gone)) {
            throw new FileNotFoundException("archived meanwhile");
        }
        return new HDFSBlocksDistribution();
    }

    private static ServerMetrics report(ServerName server, RegionInfo... regions) {
        return ServerMetricsBuilder.newBuilder(server)
                .setRegionMetrics(Stream.of(regions)
                        .map(region -> RegionMetricsBuilder.newBuilder(region.getRegionName())
                                .setStoreFileSize(new Size(3, Size.Unit.MEGABYTE))
                                .build())
                        .toList())
                .build();
    }

    @Test
    void whatIsHealedIsByTheConfigurationAndTheTables() {
        List<TableDescriptor> tables = List.of(
                TableDescriptorBuilder.newBuilder(TableName.valueOf("healed")).build(),
                TableDescriptorBuilder.newBuilder(TableName.valueOf("off"))
                        .setValue("HEARTH_HEAL", "off")
                        .build());
        TableId healed = new TableId("healed");
        TableId off = new TableId("off");
        Configuration site = new Configuration(false);
        assertThat(UnhealedTables.never(site, tables)).as("no healer").containsExactlyInAnyOrder(healed, off);

        site.set("hbase.coprocessor.master.classes", "a.b.C, io.hearth.healer.hbase.LocalityHealingObserver");
        assertThat(UnhealedTables.never(site, tables)).containsExactly(off);

        site.set("hearth.heal.mode", "advise");
        assertThat(UnhealedTables.never(site, tables)).containsExactlyInAnyOrder(healed, off);
        site.set("hearth.heal.mode", "act");
        site.set("hearth.heal.enabled", "false");
        assertThat(UnhealedTables.never(site, tables)).containsExactlyInAnyOrder(healed, off);
    }
}
