// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.cli.client;

import io.hearth.balancer.config.BalancerConfig;
import io.hearth.balancer.config.ServerCapacities;
import io.hearth.balancer.config.TableWeights;
import io.hearth.balancer.engine.BalanceEngine;
import io.hearth.balancer.engine.RegionExplainer.AskedRegion;
import io.hearth.balancer.hbase.CanaryTable;
import io.hearth.balancer.hbase.ClusterMetricsReader;
import io.hearth.balancer.hbase.HBaseNames;
import io.hearth.balancer.hbase.OpenSeqNumSource;
import io.hearth.balancer.hbase.TableWeightsReader;
import io.hearth.balancer.heat.ingest.ServerReport.ReportBatch;
import io.hearth.balancer.planner.DirectedPlanner;
import io.hearth.cli.heal.RegionMetricsFetcher;
import io.hearth.common.config.RawSettings;
import io.hearth.common.config.RawSettings.MapSettings;
import io.hearth.common.hadoop.ConfigurationSettings;
import io.hearth.common.model.TableId;
import io.hearth.doctor.hbase.HiddenTables;
import io.hearth.healer.config.HealPolicySettings.HealingMode;
import io.hearth.healer.config.HealingSettings;
import io.hearth.healer.config.HealingSettings.HealingConfig;
import io.hearth.healer.config.TableHealing;
import io.hearth.healer.model.ServedRegion.TableHealingMode;
import java.io.Closeable;
import java.io.IOException;
import java.time.Duration;
import java.util.Arrays;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.ServerMetrics;
import org.apache.hadoop.hbase.ServerName;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.RegionInfo;
import org.apache.hadoop.hbase.client.TableDescriptor;
import org.apache.hadoop.hbase.coprocessor.CoprocessorHost;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A live cluster as a client sees it: its servers' reports, read again and again so that heat is learnt, and its tables'
 * descriptors. It knows nothing of what a master remembers (cool-downs, pins, moves under way and of the last hour), nothing of racks, and
 * of a server that does not answer only that there is one. Used by one thread.
 */
public final class LiveCluster implements Closeable {

    static final String SITE = "hbase-site.xml";
    private static final Logger LOG = LoggerFactory.getLogger(LiveCluster.class);
    private static final String MIN_OBSERVED_KEY = "hearth.balancer.heat.min.observed.ms";
    private static final String HALF_LIFE_KEY = "hearth.balancer.heat.half.life.ms";
    private static final String RECENT_HALF_LIFE_KEY = "hearth.balancer.heat.recent.half.life.ms";
    private static final long BETWEEN_READINGS_MS = 2_000;

    private final Connection connection;
    private final Configuration site;
    private final BalancerConfig config;
    private final RegionMetricsFetcher reports;
    private final BalanceEngine engine;
    private final List<TableDescriptor> tables;
    private final Duration longest;
    private Map<ServerName, ServerMetrics> last = Map.of();
    private int silentServers;
    private boolean isSilenceSaid;
    private boolean isComparedWithReports;

    private LiveCluster(Connection connection, Configuration site, BalancerConfig config, Duration longest)
            throws IOException {
        this.connection = connection;
        this.longest = longest;
        this.site = site;
        this.config = config;
        reports = new RegionMetricsFetcher(connection);
        engine = new BalanceEngine(config, new DirectedPlanner()::plan);
        RawSettings settings = new ConfigurationSettings(site);
        try (Admin admin = connection.getAdmin()) {
            tables = admin.listTableDescriptors();
        }
        TableWeights weights = TableWeightsReader.read(SITE, settings, tables);
        engine.tables(weights, TableWeightsReader.readBudgets(SITE, settings, tables));
        engine.neverHealed(UnhealedTables.never(site, tables));
    }

    /** For a plan: heat decays as the site says, and is known from the second reading on. */
    public static LiveCluster forPlanning(Connection connection, Configuration site) throws IOException {
        return new LiveCluster(connection, site, config(site, Map.of()), RegionMetricsFetcher.LONGEST);
    }

    /** For a person who wants to see what is going on now: heat is that of the last seconds. */
    public static LiveCluster forDisplay(Connection connection, Configuration site) throws IOException {
        return forDisplay(connection, site, RegionMetricsFetcher.LONGEST);
    }

    /** The same, where servers have so long for an answer. */
    public static LiveCluster forDisplay(Connection connection, Configuration site, Duration longest)
            throws IOException {
        return new LiveCluster(
                connection, site, config(site, Map.of(HALF_LIFE_KEY, "10000", RECENT_HALF_LIFE_KEY, "2000")), longest);
    }

    private static BalancerConfig config(Configuration site, Map<String, String> others) {
        RawSettings settings = new ConfigurationSettings(site);
        Map<String, String> values = new HashMap<>();
        for (String prefix : List.of("hearth.", "hbase.master.balancer.stochastic.")) {
            settings.keysWithPrefix(prefix)
                    .forEach(key -> settings.value(key).ifPresent(value -> values.put(key, value)));
        }
        values.put(MIN_OBSERVED_KEY, "1000");
        values.putAll(others);
        return BalancerConfig.read(SITE, new MapSettings(values), TableWeights::isSiteKey);
    }

    /** Reads the reports for so many seconds, twice at least. */
    public void observe(int seconds) throws IOException {
        long endNanos = System.nanoTime() + TimeUnit.SECONDS.toNanos(seconds);
        observe();
        do {
            pause(BETWEEN_READINGS_MS);
            observe();
        } while (System.nanoTime() - endNanos < 0);
    }

    /** Reads the reports once. */
    public void observe() throws IOException {
        try (Admin admin = connection.getAdmin()) {
            Collection<ServerName> live = admin.getRegionServers();
            last = reports.ask(live, longest);
            silentServers = live.size() - last.size();
            if (silentServers > 0 && !isSilenceSaid) {
                isSilenceSaid = true;
                LOG.warn(
                        "{} of {} RegionServers have not answered: what is shown or planned is without them.",
                        silentServers,
                        live.size());
            }
            if (last.isEmpty() && !live.isEmpty()) {
                throw new IOException("none of its " + live.size() + " RegionServers answers");
            }
            if (!isComparedWithReports) {
                isComparedWithReports = true;
                HiddenTables.why(last.values(), tables, admin)
                        .ifPresent(why -> LOG.warn("HBase shows {}. What it says of itself is not known here.", why));
            }
        }
        engine.observe(
                ReportBatch.ofAll(ClusterMetricsReader.read(last, OpenSeqNumSource.UNKNOWN)),
                System.currentTimeMillis(),
                TimeUnit.NANOSECONDS.toMillis(System.nanoTime()));
    }

    static void pause(long ms) throws IOException {
        try {
            Thread.sleep(ms);
        } catch (InterruptedException ended) {
            Thread.currentThread().interrupt();
            throw new IOException("it was interrupted", ended);
        }
    }

    Connection connection() {
        return connection;
    }

    Configuration site() {
        return site;
    }

    BalancerConfig config() {
        return config;
    }

    BalanceEngine engine() {
        return engine;
    }

    /** Whether this is the canary table, by what it said of itself at the beginning. */
    boolean isCanary(TableName table) {
        return new CanaryTable(config.slo().canaryTable(), name -> tables.stream()
                        .filter(known -> known.getTableName().equals(name))
                        .findFirst())
                .test(table);
    }

    List<TableDescriptor> tables() {
        return tables;
    }

    ServerCapacities capacities() {
        return ServerCapacities.read(SITE, new ConfigurationSettings(site));
    }

    /** How many live servers did not answer, and are in nothing that is told. */
    int silentServers() {
        return silentServers;
    }

    /** The last reports of the servers that answered. */
    Map<ServerName, ServerMetrics> lastReports() {
        return last;
    }

    /**
     * The region of this encoded name, where one of the servers that answered has it.
     *
     * @param draining the servers that are being emptied
     */
    Optional<AskedRegion> region(String encodedName, Collection<ServerName> draining) {
        for (Map.Entry<ServerName, ServerMetrics> report : last.entrySet()) {
            for (byte[] name : report.getValue().getRegionMetrics().keySet()) {
                if (RegionInfo.encodeRegionName(name).equals(encodedName)) {
                    return Optional.of(new AskedRegion(
                            HBaseNames.region(name),
                            HBaseNames.table(RegionInfo.getTable(name)),
                            Optional.of(HBaseNames.server(report.getKey())),
                            draining.contains(report.getKey())));
                }
            }
        }
        return Optional.empty();
    }

    @Override
    public void close() {
        reports.close();
    }

    /** Says which tables no healer heals, by the configuration of the cluster and by what the tables say of themselves. */
    static final class UnhealedTables {

        private static final String SITE = "hbase-site.xml";
        private static final String HEALER = "io.hearth.healer.hbase.LocalityHealingObserver";

        private UnhealedTables() {}

        /** Those of these tables whose bytes stay remote where a move leaves them remote. */
        static Set<TableId> never(Configuration site, Collection<TableDescriptor> tables) {
            boolean heals = heals(site);
            return tables.stream()
                    .filter(table -> !heals || isOff(table, site))
                    .map(table -> HBaseNames.table(table.getTableName()))
                    .collect(Collectors.toSet());
        }

        private static boolean heals(Configuration site) {
            HealingConfig config =
                    HealingSettings.read(SITE, new ConfigurationSettings(site)).config();
            return Arrays.asList(site.getTrimmedStrings(CoprocessorHost.MASTER_COPROCESSOR_CONF_KEY))
                            .contains(HEALER)
                    && config.enabled()
                    && config.policy().mode() == HealingMode.ACT;
        }

        private static boolean isOff(TableDescriptor table, Configuration site) {
            return TableHealing.read(
                                    HBaseNames.table(table.getTableName()),
                                    TableWeightsReader.settings(table).value(TableHealing.KEY),
                                    SITE,
                                    new ConfigurationSettings(site))
                            .mode()
                    == TableHealingMode.OFF;
        }
    }
}
