// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.doctor.hbase;

import static org.assertj.core.api.Assertions.assertThat;
import static org.mockito.Mockito.mock;
import static org.mockito.Mockito.when;

import com.sun.net.httpserver.HttpServer;
import io.hearth.doctor.capacity.ServerMemory;
import io.hearth.doctor.capacity.ServerMemory.CacheCounters;
import io.hearth.doctor.capacity.ServerMemory.Counters;
import io.hearth.doctor.capacity.ServerMemory.EffectiveConfig;
import io.hearth.doctor.capacity.ServerMemory.StoreLoad;
import io.hearth.doctor.capacity.TableStore;
import io.hearth.doctor.capacity.TableStore.Access;
import io.hearth.doctor.capacity.TableStore.Family;
import io.hearth.doctor.capacity.TableStore.Files;
import io.hearth.doctor.capacity.TableStore.Flushes;
import io.hearth.doctor.capacity.TableStore.Reads;
import io.hearth.doctor.model.ProbedCluster.ProbeResult;
import io.hearth.doctor.model.ProcessConfig;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hbase.CompatibilitySingletonFactory;
import org.apache.hadoop.hbase.HBaseConfiguration;
import org.apache.hadoop.hbase.KeyValue;
import org.apache.hadoop.hbase.RegionMetrics;
import org.apache.hadoop.hbase.ServerMetrics;
import org.apache.hadoop.hbase.ServerName;
import org.apache.hadoop.hbase.Size;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptorBuilder;
import org.apache.hadoop.hbase.client.RegionInfoBuilder;
import org.apache.hadoop.hbase.client.TableDescriptorBuilder;
import org.apache.hadoop.hbase.io.hfile.CacheConfig;
import org.apache.hadoop.hbase.io.hfile.HFile;
import org.apache.hadoop.hbase.io.hfile.HFileContextBuilder;
import org.apache.hadoop.hbase.regionserver.MetricsRegionServerSource;
import org.apache.hadoop.hbase.regionserver.MetricsRegionServerSourceFactory;
import org.apache.hadoop.hbase.regionserver.MetricsRegionServerWrapper;
import org.apache.hadoop.hbase.regionserver.MetricsTableAggregateSource;
import org.apache.hadoop.hbase.regionserver.MetricsTableWrapperAggregate;
import org.apache.hadoop.hbase.util.Bytes;
import org.apache.hadoop.metrics2.MetricsRecord;
import org.apache.hadoop.metrics2.MetricsSource;
import org.apache.hadoop.metrics2.impl.MetricsCollectorImpl;
import org.apache.hadoop.metrics2.source.JvmMetrics;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What is read of a RegionServer, and that HBase's own metrics have the names by which it is read. */
class CapacityProbeTest {

    private static final ProcessConfig DEFAULTS = new ProcessConfig(Map.of());

    /** The source that a RegionServer registers when it starts, made by HBase's own factory; the page has each metric by its name. */
    @Test
    void theCountersHaveTheNamesOfHBasesOwn() {
        MetricsRegionServerSource source = CompatibilitySingletonFactory.getInstance(
                        MetricsRegionServerSourceFactory.class)
                .createServer(mock(MetricsRegionServerWrapper.class));

        assertThat(names((MetricsSource) source))
                .containsAll(CapacityProbe.FLUSH_COUNTERS)
                .containsAll(CapacityProbe.CACHE_COUNTERS)
                .containsAll(CapacityProbe.PAUSE_COUNTERS);
        assertThat("Hadoop:service=HBase,name=" + source.getMetricsJmxContext()).isEqualTo(CapacityProbe.SERVER_BEAN);
    }

    @Test
    void theCountersOfGarbageCollectionHaveTheNamesOfHadoops() {
        assertThat(names(JvmMetrics.initSingleton("RegionServer", ""))).containsAll(CapacityProbe.GC_COUNTERS);
    }

    /** Of a table whose name has an underscore, in a namespace of its own; they are in one bean for all tables. */
    @Test
    void theFlushesOfATableHaveTheNamesOfHBasesOwn() {
        MetricsTableAggregateSource tables = CompatibilitySingletonFactory.getInstance(
                        MetricsRegionServerSourceFactory.class)
                .getTableAggregate();
        MetricsTableWrapperAggregate wrapper = mock(MetricsTableWrapperAggregate.class);
        when(wrapper.getMemStoreSize("ns:my_table")).thenReturn(1L);
        tables.getOrCreateTableSource("ns:my_table", wrapper).updateFlushMemstoreSize(7);

        String prefix = "Namespace_ns_table_my_table_metric_";
        assertThat(names((MetricsSource) tables))
                .contains(prefix + TableCounters.FLUSHES, prefix + TableCounters.FLUSHED);
        assertThat("Hadoop:service=HBase,name=" + tables.getMetricsJmxContext()).isEqualTo(TableCounters.TABLES_BEAN);
    }

    @Test
    void countersOfATableAreThoseOfAllServers() throws Exception {
        HttpServer server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        String reads = "{\"name\": \"" + TableCounters.READ_BEANS + "ns_table_my_table\", \"modelerType\": \"x\","
                + " \"GetTime_num_ops\": 40, \"ScanTime_num_ops\": 2, \"GetTime_mean\": 1.5}, {\"name\": \"other\"}";
        String prefix = "\"Namespace_ns_table_my_table_metric_";
        String flushes = "{\"name\": \"" + TableCounters.TABLES_BEAN + "\", " + prefix
                + "flushMemstoreSize_num_ops\": 3, " + prefix + "flushedMemstoreBytes\": 21, " + prefix
                + "flushMemstoreSize_mean\": 7.5}";
        server.createContext("/jmx", exchange -> {
            boolean ofReads = exchange.getRequestURI().toString().contains("TableRequests");
            byte[] page = ("{\"beans\": [" + (ofReads ? reads : flushes) + "]}").getBytes(StandardCharsets.UTF_8);
            exchange.sendResponseHeaders(200, page.length);
            exchange.getResponseBody().write(page);
            exchange.close();
        });
        server.start();
        try (ParallelProber prober = new ParallelProber(ClusterProbe.DoctorLimits.COMMAND_LINE)) {
            InfoServerClient ui =
                    InfoServerClient.at("http", "127.0.0.1", server.getAddress().getPort());

            TableCounters counters =
                    TableCounters.of(List.of(Optional.of(ui), Optional.empty(), Optional.of(ui)), prober);

            assertThat(counters.readsOf(TableName.valueOf("ns", "my_table")))
                    .isEqualTo(ProbeResult.known(new Reads(80, 4)));
            assertThat(counters.flushesOf(TableName.valueOf("ns", "my_table")))
                    .isEqualTo(ProbeResult.known(new Flushes(6, 42)));
            assertThat(counters.cacheHitShareOf(
                            TableName.valueOf("ns", "my_table"), List.of(caches(9, 1), caches(0, 1), caches(7, 3))))
                    .as("of the first and the third, which answer as many reads each")
                    .isEqualTo(ProbeResult.known(0.8));
            assertThat(counters.readsOf(TableName.valueOf("t")))
                    .isEqualTo(ProbeResult.unknown("no RegionServer counts its reads"
                            + " (hbase.regionserver.enable.table.latencies, on by default; HBase 2.6 or later)"));
            assertThat(counters.flushesOf(TableName.valueOf("t")))
                    .isEqualTo(ProbeResult.unknown("no RegionServer counts its flushes"));
        } finally {
            server.stop(0);
        }
    }

    /** Broken (its counters are asked for all the same): four times the limit of five seconds more for each of a thousand. */
    @Test
    void aServerThatDoesNotAnswerIsAskedOnce() throws Exception {
        Set<String> asked = ConcurrentHashMap.newKeySet();
        HttpServer server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.createContext("/", exchange -> {
            asked.add(exchange.getRequestURI().getPath());
            // The connection is closed without an answer.
            exchange.close();
        });
        server.start();
        ServerMetrics report = mock(ServerMetrics.class);
        when(report.getServerName()).thenReturn(ServerName.valueOf("host", 16020, 1_000));
        when(report.getMaxHeapSize()).thenReturn(new Size(12, Size.Unit.GIGABYTE));
        try {
            ServerMemory memory = CapacityProbe.server(
                    report,
                    61_000,
                    InfoServerClient.at("http", "127.0.0.1", server.getAddress().getPort()),
                    DEFAULTS);

            assertThat(asked).containsExactly("/conf");
            assertThat(memory.flushes().whyUnknown().orElseThrow()).startsWith("its web UI does not answer");
            assertThat(memory.config().note().orElseThrow())
                    .startsWith("Judged by the client's configuration: its web UI does not answer");
        } finally {
            server.stop(0);
        }
    }

    private static ServerMemory caches(long hits, long misses) {
        ServerMetrics report = mock(ServerMetrics.class);
        when(report.getServerName()).thenReturn(ServerName.valueOf("host", 16020, 1_000));
        when(report.getMaxHeapSize()).thenReturn(new Size(12, Size.Unit.GIGABYTE));
        return CapacityProbe.server(
                report,
                61_000,
                new EffectiveConfig(DEFAULTS, Optional.empty()),
                new Counters(
                        ProbeResult.unknown("not asked"),
                        ProbeResult.unknown("not asked"),
                        ProbeResult.known(new CacheCounters(0, 0, hits, misses, 0, 0))));
    }

    /** A store file that HBase writes: 1,000 cells whose keys have 20 bytes and whose values have 100. */
    @Test
    void theMeanCellIsThatOfAStoreFilesTrailer(@TempDir java.nio.file.Path folder) throws Exception {
        Configuration conf = HBaseConfiguration.create();
        FileSystem fs = FileSystem.getLocal(conf);
        Path file = new Path(folder.resolve("0123456789abcdef0123456789abcdef").toUri());
        try (HFile.Writer writer = HFile.getWriterFactory(conf, CacheConfig.DISABLED)
                .withPath(fs, file)
                .withFileContext(new HFileContextBuilder().withBlockSize(4_096).build())
                .create()) {
            for (int row = 0; row < 1_000; row++) {
                writer.append(new KeyValue(
                        Bytes.toBytes(String.format(java.util.Locale.ROOT, "%08d", row)),
                        Bytes.toBytes("f"),
                        Bytes.toBytes("q"),
                        1,
                        new byte[100]));
            }
        }

        // 8 bytes of lengths, 12 of the key's parts and 10 of row, family and qualifier, 100 of value, and what blocks
        // add.
        assertThat(StoreFileSample.ofFile(fs, file, conf).ifKnown().orElseThrow())
                .isBetween(130L, 140L);
    }

    private static Set<String> names(MetricsSource source) {
        MetricsCollectorImpl collector = new MetricsCollectorImpl();
        source.getMetrics(collector, true);
        return names(collector);
    }

    static Set<String> names(MetricsCollectorImpl collector) {
        // Hadoop 3.3 has a class of its own package here.
        List<? extends MetricsRecord> records = collector.getRecords();
        Set<String> names = new HashSet<>();
        records.forEach(metrics -> metrics.metrics().forEach(metric -> names.add(metric.name())));
        return names;
    }

    private static RegionMetrics region(int stores, int files, int megabytes, int indexKilobytes) {
        return region(0, stores, files, megabytes, indexKilobytes);
    }

    private static RegionMetrics region(int replica, int stores, int files, int megabytes, int indexKilobytes) {
        RegionMetrics region = mock(RegionMetrics.class);
        when(region.getRegionName())
                .thenReturn(RegionInfoBuilder.newBuilder(TableName.valueOf("t"))
                        .setReplicaId(replica)
                        .build()
                        .getRegionName());
        when(region.getStoreCount()).thenReturn(stores);
        when(region.getStoreFileCount()).thenReturn(files);
        when(region.getMemStoreSize()).thenReturn(new Size(1, Size.Unit.MEGABYTE));
        when(region.getStoreFileSize()).thenReturn(new Size(megabytes, Size.Unit.MEGABYTE));
        when(region.getUncompressedStoreFileSize()).thenReturn(new Size(2L * megabytes, Size.Unit.MEGABYTE));
        when(region.getStoreFileUncompressedDataIndexSize()).thenReturn(new Size(indexKilobytes, Size.Unit.KILOBYTE));
        when(region.getBloomFilterSize()).thenReturn(new Size(3, Size.Unit.KILOBYTE));
        return region;
    }

    @Test
    void aServersReportIsAddedUp() {
        Map<byte[], RegionMetrics> regions = new TreeMap<>(Bytes.BYTES_COMPARATOR);
        regions.put(Bytes.toBytes("a"), region(2, 5, 100, 10));
        regions.put(Bytes.toBytes("b"), region(2, 14, 100, 10));
        ServerMetrics report = mock(ServerMetrics.class);
        when(report.getServerName()).thenReturn(ServerName.valueOf("host1", 16020, 1_000));
        when(report.getMaxHeapSize()).thenReturn(new Size(12, Size.Unit.GIGABYTE));
        when(report.getRegionMetrics()).thenReturn(regions);

        ServerMemory server = CapacityProbe.server(
                report, 61_000, new EffectiveConfig(DEFAULTS, Optional.empty()), Counters.unknown("no web UI"));

        assertThat(server.host()).isEqualTo("host1");
        assertThat(server.sizing().heapBytes()).isEqualTo(12L << 30);
        assertThat(server.sizing().regions()).isEqualTo(2);
        assertThat(server.sizing().stores()).isEqualTo(4);
        assertThat(server.load()).isEqualTo(new StoreLoad(19, 7, 2L << 20, 60_000));
    }

    @Test
    void aTablesRegionsAreAddedUp() {
        TableStore table = CapacityProbe.table(
                TableDescriptorBuilder.newBuilder(TableName.valueOf("t"))
                        .setColumnFamily(ColumnFamilyDescriptorBuilder.newBuilder(Bytes.toBytes("f"))
                                .setBlocksize(16_384)
                                .build())
                        .build(),
                List.of(region(1, 3, 100, 10), region(1, 4, 300, 20)),
                Access.unknown("not asked"));

        assertThat(table)
                .isEqualTo(new TableStore(
                        "t",
                        List.of(100L << 20, 300L << 20),
                        new Files(7, 2L << 20, 800L << 20, 30L << 10, 6L << 10),
                        List.of(new Family("f", 16_384)),
                        Access.unknown("not asked")));
    }

    /** Replica 1 reads the files of replica 0. Broken (all reports are added up): 200 MB where 100 are. */
    @Test
    void whatRegionReplicasReadIsThereOnce() {
        TableStore table = CapacityProbe.table(
                TableDescriptorBuilder.newBuilder(TableName.valueOf("t"))
                        .setRegionReplication(2)
                        .setMaxFileSize(50L << 30)
                        .setColumnFamily(ColumnFamilyDescriptorBuilder.of("f"))
                        .build(),
                List.of(region(0, 1, 3, 100, 10), region(1, 1, 3, 100, 10)),
                Access.unknown("not asked"));

        assertThat(table.storeBytes()).isEqualTo(100L << 20);
        assertThat(table.files().uncompressedBytes()).isEqualTo(200L << 20);
        assertThat(table.files().indexBytes()).as("each server caches its own").isEqualTo(20L << 10);
        assertThat(table.regionBytes()).as("both are regions of a server").containsExactly(100L << 20, 100L << 20);
        assertThat(table.splitBytes()).hasValue(50L << 30);
    }

    @Test
    void aConfigurationThatCanNotBeReadIsThatOfTheClient() {
        ProcessConfig client = DEFAULTS.with("hbase.hstore.blockingStoreFiles", "20");

        assertThat(CapacityProbe.config(ProbeResult.unknown("its web UI answers 401"), client))
                .isEqualTo(new EffectiveConfig(
                        client, Optional.of("Judged by the client's configuration: its web UI answers 401.")));
        assertThat(CapacityProbe.config(ProbeResult.known(DEFAULTS), client))
                .isEqualTo(new EffectiveConfig(DEFAULTS, Optional.empty()));
    }

    @Test
    void aNumberThatIsNoneIsSaidAndDefaultsAreTaken() {
        ProcessConfig odd = DEFAULTS.with("hbase.hstore.blockingStoreFiles", "many");

        assertThat(CapacityProbe.config(ProbeResult.known(odd), DEFAULTS))
                .isEqualTo(new EffectiveConfig(
                        DEFAULTS,
                        Optional.of("Judged by HBase's defaults: hbase.hstore.blockingStoreFiles is many, which is not"
                                + " a whole number.")));
    }
}
