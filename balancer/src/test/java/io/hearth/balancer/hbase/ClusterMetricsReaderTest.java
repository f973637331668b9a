// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.balancer.hbase;

import static org.assertj.core.api.Assertions.assertThat;
import static org.mockito.Mockito.mock;
import static org.mockito.Mockito.when;

import io.hearth.balancer.heat.ingest.ServerReport.RegionNameInfo;
import io.hearth.balancer.heat.ingest.ServerReport.RegionReport;
import io.hearth.balancer.heat.ingest.ServerReport.ReportedLoad;
import io.hearth.common.model.LoadDimension;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.ClusterMetrics;
import org.apache.hadoop.hbase.RegionMetrics;
import org.apache.hadoop.hbase.RegionMetricsBuilder;
import org.apache.hadoop.hbase.ServerMetrics;
import org.apache.hadoop.hbase.ServerName;
import org.apache.hadoop.hbase.Size;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.RegionInfo;
import org.apache.hadoop.hbase.client.RegionInfoBuilder;
import org.apache.hadoop.hbase.util.Bytes;
import org.junit.jupiter.api.Test;

class ClusterMetricsReaderTest {

    private static final ServerName SERVER = ServerName.valueOf("host", 16020, 7);

    private final RegionMetrics metrics = mock(RegionMetrics.class);

    private RegionReport read(RegionInfo region) {
        when(metrics.getRegionName()).thenReturn(region.getRegionName());
        when(metrics.getReadRequestCount()).thenReturn(11L);
        when(metrics.getWriteRequestCount()).thenReturn(22L);
        when(metrics.getStoreFileSize()).thenReturn(new Size(3, Size.Unit.MEGABYTE));
        when(metrics.getMemStoreSize()).thenReturn(new Size(4, Size.Unit.MEGABYTE));
        ServerMetrics ofServer = mock(ServerMetrics.class);
        when(ofServer.getReportTimestamp()).thenReturn(99L);
        Map<byte[], RegionMetrics> regions = new TreeMap<>(Bytes.BYTES_COMPARATOR);
        regions.put(region.getRegionName(), metrics);
        when(ofServer.getRegionMetrics()).thenReturn(regions);
        ClusterMetrics cluster = mock(ClusterMetrics.class);
        when(cluster.getLiveServerMetrics()).thenReturn(Map.of(SERVER, ofServer));
        OpenSeqNumSource sequences =
                (server, name) -> server.equals(SERVER) && name.equals(region.getEncodedName()) ? 42 : -1;
        return ClusterMetricsReader.read(cluster, sequences).get(0).regions().get(0);
    }

    private static RegionInfo region(int replica) {
        return RegionInfoBuilder.newBuilder(TableName.valueOf("ns", "t"))
                .setStartKey(new byte[] {'a', ',', (byte) 0xff, '_', 0})
                .setRegionId(1_700_000_000_000L)
                .setReplicaId(replica)
                .build();
    }

    @Test
    void readsWhatTheServerSaysAndTheLifeThatTheMasterKnows() {
        RegionReport report = read(region(0));

        assertThat(report.region().encodedName()).isEqualTo(region(0).getEncodedName());
        assertThat(report.table().name()).isEqualTo("ns:t");
        assertThat(report.openSeqNum()).isEqualTo(42);
        assertThat(report.load())
                .isEqualTo(ReportedLoad.NONE
                        .with(LoadDimension.READS, 11)
                        .with(LoadDimension.WRITES, 22)
                        .with(LoadDimension.STORE_SIZE, 3L << 20)
                        .with(LoadDimension.MEMSTORE, 4L << 20));
    }

    @Test
    void theNameSaysWhereTheRegionCameFrom() {
        assertThat(read(region(0)).nameInfo()).contains(new RegionNameInfo("a,\u00ff_\0", 1_700_000_000_000L));
    }

    /** HBase does not look at it again when its configuration is reloaded. */
    @Test
    void aStatusPeriodThatIsNoNumberKeepsNoReportFromBeingRead() {
        Configuration site = new Configuration(false);
        site.set("hbase.balancer.statusPeriod", "20000");
        assertThat(ClusterMetricsReader.readEveryMs(site)).isEqualTo(18_000);
        site.set("hbase.balancer.statusPeriod", "60s");
        assertThat(ClusterMetricsReader.readEveryMs(site)).isEqualTo(54_000);
    }

    @Test
    void aReplicaHasNoOriginOfItsOwn() {
        assertThat(read(region(1)).nameInfo()).isEqualTo(Optional.empty());
    }

    @Test
    void theShareThatIsNotLocalIsByBytesOrByTheReportedLocality() {
        assertThat(read(region(0)).nonLocalShare()).as("unknown").isZero();
        when(metrics.getDataLocality()).thenReturn(0.25f);
        assertThat(read(region(0)).nonLocalShare()).as("by locality").isEqualTo(0.75);
        when(metrics.getBlocksTotalWeight()).thenReturn(1_000L);
        when(metrics.getBlocksLocalWeight()).thenReturn(0L);
        assertThat(read(region(0)).nonLocalShare()).as("by bytes").isEqualTo(1);
    }

    @Test
    void eachRegionIsOfItsTableHoweverAlikeTheNamesAre() {
        List<String> names = List.of("a", "aa", "ab", "ns:a", "ns:aa", "hbase:meta");
        Map<byte[], RegionMetrics> regions = new TreeMap<>(Bytes.BYTES_COMPARATOR);
        for (String name : names) {
            for (String startKey : List.of("", "a,", "ns:a,")) {
                RegionMetrics region = RegionMetricsBuilder.newBuilder(
                                RegionInfoBuilder.newBuilder(TableName.valueOf(name))
                                        .setStartKey(Bytes.toBytes(startKey))
                                        .build()
                                        .getRegionName())
                        .build();
                regions.put(region.getRegionName(), region);
            }
        }
        ServerMetrics ofServer = mock(ServerMetrics.class);
        when(ofServer.getRegionMetrics()).thenReturn(regions);

        List<RegionReport> read = ClusterMetricsReader.read(Map.of(SERVER, ofServer), OpenSeqNumSource.UNKNOWN)
                .get(0)
                .regions();

        assertThat(read).hasSameSizeAs(regions.keySet());
        for (RegionReport report : read) {
            byte[] regionName = regions.keySet().stream()
                    .filter(name -> HBaseNames.region(name).equals(report.region()))
                    .findFirst()
                    .orElseThrow();
            assertThat(report.table().name())
                    .as(Bytes.toStringBinary(regionName))
                    .isEqualTo(RegionInfo.getTable(regionName).getNameAsString());
        }
    }
}
