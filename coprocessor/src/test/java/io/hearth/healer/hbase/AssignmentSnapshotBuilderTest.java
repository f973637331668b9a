// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.healer.hbase;

import static org.assertj.core.api.Assertions.assertThat;

import io.hearth.balancer.hbase.HBaseNames;
import io.hearth.healer.hbase.AssignmentSnapshotBuilder.RegionLocation;
import io.hearth.healer.model.ServedRegion.TableHealingMode;
import io.hearth.healer.spi.Assignments.AssignmentSnapshot;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.RegionMetrics;
import org.apache.hadoop.hbase.RegionMetricsBuilder;
import org.apache.hadoop.hbase.ServerMetrics;
import org.apache.hadoop.hbase.ServerMetricsBuilder;
import org.apache.hadoop.hbase.ServerName;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.CompactionState;
import org.apache.hadoop.hbase.client.RegionInfo;
import org.apache.hadoop.hbase.client.RegionInfoBuilder;
import org.apache.hadoop.hbase.util.Bytes;
import org.junit.jupiter.api.Test;

class AssignmentSnapshotBuilderTest {

    private static final ServerName ONE = ServerName.valueOf("one", 16020, 1);
    private static final ServerName TWO = ServerName.valueOf("two", 16020, 1);
    private static final RegionInfo A = region(0);
    private static final RegionInfo B = region(1);

    private final AssignmentSnapshotBuilder snapshotBuilder = new AssignmentSnapshotBuilder(new Configuration(false));

    private static RegionInfo region(int number) {
        return RegionInfoBuilder.newBuilder(TableName.valueOf("t"))
                .setStartKey(Bytes.toBytes(number))
                .setEndKey(Bytes.toBytes(number + 1))
                .setRegionId(1)
                .build();
    }

    private static Map<ServerName, ServerMetrics> reports(long localBytes) {
        return Map.of(
                ONE,
                ServerMetricsBuilder.newBuilder(ONE)
                        .setRegionMetrics(List.of(report(A, localBytes), report(B, 100)))
                        .build(),
                TWO,
                ServerMetricsBuilder.newBuilder(TWO).build());
    }

    private static RegionMetrics report(RegionInfo region, long localBytes) {
        return RegionMetricsBuilder.newBuilder(region.getRegionName())
                .setBlocksTotalWeight(100)
                .setBlocksLocalWeight(localBytes)
                .build();
    }

    private AssignmentSnapshot snapshot(long localBytes, RegionLocation... locations) {
        return snapshotBuilder.snapshot(List.of(locations), reports(localBytes), location -> TableHealingMode.ON);
    }

    private static RegionLocation on(RegionInfo region, ServerName server) {
        return new RegionLocation(region, Optional.of(server));
    }

    private static RegionLocation nowhere(RegionInfo region) {
        return new RegionLocation(region, Optional.empty());
    }

    @Test
    void aSnapshotWithoutNewsIsTheSnapshotBefore() {
        AssignmentSnapshot first = snapshot(100, on(A, ONE), nowhere(B));

        assertThat(snapshot(100, on(A, ONE), nowhere(B))).isSameAs(first);
    }

    @Test
    void anyNewsMakesANewOne() {
        AssignmentSnapshot first = snapshot(100, on(A, ONE), on(B, ONE));
        AssignmentSnapshot lessLocal = snapshot(40, on(A, ONE), on(B, ONE));
        assertThat(lessLocal).isNotSameAs(first);
        assertThat(lessLocal.servedById().get(HBaseNames.region(B)))
                .as("of this one there is nothing new")
                .isSameAs(first.servedById().get(HBaseNames.region(B)));

        assertThat(snapshot(40, on(A, TWO), on(B, ONE))
                        .servedById()
                        .get(HBaseNames.region(A))
                        .server())
                .as("moved")
                .isEqualTo(HBaseNames.server(TWO));
        assertThat(snapshot(40, nowhere(A), on(B, ONE)).unserved()).containsExactly(HBaseNames.region(A));
        assertThat(snapshot(40, on(A, TWO), on(B, ONE)).unserved())
                .as("served again")
                .isEmpty();
        assertThat(snapshot(40, on(A, TWO)).servedById()).as("gone").hasSize(1);
        assertThat(snapshot(40, on(A, TWO), on(B, ONE)).servedById()).as("new").hasSize(2);
    }

    @Test
    void aCompactionThatHasEndedIsRememberedOnItsServerAlone() {
        compacted(50, on(A, ONE));
        AssignmentSnapshot ended = compacted(70, on(A, ONE));

        assertThat(ended.servedById().get(HBaseNames.region(A)).compaction().replaced())
                .isPresent();
        assertThat(compacted(70, on(A, ONE))).as("no news").isSameAs(ended);
        assertThat(compacted(70, on(A, TWO))
                        .servedById()
                        .get(HBaseNames.region(A))
                        .compaction()
                        .replaced())
                .as("a server that closes a region archives first")
                .isEmpty();
    }

    private AssignmentSnapshot compacted(long cells, RegionLocation location) {
        RegionMetrics metrics = RegionMetricsBuilder.newBuilder(A.getRegionName())
                .setCompactionState(CompactionState.NONE)
                .setCompactingCellCount(cells)
                .setCompactedCellCount(cells)
                .build();
        Map<ServerName, ServerMetrics> online = Map.of(
                ONE,
                        ServerMetricsBuilder.newBuilder(ONE)
                                .setRegionMetrics(List.of(metrics))
                                .build(),
                TWO,
                        ServerMetricsBuilder.newBuilder(TWO)
                                .setRegionMetrics(List.of(metrics))
                                .build());
        return snapshotBuilder.snapshot(List.of(location), online, any -> TableHealingMode.ON);
    }
}
