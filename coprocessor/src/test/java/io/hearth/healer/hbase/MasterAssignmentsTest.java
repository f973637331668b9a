// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.healer.hbase;

import static org.assertj.core.api.Assertions.assertThat;
import static org.mockito.Mockito.RETURNS_DEEP_STUBS;
import static org.mockito.Mockito.mock;
import static org.mockito.Mockito.when;

import io.hearth.balancer.hbase.MasterComponentRegistry;
import io.hearth.balancer.heat.RegionHeat;
import io.hearth.balancer.heat.RegionHeats;
import io.hearth.common.model.EncodedRegionName;
import io.hearth.common.model.LoadDimension;
import io.hearth.common.model.LoadVector;
import io.hearth.healer.fakes.CountedMetrics;
import io.hearth.healer.model.Compaction;
import io.hearth.healer.model.Compaction.Phase;
import io.hearth.healer.model.ServedRegion;
import io.hearth.healer.model.ServedRegion.HealRank;
import io.hearth.healer.model.ServedRegion.ReportedLocality;
import io.hearth.healer.model.ServedRegion.TableHealingMode;
import io.hearth.healer.spi.Assignments.AssignmentSnapshot;
import io.hearth.healer.spi.Observed;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.RegionMetrics;
import org.apache.hadoop.hbase.ServerMetrics;
import org.apache.hadoop.hbase.ServerName;
import org.apache.hadoop.hbase.Size;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.CompactionState;
import org.apache.hadoop.hbase.client.RegionInfo;
import org.apache.hadoop.hbase.client.RegionInfoBuilder;
import org.apache.hadoop.hbase.client.RegionReplicaUtil;
import org.apache.hadoop.hbase.client.TableDescriptorBuilder;
import org.apache.hadoop.hbase.master.MasterServices;
import org.apache.hadoop.hbase.master.RegionState;
import org.apache.hadoop.hbase.master.assignment.RegionStateNode;
import org.apache.hadoop.hbase.util.Bytes;
import org.apache.hadoop.hbase.util.EnvironmentEdgeManager;
import org.apache.hadoop.hbase.util.ManualEnvironmentEdge;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class MasterAssignmentsTest {

    private static final TableName TABLE = TableName.valueOf("t");
    private static final ServerName SERVER = ServerName.valueOf("a", 16020, 1);
    private static final long REPORTED_MS = 1_000_000;

    private final Configuration conf = new Configuration(false);
    private final MasterServices services = mock(MasterServices.class, RETURNS_DEEP_STUBS);
    private final List<RegionStateNode> nodes = new ArrayList<>();
    private final Map<byte[], RegionMetrics> reported = new TreeMap<>(Bytes.BYTES_COMPARATOR);
    private final ServerMetrics serverMetrics = mock(ServerMetrics.class);
    private final ManualEnvironmentEdge clock = new ManualEnvironmentEdge();
    private long monotonicMs;
    private final MasterAssignments assignments = new MasterAssignments(
            services,
            new ClusterHeat(conf, () -> TimeUnit.MILLISECONDS.toNanos(monotonicMs)),
            new MasterRuntime(services).tables(),
            new CountedMetrics(),
            problem -> {});

    @BeforeEach
    void aMasterThatLeads() throws Exception {
        EnvironmentEdgeManager.injectEdge(clock);
        clock.setValue(REPORTED_MS);
        when(services.isActiveMaster()).thenReturn(true);
        when(services.isInitialized()).thenReturn(true);
        when(services.getServerManager().getOnlineServers()).thenReturn(Map.of(SERVER, serverMetrics));
        when(services.getAssignmentManager().getRegionStates().getRegionStateNodes())
                .thenReturn(nodes);
        when(services.getTableDescriptors().get(TABLE))
                .thenReturn(TableDescriptorBuilder.newBuilder(TABLE)
                        .setValue("HEARTH_HEAL", "first")
                        .build());
        when(serverMetrics.getRegionMetrics()).thenReturn(reported);
        when(serverMetrics.getReportTimestamp()).thenReturn(REPORTED_MS);
    }

    @AfterEach
    void theClockGoesBack() {
        EnvironmentEdgeManager.reset();
    }

    @Test
    void aRegionThatIsOpenIsServedAndItsOwnServersWordIsTaken() {
        RegionInfo region = region(1, RegionState.State.OPEN, SERVER);
        report(region, 30, 100, CompactionState.NONE, 0, 0);

        ServedRegion served = served(region).orElseThrow();
        assertThat(served.reported()).contains(new ReportedLocality(30, 100));
        assertThat(served.mode()).isEqualTo(TableHealingMode.FIRST);
        assertThat(served.rank()).isEqualTo(HealRank.FIRST);
        assertThat(served.compaction()).isEqualTo(Compaction.NONE);
    }

    @Test
    void aRegionReplicaIsServedOnItsOwnServer() {
        RegionInfo primary = region(1, RegionState.State.OPEN, SERVER);
        RegionInfo replica = RegionReplicaUtil.getRegionInfoForReplica(primary, 1);
        when(nodes.get(0).getRegionInfo()).thenReturn(replica);

        assertThat(served(replica)).isPresent();
        assertThat(id(replica)).isNotEqualTo(id(primary));
    }

    @Test
    void whatIsNotReportedIsUnknown() {
        RegionInfo region = region(1, RegionState.State.OPEN, SERVER);

        ServedRegion served = served(region).orElseThrow();
        assertThat(served.reported()).isEmpty();
        assertThat(served.compaction()).isEqualTo(Compaction.UNKNOWN);
    }

    @ParameterizedTest
    @CsvSource({"SPLITTING", "MERGING", "OPENING", "CLOSING", "SPLITTING_NEW", "OFFLINE", "CLOSED"})
    void aRegionInAnyOtherStateIsNotServed(RegionState.State state) {
        RegionInfo region = region(1, state, SERVER);

        assertThat(served(region)).isEmpty();
        assertThat(snapshot().unserved()).containsExactly(id(region));
    }

    @Test
    void aRegionInTransitionOrOnADeadServerIsNotServed() {
        RegionInfo moving = region(1, RegionState.State.OPEN, SERVER);
        when(nodes.get(0).isInTransition()).thenReturn(true);
        RegionInfo orphan = region(2, RegionState.State.OPEN, ServerName.valueOf("dead", 16020, 1));

        assertThat(snapshot().servedById()).isEmpty();
        assertThat(snapshot().unserved()).containsExactlyInAnyOrder(id(moving), id(orphan));
    }

    @ParameterizedTest
    @CsvSource({
        "NONE, 0, 0, NONE",
        "NONE, 50, 100, NONE",
        "MINOR, 0, 0, QUEUED",
        "MINOR, 100, 100, QUEUED",
        "MINOR, 0, 100, RUNNING",
        "MAJOR, 100, 100, ALL_QUEUED",
        "MAJOR, 99, 100, ALL_RUNNING",
        "MAJOR_AND_MINOR, 0, 0, ALL_QUEUED"
    })
    void whatIsKnownOfACompaction(CompactionState state, long written, long toWrite, Phase phase) {
        RegionInfo region = region(1, RegionState.State.OPEN, SERVER);
        report(region, 0, 100, state, written, toWrite);

        assertThat(served(region).orElseThrow().compaction().phase()).isEqualTo(phase);
    }

    @Test
    void aMasterThatDoesNotLeadOrStopsMayNotAct() {
        assertThat(assignments.mayAct()).isTrue();
        when(services.isStopped()).thenReturn(true);
        assertThat(assignments.mayAct()).isFalse();
        when(services.isStopped()).thenReturn(false);
        when(services.isAborted()).thenReturn(true);
        assertThat(assignments.mayAct()).isFalse();
        when(services.isAborted()).thenReturn(false);
        when(services.isActiveMaster()).thenReturn(false);
        assertThat(assignments.mayAct()).isFalse();
        assertThat(assignments.snapshot()).isInstanceOf(Observed.Unknown.class);
    }

    @Test
    void theBalancersHeatIsUsedWhereItIsHearths() {
        LoadVector load = LoadVector.ofReads(7);
        RegionHeats balancer = region -> new RegionHeat.Known(load, load);
        MasterComponentRegistry.registerRegionHeats(conf, balancer);
        RegionInfo region = region(1, RegionState.State.OPEN, SERVER);
        snapshot();

        assertThat(assignments.heat(id(region))).isEqualTo(balancer.heat(id(region)));
    }

    @Test
    void underAnotherBalancerHeatIsLearntFromTheReports() {
        RegionInfo region = region(1, RegionState.State.OPEN, SERVER);
        report(region, 0, 100, CompactionState.NONE, 0, 0);
        snapshot();
        assertThat(assignments.heat(id(region))).isInstanceOf(RegionHeat.Unknown.class);

        servesForAnHour(region);
        assertThat(readsPerSecond(region)).isBetween(99.0, 130.0);
    }

    @Test
    void heatIsLearntOnWhereTheClockWasAhead() {
        RegionInfo region = region(1, RegionState.State.OPEN, SERVER);
        report(region, 0, 100, CompactionState.NONE, 0, 0);
        clock.setValue(REPORTED_MS + 7_200_000);
        snapshot();
        clock.setValue(REPORTED_MS);

        servesForAnHour(region);
        assertThat(readsPerSecond(region)).isBetween(99.0, 130.0);
    }

    /** A hundred reads a second. */
    private void servesForAnHour(RegionInfo region) {
        for (int minute = 1; minute <= 60; minute++) {
            clock.incValue(60_000);
            monotonicMs += 60_000;
            when(serverMetrics.getReportTimestamp()).thenReturn(clock.currentTime());
            long reads = minute * 6_000L;
            when(reported.get(region.getRegionName()).getReadRequestCount()).thenReturn(reads);
            snapshot();
        }
    }

    private double readsPerSecond(RegionInfo region) {
        RegionHeat heat = assignments.heat(id(region));
        assertThat(heat).isInstanceOf(RegionHeat.Known.class);
        return ((RegionHeat.Known) heat).load().get(LoadDimension.READS);
    }

    private AssignmentSnapshot snapshot() {
        return assignments.snapshot().ifKnown().orElseThrow();
    }

    private Optional<ServedRegion> served(RegionInfo region) {
        return Optional.ofNullable(snapshot().servedById().get(id(region)));
    }

    private static EncodedRegionName id(RegionInfo region) {
        return new EncodedRegionName(region.getEncodedName());
    }

    private RegionInfo region(int number, RegionState.State state, ServerName server) {
        RegionInfo region = RegionInfoBuilder.newBuilder(TABLE)
                .setStartKey(Bytes.toBytes(number))
                .setRegionId(number)
                .build();
        RegionStateNode node = mock(RegionStateNode.class);
        when(node.getRegionInfo()).thenReturn(region);
        when(node.getRegionLocation()).thenReturn(server);
        when(node.isInState(RegionState.State.OPEN)).thenReturn(state == RegionState.State.OPEN);
        nodes.add(node);
        return region;
    }

    private void report(
            RegionInfo region, long localBytes, long bytes, CompactionState state, long written, long toWrite) {
        RegionMetrics metrics = mock(RegionMetrics.class);
        when(metrics.getRegionName()).thenReturn(region.getRegionName());
        when(metrics.getBlocksLocalWeight()).thenReturn(localBytes);
        when(metrics.getBlocksTotalWeight()).thenReturn(bytes);
        when(metrics.getCompactionState()).thenReturn(state);
        when(metrics.getCompactedCellCount()).thenReturn(written);
        when(metrics.getCompactingCellCount()).thenReturn(toWrite);
        when(metrics.getStoreFileSize()).thenReturn(Size.ZERO);
        when(metrics.getMemStoreSize()).thenReturn(Size.ZERO);
        reported.put(region.getRegionName(), metrics);
    }
}
