// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.doctor.hbase;

import static org.assertj.core.api.Assertions.assertThat;
import static org.mockito.ArgumentMatchers.any;
import static org.mockito.Mockito.mock;
import static org.mockito.Mockito.when;

import io.hearth.doctor.model.ProbedCluster.ProbeResult;
import io.hearth.doctor.model.ProbedCluster.ProbedHBase.ReplicatedTable;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.apache.hadoop.hbase.ClusterMetrics;
import org.apache.hadoop.hbase.ClusterMetricsBuilder;
import org.apache.hadoop.hbase.RegionMetrics;
import org.apache.hadoop.hbase.RegionMetricsBuilder;
import org.apache.hadoop.hbase.ServerMetrics;
import org.apache.hadoop.hbase.ServerMetricsBuilder;
import org.apache.hadoop.hbase.ServerName;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.RegionInfoBuilder;
import org.apache.hadoop.hbase.client.RegionReplicaUtil;
import org.apache.hadoop.hbase.client.TableDescriptor;
import org.apache.hadoop.hbase.client.TableDescriptorBuilder;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** As HBase's AccessController answers: the list has only what the user may see, and no error says so. */
class HiddenTablesTest {

    private static final ServerName SERVER = ServerName.valueOf("host1", 16020, 1);

    private final Admin admin = mock(Admin.class);
    private final List<RegionMetrics> regions = new ArrayList<>();

    @BeforeEach
    void everyTableIsThere() throws IOException {
        when(admin.tableExists(any())).thenReturn(true);
        reported("t1");
        regions.add(RegionMetricsBuilder.newBuilder(RegionInfoBuilder.FIRST_META_REGIONINFO.getRegionName())
                .build());
    }

    private void reported(String table) {
        regions.add(RegionMetricsBuilder.newBuilder(RegionInfoBuilder.newBuilder(TableName.valueOf(table))
                        .build()
                        .getRegionName())
                .build());
    }

    private static TableDescriptor shown(String table, int replicas) {
        return TableDescriptorBuilder.newBuilder(TableName.valueOf(table))
                .setRegionReplication(replicas)
                .build();
    }

    private ServerMetrics report() {
        return ServerMetricsBuilder.newBuilder(SERVER).setRegionMetrics(regions).build();
    }

    @Test
    void aTableThatIsServedAndNotShownIsNamed() throws IOException {
        assertThat(HiddenTables.why(List.of(report()), List.of(shown("t1", 1)), admin))
                .isEmpty();
        reported("t2");
        assertThat(HiddenTables.why(List.of(report()), List.of(shown("t1", 1)), admin))
                .hasValue("no descriptor of t2: ADMIN or CREATE on it is missing");
        reported("t3");
        reported("t4");
        assertThat(HiddenTables.why(List.of(report()), List.of(), admin))
                .hasValue("no descriptor of t1, t2, t3 and more: ADMIN or CREATE on it is missing");
    }

    @Test
    void aTableThatWasDroppedMeanwhileIsNotHidden() throws IOException {
        when(admin.tableExists(any())).thenReturn(false);
        assertThat(HiddenTables.why(List.of(report()), List.of(), admin)).isEmpty();
    }

    /** Two replicas of one table are two regions of it. */
    @Test
    void replicasOfMetaAreCountedByReports() {
        for (int replica = 1; replica < 3; replica++) {
            regions.add(RegionMetricsBuilder.newBuilder(
                            RegionReplicaUtil.getRegionInfoForReplica(RegionInfoBuilder.FIRST_META_REGIONINFO, replica)
                                    .getRegionName())
                    .build());
        }
        ClusterMetrics metrics = ClusterMetricsBuilder.newBuilder()
                .setLiveServerMetrics(Map.of(SERVER, report()))
                .build();

        assertThat(new HBaseState(metrics, ProbeResult.known(true), ProbeResult.known(List.of()), 0).metaReplicas())
                .isEqualTo(3);
    }

    /** Else the checks of region replicas would find all well on a cluster that has some. */
    @Test
    void whetherThereAreReplicasIsUnknownWhereATableIsHidden() throws IOException {
        Connection connection = mock(Connection.class);
        ClusterMetrics metrics = ClusterMetricsBuilder.newBuilder()
                .setLiveServerMetrics(Map.of(SERVER, report()))
                .build();
        when(admin.listTableDescriptors()).thenReturn(List.of());
        assertThat(HBaseState.replicated(connection, admin, metrics))
                .isEqualTo(
                        ProbeResult.unknown("the HMaster says: no descriptor of t1: ADMIN or CREATE on it is missing"));

        when(admin.listTableDescriptors()).thenReturn(List.of(shown("t1", 1)));
        assertThat(HBaseState.replicated(connection, admin, metrics)).isEqualTo(ProbeResult.known(List.of()));

        when(admin.tableExists(any())).thenReturn(false);
        when(admin.listTableDescriptors()).thenReturn(List.of(shown("t1", 2)));
        assertThat(HBaseState.replicated(connection, admin, metrics))
                .isEqualTo(ProbeResult.known(List.of(new ReplicatedTable("t1", 2, ProbeResult.known(1)))));
    }
}
