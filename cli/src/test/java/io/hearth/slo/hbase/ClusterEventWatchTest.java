// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.slo.hbase;

import static org.assertj.core.api.Assertions.assertThat;

import io.hearth.slo.event.ClusterReading;
import io.hearth.slo.event.ClusterReading.Region;
import java.util.Arrays;
import java.util.Map;
import java.util.Optional;
import org.apache.hadoop.hbase.ClusterMetrics;
import org.apache.hadoop.hbase.ClusterMetricsBuilder;
import org.apache.hadoop.hbase.RegionMetrics;
import org.apache.hadoop.hbase.RegionMetricsBuilder;
import org.apache.hadoop.hbase.ServerMetrics;
import org.apache.hadoop.hbase.ServerMetricsBuilder;
import org.apache.hadoop.hbase.ServerName;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.RegionInfo;
import org.apache.hadoop.hbase.client.RegionInfoBuilder;
import org.junit.jupiter.api.Test;

class ClusterEventWatchTest {

    private static final TableName CANARY = TableName.valueOf("hearth_canary");
    private static final RegionInfo ROWS =
            RegionInfoBuilder.newBuilder(TableName.valueOf("rows")).build();

    private static RegionMetrics region(RegionInfo region, long sequenceId) {
        return RegionMetricsBuilder.newBuilder(region.getRegionName())
                .setCompletedSequenceId(sequenceId)
                .setStoreFileCount(3)
                .setCompactingCellCount(8)
                .setLastMajorCompactionTimestamp(6)
                .build();
    }

    private static ServerMetrics server(String name, long reportedAtMs, RegionMetrics... regions) {
        return ServerMetricsBuilder.newBuilder(ServerName.valueOf(name))
                .setReportTimestamp(reportedAtMs)
                .setRegionMetrics(Arrays.asList(regions))
                .build();
    }

    @Test
    void aRegionInTwoReportsIsWhereTheLaterOneSaysAndCanariesAreNotRead() {
        ServerMetrics later = server("b,16020,7", 2_000, region(ROWS, 12));
        ServerMetrics earlier = server(
                "c,16020,8",
                1_000,
                region(ROWS, 11),
                region(RegionInfoBuilder.newBuilder(CANARY).build(), 1));
        ClusterMetrics cluster = ClusterMetricsBuilder.newBuilder()
                .setMasterName(ServerName.valueOf("m,16000,9"))
                .setLiveServerMetrics(Map.of(later.getServerName(), later, earlier.getServerName(), earlier))
                .build();

        assertThat(ClusterEventWatch.reading(5, cluster, CANARY, Optional.empty()))
                .isEqualTo(new ClusterReading(
                        5,
                        "m,16000,9",
                        Map.of("b:16020", 7L, "c:16020", 8L),
                        Map.of(ROWS.getEncodedName(), new Region("b:16020", 7, 12, 3, 8, 6)),
                        Optional.empty()));
    }
}
