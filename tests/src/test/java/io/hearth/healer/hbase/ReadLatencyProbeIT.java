// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.healer.hbase;

import static org.assertj.core.api.Assertions.assertThat;

import io.hearth.healer.core.HealerServices.ReadProbe.Sample;
import io.hearth.healer.hbase.AssignmentSnapshotBuilder.RegionLocation;
import io.hearth.healer.hbase.HealerRuntime.KnownRegions;
import io.hearth.healer.model.DataNode;
import io.hearth.healer.model.DataNode.ServiceState;
import io.hearth.testkit.embedded.EmbeddedCluster;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import javax.management.JMException;
import javax.management.MBeanServer;
import javax.management.ObjectName;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.ServerName;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.BufferedMutator;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptorBuilder;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.ConnectionFactory;
import org.apache.hadoop.hbase.client.Delete;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.RegionInfo;
import org.apache.hadoop.hbase.client.RegionLocator;
import org.apache.hadoop.hbase.client.ResultScanner;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.client.Table;
import org.apache.hadoop.hbase.client.TableDescriptor;
import org.apache.hadoop.hbase.client.TableDescriptorBuilder;
import org.apache.hadoop.hbase.util.Bytes;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** The healer's read of a region's first cell where no cell is left: behind tombstones, and behind cells whose time is over. */
@Tag("soak")
@Tag("shared")
class ReadLatencyProbeIT {

    private static final DataNode NODE =
            new DataNode(new DataNode.Id("one"), "one-host", "127.0.0.1", "/r", ServiceState.IN_SERVICE);
    private static final int ROWS = 200_000;
    private static final int MOST_CALLS = 2;
    private static final byte[] FAMILY = Bytes.toBytes("f");
    private static final byte[] LAST_ROW = Bytes.toBytes("z");
    private static final long DAY_MS = TimeUnit.DAYS.toMillis(1);
    private static final int HOUR_SECONDS = 3_600;

    @Test
    void aReadBehindTombstonesOrExpiredCellsEndsAtOnce() throws Exception {
        try (EmbeddedCluster cluster = EmbeddedCluster.builder().shared()) {
            Configuration conf = cluster.configuration();
            conf.setBoolean("hbase.client.metrics.enable", true);
            try (Connection counted = ConnectionFactory.createConnection(conf)) {
                double ofPlainScan = assertReadIsShort(counted, deleted(cluster));
                // Broken (the scan is not raw): it passes over all tombstones, as a plain scan does, of which it took
                // 1/7 and 1/15.
                assertThat(ofPlainScan)
                        .as("the read behind tombstones, as a part of a plain scan")
                        .isLessThan(0.5);
                assertReadIsShort(counted, expired(cluster));
            }
        }
    }

    /** All rows were written, and all are deleted; none of that is compacted. */
    private static RegionInfo deleted(EmbeddedCluster cluster) throws IOException {
        TableName name = TableName.valueOf("deleted");
        cluster.admin().createTable(table(name, Integer.MAX_VALUE));
        try (BufferedMutator rows = cluster.connection().getBufferedMutator(name)) {
            for (int row = 0; row < ROWS; row++) {
                rows.mutate(new Put(row(row)).addColumn(FAMILY, FAMILY, FAMILY));
            }
            rows.flush();
            for (int row = 0; row < ROWS; row++) {
                rows.mutate(new Delete(row(row)));
            }
        }
        return flushed(cluster, name);
    }

    /** All cells but the last one are a day old, and are kept for an hour: a file without a fresh cell would not even be opened. */
    private static RegionInfo expired(EmbeddedCluster cluster) throws IOException {
        TableName name = TableName.valueOf("expired");
        cluster.admin().createTable(table(name, Integer.MAX_VALUE));
        long old = System.currentTimeMillis() - DAY_MS;
        try (BufferedMutator rows = cluster.connection().getBufferedMutator(name)) {
            for (int row = 0; row < ROWS; row++) {
                rows.mutate(new Put(row(row)).addColumn(FAMILY, FAMILY, old, FAMILY));
            }
            rows.mutate(new Put(LAST_ROW).addColumn(FAMILY, FAMILY, FAMILY));
        }
        RegionInfo region = flushed(cluster, name);
        cluster.admin().modifyTable(table(name, HOUR_SECONDS));
        return region;
    }

    private static byte[] row(int row) {
        return Bytes.toBytes("row%08d".formatted(row));
    }

    private static TableDescriptor table(TableName name, int timeToLiveSeconds) {
        return TableDescriptorBuilder.newBuilder(name)
                .setCompactionEnabled(false)
                .setColumnFamily(ColumnFamilyDescriptorBuilder.newBuilder(FAMILY)
                        .setTimeToLive(timeToLiveSeconds)
                        .build())
                .build();
    }

    private static RegionInfo flushed(EmbeddedCluster cluster, TableName name) throws IOException {
        cluster.admin().flush(name);
        return cluster.admin().getRegions(name).get(0);
    }

    /** Returns how long it took, as a part of a plain scan of the same. */
    private static double assertReadIsShort(Connection counted, RegionInfo region) throws Exception {
        try (RegionLocator locator = counted.getRegionLocator(region.getTable())) {
            // So that no call is for where the region is.
            locator.getRegionLocation(region.getStartKey(), true);
        }
        ReadLatencyProbe probe =
                new ReadLatencyProbe(new OneRegion(region), () -> counted, Runnable::run, System::nanoTime);
        long before = scanCalls();
        probe.takeSamples(List.of(NODE));
        long calls = scanCalls() - before;
        List<Long> micros =
                probe.takeSamples(List.of()).stream().map(Sample::micros).toList();

        assertThat(calls).as("calls for %s", region.getTable()).isBetween(1L, (long) MOST_CALLS);
        assertThat(micros).hasSize(1);
        assertThat(micros.get(0))
                .as("microseconds for the first cell of %s", region.getTable())
                .isLessThan(ReadLatencyProbe.LONGEST_MS * 1_000L);
        double plainScanMs = plainScanMs(counted, region.getTable());
        System.out.printf(
                "first cell of %s: %d calls, %.1f ms; by a plain scan %.1f ms%n",
                region.getTable(), calls, micros.get(0) / 1_000.0, plainScanMs);
        return micros.get(0) / 1_000.0 / plainScanMs;
    }

    /** A cluster's only region. */
    private record OneRegion(RegionInfo only) implements KnownRegions {

        private static final ServerName SERVER = ServerName.valueOf(NODE.host(), 16020, 1);

        @Override
        public Optional<RegionInfo> region(String encodedName) {
            return Optional.of(only).filter(region -> region.getEncodedName().equals(encodedName));
        }

        @Override
        public boolean isSplit(RegionInfo region) {
            return false;
        }

        @Override
        public List<RegionInfo> ofTable(TableName table) {
            return List.of(only);
        }

        @Override
        public List<RegionLocation> open() {
            return List.of(new RegionLocation(only, openOn(only)));
        }

        @Override
        public Optional<ServerName> openOn(RegionInfo region) {
            return Optional.of(SERVER);
        }
    }

    /** What a reader waits for who wants the first row that is left. */
    private static double plainScanMs(Connection counted, TableName name) throws IOException {
        long startNanos = System.nanoTime();
        try (Table table = counted.getTable(name);
                ResultScanner rows = table.getScanner(new Scan().setOneRowLimit())) {
            rows.next();
        }
        return (System.nanoTime() - startNanos) / 1e6;
    }

    /** How many scan calls this JVM's counted connections have made so far. */
    private static long scanCalls() throws JMException {
        MBeanServer beans = ManagementFactory.getPlatformMBeanServer();
        long calls = 0;
        for (ObjectName name : beans.queryNames(null, null)) {
            String metric = name.getKeyProperty("name");
            if (metric != null && metric.contains("rpcCallDurationMs_ClientService_Scan")) {
                calls += (Long) beans.getAttribute(name, "Count");
            }
        }
        return calls;
    }
}
