// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.doctor.hbase;

import io.hearth.common.log.PrintableName;
import io.hearth.doctor.capacity.MemstoreSizing;
import io.hearth.doctor.capacity.ObservedCluster;
import io.hearth.doctor.capacity.ObservedCluster.HdfsSpace;
import io.hearth.doctor.capacity.ServerMemory;
import io.hearth.doctor.capacity.ServerMemory.CacheCounters;
import io.hearth.doctor.capacity.ServerMemory.Counters;
import io.hearth.doctor.capacity.ServerMemory.EffectiveConfig;
import io.hearth.doctor.capacity.ServerMemory.FlushCounters;
import io.hearth.doctor.capacity.ServerMemory.GcCounters;
import io.hearth.doctor.capacity.ServerMemory.StoreLoad;
import io.hearth.doctor.capacity.TableStore;
import io.hearth.doctor.capacity.TableStore.Access;
import io.hearth.doctor.capacity.TableStore.Family;
import io.hearth.doctor.capacity.TableStore.Files;
import io.hearth.doctor.hbase.ClusterProbe.DoctorLimits;
import io.hearth.doctor.hdfs.HdfsProbe;
import io.hearth.doctor.model.HadoopKey;
import io.hearth.doctor.model.ProbedCluster.ProbeResult;
import io.hearth.doctor.model.ProcessConfig;
import io.hearth.healer.hbase.HealerUser;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.TreeMap;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.ClusterMetrics;
import org.apache.hadoop.hbase.RegionMetrics;
import org.apache.hadoop.hbase.ServerMetrics;
import org.apache.hadoop.hbase.Size;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptor;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.ConnectionFactory;
import org.apache.hadoop.hbase.client.RegionInfo;
import org.apache.hadoop.hbase.client.TableDescriptor;
import org.apache.hadoop.hbase.security.User;
import org.apache.hadoop.hbase.util.CommonFSUtils;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Reads what a cluster's memory, files and disks are, with a client's configuration alone: the HMaster's report of its servers, each
 * RegionServer's pages {@code /conf} and {@code /jmx}, and the NameNode. Each that does not answer within seconds is an unknown; only an
 * HMaster that can't be asked is an error. It changes nothing.
 */
public final class CapacityProbe {

    private static final Logger LOG = LoggerFactory.getLogger(CapacityProbe.class);
    static final String SERVER_BEAN = "Hadoop:service=HBase,name=RegionServer,sub=Server";
    static final String JVM_BEAN = "Hadoop:service=HBase,name=JvmMetrics";

    private static final String FLUSHES = "FlushMemstoreSize_num_ops";
    private static final String FLUSH_MEDIAN = "FlushMemstoreSize_median";
    private static final String FLUSHED = "flushedMemstoreBytes";
    private static final String FLUSH_WRITTEN = "flushedOutputBytes";
    private static final String COMPACTED = "compactedOutputBytes";
    private static final String QUEUE = "compactionQueueLength";
    private static final String BLOCKED_REQUESTS = "blockedRequestCount";
    private static final String BLOCKED_MS = "updatesBlockedTime";
    static final Set<String> FLUSH_COUNTERS =
            Set.of(FLUSHES, FLUSH_MEDIAN, FLUSHED, FLUSH_WRITTEN, COMPACTED, QUEUE, BLOCKED_REQUESTS, BLOCKED_MS);

    private static final String HEAP_CACHE = "l1CacheSize";
    private static final String ALL_CACHE = "blockCacheSize";
    private static final String HITS = "blockCacheHitCount";
    private static final String MISSES = "blockCacheMissCount";
    private static final String INDEX = "staticIndexSize";
    private static final String BLOOM = "staticBloomSize";
    static final Set<String> CACHE_COUNTERS = Set.of(HEAP_CACHE, ALL_CACHE, HITS, MISSES, INDEX, BLOOM);

    private static final String WARN_PAUSES = "pauseWarnThresholdExceeded";
    private static final String INFO_PAUSES = "pauseInfoThresholdExceeded";
    static final Set<String> PAUSE_COUNTERS = Set.of(WARN_PAUSES, INFO_PAUSES);

    private static final String COLLECTIONS = "GcCount";
    private static final String GC_MS = "GcTimeMillis";
    static final Set<String> GC_COUNTERS = Set.of(COLLECTIONS, GC_MS);

    /** What is reckoned with beside the memstores' keys. */
    private static final List<HadoopKey> NUMBERS =
            List.of(HadoopKey.BLOCKING_STORE_FILES, HadoopKey.BLOCKING_WAIT_MS, HadoopKey.BLOCK_MULTIPLIER);

    private static final Duration MAX_WAIT = Duration.ofSeconds(60);
    private static final int MAX_SAMPLED_TABLES = 50;

    /** Table, start key and id. */
    private static final int PARTS_WITHOUT_REPLICA = 3;

    private static final String NO_UI = "it has no web UI (hbase.regionserver.info.port)";

    private final Configuration conf;
    private final ParallelProber prober;
    private final ProcessConfig fallbackConfig;

    private CapacityProbe(Configuration conf, ParallelProber prober) {
        this.conf = conf;
        this.prober = prober;
        fallbackConfig = LocalConfigReader.of(conf);
    }

    /**
     * Reads it.
     *
     * @param nowMs in milliseconds since 1970
     * @throws IOException if HBase can't be asked
     */
    public static ObservedCluster observe(Configuration conf, DoctorLimits limits, long nowMs) throws IOException {
        try (ParallelProber prober = new ParallelProber(limits)) {
            HealerUser user = prober.within("Kerberos", MAX_WAIT, () -> HealerUser.login(conf));
            return new CapacityProbe(conf, prober).observe(user, nowMs);
        }
    }

    private ObservedCluster observe(HealerUser user, long nowMs) throws IOException {
        long splitBytes = ofClient(HadoopKey.REGION_BYTES);
        int replication = (int) Math.min(Integer.MAX_VALUE, ofClient(HadoopKey.REPLICATION));
        Asked asked = prober.within("the HMaster", MAX_WAIT, () -> Asked.of(conf, user));
        // First, since a thousand web UIs behind a firewall take all the time there is.
        ProbeResult<HdfsSpace> space = space(user);
        List<ServerMetrics> reports = asked.metrics().getLiveServerMetrics().values().stream()
                .sorted(Comparator.comparing(ServerMetrics::getServerName))
                .toList();
        List<ServerMemory> servers = servers(reports, nowMs);
        List<Optional<InfoServerClient>> uis = new ArrayList<>();
        for (int index = 0; index < servers.size(); index++) {
            uis.add(isSilent(servers.get(index)) ? Optional.empty() : ui(reports.get(index)));
        }
        TableCounters counters = TableCounters.of(uis, prober);
        return new ObservedCluster(
                nowMs, servers, tables(asked, servers, counters, user), splitBytes, replication, space);
    }

    private static boolean isSilent(ServerMemory server) {
        return server.flushes()
                .whyUnknown()
                .filter(InfoServerClient::isNoAnswer)
                .isPresent();
    }

    private long ofClient(HadoopKey key) throws IOException {
        try {
            return fallbackConfig.number(key);
        } catch (IllegalArgumentException noNumber) {
            throw new IOException("by the client's configuration " + noNumber.getMessage(), noNumber);
        }
    }

    /** What the HMaster says. */
    private record Asked(ClusterMetrics metrics, List<TableDescriptor> tables) {

        static Asked of(Configuration conf, HealerUser user) throws IOException {
            try (Connection connection = ConnectionFactory.createConnection(conf, User.create(user.ugi()));
                    Admin admin = connection.getAdmin()) {
                ClusterMetrics metrics = admin.getClusterMetrics(EnumSet.of(ClusterMetrics.Option.LIVE_SERVERS));
                List<TableDescriptor> tables = admin.listTableDescriptors();
                HiddenTables.why(metrics.getLiveServerMetrics().values(), tables, admin)
                        .ifPresent(why -> LOG.warn("The HMaster shows {}. What it hides is left out.", why));
                return new Asked(metrics, tables);
            }
        }
    }

    private ProbeResult<HdfsSpace> space(HealerUser user) {
        try (HdfsProbe hdfs = prober.within(
                "the NameNode", MAX_WAIT, () -> user.doAs(() -> HdfsProbe.of(CommonFSUtils.getRootDir(conf), conf)))) {
            return prober.within("the NameNode", MAX_WAIT, () -> user.doAs(hdfs::space));
        } catch (IOException notThere) {
            return ProbeResult.unknown("HDFS can't be asked: "
                    + String.valueOf(notThere.getMessage()).lines().findFirst().orElse(""));
        }
    }

    private List<ServerMemory> servers(List<ServerMetrics> reports, long nowMs) {
        return prober.each(
                reports,
                report -> ui(report)
                        .map(ui -> server(report, nowMs, ui, fallbackConfig))
                        .orElseGet(() -> silent(report, nowMs, NO_UI)),
                (report, why) -> silent(report, nowMs, why));
    }

    private Optional<InfoServerClient> ui(ServerMetrics report) {
        String scheme = conf.getBoolean("hbase.ssl.enabled", false) ? "https" : "http";
        return report.getInfoServerPort() <= 0
                ? Optional.empty()
                : Optional.of(
                        InfoServerClient.at(scheme, report.getServerName().getHostname(), report.getInfoServerPort()));
    }

    /** One that does not answer is asked once: a port that is shut costs the whole limit of time each time. */
    static ServerMemory server(ServerMetrics report, long nowMs, InfoServerClient ui, ProcessConfig fallback) {
        ProbeResult<ProcessConfig> settings = ui.settings();
        Counters counters = settings.whyUnknown()
                .filter(InfoServerClient::isNoAnswer)
                .map(Counters::unknown)
                .orElseGet(() -> new Counters(flushes(ui), gc(ui), cache(ui)));
        return server(report, nowMs, config(settings, fallback), counters);
    }

    private ServerMemory silent(ServerMetrics report, long nowMs, String why) {
        return server(report, nowMs, config(ProbeResult.unknown(why), fallbackConfig), Counters.unknown(why));
    }

    /** Its own configuration; else that of whoever asks; where a number of it is none, HBase's defaults. */
    static EffectiveConfig config(ProbeResult<ProcessConfig> own, ProcessConfig fallback) {
        ProcessConfig settings = own.ifKnown().orElse(fallback);
        try {
            NUMBERS.forEach(settings::number);
            MemstoreSizing.of(1, 1, 1, settings);
        } catch (IllegalArgumentException noNumber) {
            return new EffectiveConfig(
                    new ProcessConfig(Map.of()),
                    Optional.of("Judged by HBase's defaults: " + noNumber.getMessage() + "."));
        }
        return new EffectiveConfig(
                settings, own.whyUnknown().map(why -> "Judged by the client's configuration: " + why + "."));
    }

    static ServerMemory server(ServerMetrics report, long nowMs, EffectiveConfig config, Counters counters) {
        int stores = 0;
        int files = 0;
        int most = 0;
        long memstoreBytes = 0;
        for (RegionMetrics region : report.getRegionMetrics().values()) {
            stores += region.getStoreCount();
            files += region.getStoreFileCount();
            most = Math.max(most, RegionServers.ceiling(region.getStoreFileCount(), region.getStoreCount()));
            memstoreBytes += bytes(region.getMemStoreSize());
        }
        return new ServerMemory(
                PrintableName.of(report.getServerName().getHostname()),
                config,
                MemstoreSizing.of(
                        bytes(report.getMaxHeapSize()),
                        report.getRegionMetrics().size(),
                        stores,
                        config.settings()),
                new StoreLoad(
                        files,
                        most,
                        memstoreBytes,
                        Math.max(0, nowMs - report.getServerName().getStartCode())),
                counters);
    }

    private static ProbeResult<FlushCounters> flushes(InfoServerClient ui) {
        return ui.counts(
                SERVER_BEAN,
                FLUSH_COUNTERS,
                count -> new FlushCounters(
                        count.applyAsLong(FLUSHES),
                        count.applyAsLong(FLUSHED),
                        count.applyAsLong(FLUSH_WRITTEN),
                        count.applyAsLong(COMPACTED),
                        count.applyAsLong(FLUSH_MEDIAN),
                        count.applyAsLong(QUEUE),
                        count.applyAsLong(BLOCKED_REQUESTS),
                        count.applyAsLong(BLOCKED_MS)));
    }

    private static ProbeResult<GcCounters> gc(InfoServerClient ui) {
        ProbeResult<GcCounters> time = ui.counts(
                JVM_BEAN,
                GC_COUNTERS,
                count -> new GcCounters(count.applyAsLong(COLLECTIONS), count.applyAsLong(GC_MS), 0, 0));
        ProbeResult<GcCounters> pauses = ui.counts(
                SERVER_BEAN,
                PAUSE_COUNTERS,
                count -> new GcCounters(0, 0, count.applyAsLong(WARN_PAUSES), count.applyAsLong(INFO_PAUSES)));
        return time.ifKnown()
                .map(spent -> pauses.ifKnown()
                        .map(paused -> ProbeResult.known(new GcCounters(
                                spent.collections(), spent.gcMs(), paused.warnPauses(), paused.infoPauses())))
                        .orElse(pauses))
                .orElse(time);
    }

    private static ProbeResult<CacheCounters> cache(InfoServerClient ui) {
        return ui.counts(
                SERVER_BEAN,
                CACHE_COUNTERS,
                count -> new CacheCounters(
                        count.applyAsLong(HEAP_CACHE),
                        Math.max(0, count.applyAsLong(ALL_CACHE) - count.applyAsLong(HEAP_CACHE)),
                        count.applyAsLong(HITS),
                        count.applyAsLong(MISSES),
                        count.applyAsLong(INDEX),
                        count.applyAsLong(BLOOM)));
    }

    /** A table of users and the reports of its regions. */
    private record TableRegions(TableDescriptor table, List<RegionMetrics> regions) {}

    private List<TableStore> tables(Asked asked, List<ServerMemory> servers, TableCounters counters, HealerUser user) {
        Map<TableName, List<RegionMetrics>> regionsByTable = new TreeMap<>();
        asked.metrics().getLiveServerMetrics().values().forEach(report -> report.getRegionMetrics()
                .forEach((name, region) -> regionsByTable
                        .computeIfAbsent(RegionInfo.getTable(name), first -> new ArrayList<>())
                        .add(region)));
        List<TableRegions> tables = asked.tables().stream()
                .filter(table -> !table.getTableName().isSystemTable())
                .sorted(Comparator.comparing(TableDescriptor::getTableName))
                .map(table -> new TableRegions(table, regionsByTable.getOrDefault(table.getTableName(), List.of())))
                .toList();
        List<ProbeResult<Long>> cells = prober.each(
                tables.stream().limit(MAX_SAMPLED_TABLES).toList(),
                // An HDFS that hangs is not waited for until the end.
                MAX_WAIT,
                table -> cell(table, user),
                (table, why) -> ProbeResult.<Long>unknown(why));
        List<TableStore> stores = new ArrayList<>();
        for (int index = 0; index < tables.size(); index++) {
            TableRegions table = tables.get(index);
            TableName name = table.table().getTableName();
            ProbeResult<Long> cell = index < cells.size()
                    ? cells.get(index)
                    : ProbeResult.unknown("only the first " + MAX_SAMPLED_TABLES + " tables are sampled");
            stores.add(table(
                    table.table(),
                    table.regions(),
                    new Access(
                            counters.readsOf(name),
                            counters.flushesOf(name),
                            cell,
                            counters.cacheHitShareOf(name, servers))));
        }
        return stores;
    }

    private ProbeResult<Long> cell(TableRegions table, HealerUser user) {
        Optional<String> largest = largest(table.regions());
        if (largest.isEmpty()) {
            return ProbeResult.unknown("it has no store file");
        }
        try {
            return user.doAs(
                    () -> StoreFileSample.meanCellBytes(conf, table.table().getTableName(), largest.get()));
        } catch (IOException unreadable) {
            return ProbeResult.unknown(
                    String.valueOf(unreadable.getMessage()).lines().findFirst().orElse(""));
        }
    }

    private static Optional<String> largest(List<RegionMetrics> regions) {
        return regions.stream()
                .filter(region -> isPrimary(region) && bytes(region.getStoreFileSize()) > 0)
                .max(Comparator.comparingLong(region -> bytes(region.getStoreFileSize())))
                .map(region -> RegionInfo.encodeRegionName(region.getRegionName()));
    }

    /** A region replica has no files of its own: it reads and reports those of its primary. */
    private static boolean isPrimary(RegionMetrics region) {
        byte[][] parts = RegionInfo.parseRegionNameOrReturnNull(region.getRegionName());
        return parts == null || parts.length == PARTS_WITHOUT_REPLICA;
    }

    static TableStore table(TableDescriptor table, List<RegionMetrics> regions, Access access) {
        int files = 0;
        long storeBytes = 0;
        long memstoreBytes = 0;
        long uncompressedBytes = 0;
        long indexBytes = 0;
        long bloomBytes = 0;
        List<Long> regionBytes = new ArrayList<>();
        for (RegionMetrics region : regions) {
            regionBytes.add(bytes(region.getStoreFileSize()));
            files += region.getStoreFileCount();
            memstoreBytes += bytes(region.getMemStoreSize());
            if (isPrimary(region)) {
                storeBytes += bytes(region.getStoreFileSize());
                uncompressedBytes += bytes(region.getUncompressedStoreFileSize());
            }
            indexBytes += bytes(region.getStoreFileUncompressedDataIndexSize());
            bloomBytes += bytes(region.getBloomFilterSize());
        }
        return new TableStore(
                PrintableName.of(table.getTableName().getNameAsString()),
                regionBytes,
                storeBytes,
                table.getMaxFileSize() > 0 ? OptionalLong.of(table.getMaxFileSize()) : OptionalLong.empty(),
                new Files(files, memstoreBytes, uncompressedBytes, indexBytes, bloomBytes),
                Arrays.stream(table.getColumnFamilies())
                        .map(CapacityProbe::family)
                        .toList(),
                access);
    }

    private static Family family(ColumnFamilyDescriptor family) {
        return new Family(PrintableName.of(family.getNameAsString()), family.getBlocksize());
    }

    private static long bytes(Size size) {
        return (long) size.get(Size.Unit.BYTE);
    }
}
