// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.doctor.hbase;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;
import static org.mockito.Mockito.mock;
import static org.mockito.Mockito.when;

import io.hearth.doctor.model.ProbedCluster.ProbeResult;
import io.hearth.doctor.model.ProbedCluster.ProbedHBase.HotRegion;
import io.hearth.doctor.model.ProbedCluster.ProbedHBase.LocalReads;
import io.hearth.doctor.model.ProbedCluster.ProbedHBase.ProbedRegionServer;
import io.hearth.doctor.model.ProbedCluster.ProbedHBase.ServerCounters;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.apache.hadoop.hbase.ClusterMetrics;
import org.apache.hadoop.hbase.RegionMetrics;
import org.apache.hadoop.hbase.ServerMetrics;
import org.apache.hadoop.hbase.ServerName;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.RegionInfo;
import org.apache.hadoop.hbase.client.RegionInfoBuilder;
import org.apache.hadoop.hbase.util.Bytes;
import org.junit.jupiter.api.Test;

/** What is made of two reports of the same servers, ten seconds apart. */
class ServerReportsTest {

    private static final long APART_MS = 10_000;
    private static final ServerName A = ServerName.valueOf("a", 16020, 1);
    private static final ServerName B = ServerName.valueOf("b", 16020, 1);
    private static final TableName TABLE = TableName.valueOf("t");

    private static RegionInfo region(TableName table, String startKey) {
        return RegionInfoBuilder.newBuilder(table)
                .setStartKey(Bytes.toBytes(startKey))
                .setRegionId(1)
                .build();
    }

    private static ServerMetrics report(long atMs, Map<RegionInfo, Long> requestsByRegion) {
        Map<byte[], RegionMetrics> regions = new TreeMap<>(Bytes.BYTES_COMPARATOR);
        requestsByRegion.forEach((region, requests) -> {
            RegionMetrics metrics = mock(RegionMetrics.class);
            when(metrics.getReadRequestCount()).thenReturn(requests - 1);
            when(metrics.getWriteRequestCount()).thenReturn(1L);
            regions.put(region.getRegionName(), metrics);
        });
        ServerMetrics report = mock(ServerMetrics.class);
        when(report.getReportTimestamp()).thenReturn(atMs);
        when(report.getRegionMetrics()).thenReturn(regions);
        return report;
    }

    private static ClusterMetrics cluster(Map<ServerName, ServerMetrics> reportByServer) {
        ClusterMetrics metrics = mock(ClusterMetrics.class);
        when(metrics.getLiveServerMetrics()).thenReturn(new HashMap<>(reportByServer));
        return metrics;
    }

    /** 1,000 a second on a and 200 on b: a fair share is 600. */
    @Test
    void aRegionAboveAServersFairShareIsHotByItsRateBetweenTheReports() {
        RegionInfo hot = region(TABLE, "hot");
        RegionInfo mild = region(TABLE, "mild");
        RegionInfo other = region(TABLE, "other");
        ClusterMetrics earlier = cluster(Map.of(
                A, report(1_000, Map.of(hot, 1_000_000L, mild, 500L)), B, report(1_000, Map.of(other, 7_000_000L))));
        ClusterMetrics now = cluster(Map.of(
                A,
                report(1_000 + APART_MS, Map.of(hot, 1_009_000L, mild, 1_500L)),
                B,
                report(1_000 + APART_MS, Map.of(other, 7_002_000L))));

        assertThat(HotRegions.between(earlier, now, 1))
                .extracting(HotRegion::region, HotRegion::table, HotRegion::host, HotRegion::requestsPerSecond)
                .containsExactly(tuple(hot.getEncodedName(), "t", "a", 900.0));
        assertThat(HotRegions.between(earlier, now, 1).get(0).share()).isEqualTo(1.5);
    }

    @Test
    void whereAReportHasNotComeYetTheTimeIsThatOfTheDoctor() {
        RegionInfo hot = region(TABLE, "hot");
        ClusterMetrics earlier = cluster(Map.of(A, report(5, Map.of(hot, 0L)), B, report(5, Map.of())));
        ClusterMetrics now = cluster(Map.of(A, report(5, Map.of(hot, 2_000L)), B, report(5, Map.of())));

        assertThat(HotRegions.between(earlier, now, APART_MS))
                .extracting(HotRegion::requestsPerSecond)
                .containsExactly(200.0);
    }

    /** A count that went back is of a region that was opened anew; below 100 a second nothing is hot, and with one server no share is fair. */
    @Test
    void whatLostItsCountIsOfTheSystemOrIsSlowIsNotHot() {
        RegionInfo reopened = region(TABLE, "reopened");
        RegionInfo meta = region(TableName.META_TABLE_NAME, "meta");
        RegionInfo slow = region(TABLE, "slow");
        Map<RegionInfo, Long> first = Map.of(reopened, 50_000L, meta, 1L, slow, 1L);
        Map<RegionInfo, Long> second = Map.of(reopened, 1L, meta, 50_001L, slow, 990L);
        RegionInfo landed = region(TABLE, "landed");

        assertThat(HotRegions.between(
                        cluster(Map.of(A, report(0, first), B, report(0, Map.of()))),
                        cluster(Map.of(A, report(APART_MS, second), B, report(APART_MS, Map.of(landed, 90_000L)))),
                        1))
                .isEmpty();
        RegionInfo hot = region(TABLE, "hot");
        assertThat(HotRegions.between(
                        cluster(Map.of(A, report(0, Map.of(hot, 1L)))),
                        cluster(Map.of(A, report(APART_MS, Map.of(hot, 90_000L)))),
                        1))
                .as("the only server")
                .isEmpty();
    }

    @Test
    void aPlaceThatServesAgainIsNotDead() {
        ClusterMetrics metrics = cluster(Map.of(ServerName.valueOf("a", 16020, 2), report(0, Map.of())));
        when(metrics.getDeadServerNames())
                .thenReturn(List.of(A, B, ServerName.valueOf("b", 16020, 0), ServerName.valueOf("a", 16021, 1)));

        assertThat(new HBaseState(metrics, ProbeResult.known(true), ProbeResult.known(List.of()), 0).deadServers())
                .containsExactly("b:16020", "a:16021");
    }

    private static ProbeResult<ServerCounters> counters(long local, long shortCircuit) {
        return ProbeResult.known(new ServerCounters(local, shortCircuit, 1, 2, 3, 4, 5));
    }

    private static ProbedRegionServer watched(ProbeResult<ServerCounters> first, ProbeResult<ServerCounters> second) {
        ProbedRegionServer server = new ProbedRegionServer(
                "a",
                ProbeResult.unknown(""),
                ProbeResult.unknown(""),
                ProbeResult.unknown(""),
                1,
                2,
                3,
                4,
                5,
                6,
                first,
                ProbeResult.unknown("nobody has watched it"),
                ProbeResult.known(7L));
        return RegionServers.watched(server, second, APART_MS);
    }

    @Test
    void whatAServerReadIsTheDifferenceOfItsCounters() {
        ProbedRegionServer server = watched(counters(100, 40), counters(1_100, 140));

        assertThat(server.recentLocalReads()).isEqualTo(ProbeResult.known(new LocalReads(1_000, 100, APART_MS)));
        assertThat(server.counters()).as("the newer ones").isEqualTo(counters(1_100, 140));
        assertThat(server.clockSkewMs()).isEqualTo(ProbeResult.known(7L));
    }

    @Test
    void ofOneThatWasRestartedOrDoesNotSayNothingIsKnown() {
        assertThat(watched(counters(100, 40), counters(99, 50)).recentLocalReads())
                .isEqualTo(ProbeResult.unknown("it was restarted meanwhile"));
        assertThat(watched(counters(100, 40), counters(200, 39)).recentLocalReads())
                .isEqualTo(ProbeResult.unknown("it was restarted meanwhile"));
        assertThat(watched(ProbeResult.unknown("no"), counters(1, 1)).recentLocalReads())
                .isEqualTo(ProbeResult.unknown("its counters can't be read"));
        assertThat(watched(counters(1, 1), ProbeResult.unknown("no")).recentLocalReads())
                .isEqualTo(ProbeResult.unknown("its counters can't be read"));
    }
}
