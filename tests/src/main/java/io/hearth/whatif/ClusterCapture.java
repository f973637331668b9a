package io.hearth.whatif;

import io.hearth.balancer.config.BalancerConfig;
import io.hearth.balancer.config.MapSettings;
import io.hearth.balancer.config.RawSettings;
import io.hearth.balancer.config.ServerCapacities;
import io.hearth.balancer.cost.TableWeights;
import io.hearth.balancer.dump.Provenance;
import io.hearth.balancer.engine.BalanceEngine;
import io.hearth.balancer.engine.RunLimits;
import io.hearth.balancer.engine.RunView;
import io.hearth.balancer.hbase.BlocksReader;
import io.hearth.balancer.hbase.ClusterMetricsReader;
import io.hearth.balancer.hbase.ConfigurationSettings;
import io.hearth.balancer.hbase.TableWeightsReader;
import io.hearth.balancer.search.DirectedPlanner;
import io.hearth.balancer.snapshot.ClusterSnapshot;
import io.hearth.balancer.snapshot.LocalBytes;
import io.hearth.snapshotfile.SnapshotFile;
import java.io.IOException;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.ClusterMetrics;
import org.apache.hadoop.hbase.ServerName;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.ConnectionFactory;
import org.apache.hadoop.hbase.client.RegionInfo;
import org.apache.hadoop.hbase.client.TableDescriptor;
import org.apache.hadoop.hbase.regionserver.HRegion;

/**
 * Takes a snapshot of a live cluster through its public client API: reports some seconds apart for the rates, table descriptors
 * for the weights, the reports' regions for the assignments and, where the file system can be reached, the blocks of each
 * region. Servers that are being emptied are left out with their regions, as the master does. It knows nothing of what the
 * master remembers (cool-downs, pins, moves under way and of the last hour) and nothing of racks. Not thread-safe.
 */
final class ClusterCapture {

    private static final String SITE = "hbase-site.xml";
    private static final String MIN_OBSERVED_KEY = "hearth.balancer.heat.min.observed.ms";
    private static final long BETWEEN_LOOKS_MS = 2_000;

    private final Configuration site;
    private final boolean withBlocks;

    ClusterCapture(Configuration site, boolean withBlocks) {
        this.site = site;
        this.withBlocks = withBlocks;
    }

    /** Looks for so many seconds. */
    SnapshotFile capture(int seconds) throws IOException {
        try (Connection connection = ConnectionFactory.createConnection(site);
                Admin admin = connection.getAdmin()) {
            RawSettings settings = new ConfigurationSettings(site);
            BalanceEngine engine = new BalanceEngine(config(settings), new DirectedPlanner()::plan);
            List<TableDescriptor> tables = admin.listTableDescriptors();
            TableWeights weights = TableWeightsReader.read(SITE, settings, tables);
            engine.tables(weights, TableWeightsReader.readBudgets(SITE, settings, tables));
            engine.neverHealed(HealedTables.never(site, tables));
            ClusterMetrics last = look(admin, engine, seconds);
            return file(admin, engine, last);
        }
    }

    /** A capture looks for seconds only, so that a region counts as known as soon as its rate can be told. */
    private static BalancerConfig config(RawSettings settings) {
        Map<String, String> values = new HashMap<>();
        for (String prefix : List.of("hearth.", "hbase.master.balancer.stochastic.")) {
            settings.keysWithPrefix(prefix)
                    .forEach(key -> settings.value(key).ifPresent(value -> values.put(key, value)));
        }
        values.put(MIN_OBSERVED_KEY, "1000");
        return BalancerConfig.read(SITE, new MapSettings(values), TableWeights::isSiteKey);
    }

    private static ClusterMetrics look(Admin admin, BalanceEngine engine, int seconds) throws IOException {
        long endMs = System.currentTimeMillis() + seconds * 1_000L;
        ClusterMetrics metrics = metrics(admin);
        engine.observe(ClusterMetricsReader.read(metrics), System.currentTimeMillis());
        while (System.currentTimeMillis() < endMs) {
            pause();
            metrics = metrics(admin);
            engine.observe(ClusterMetricsReader.read(metrics), System.currentTimeMillis());
        }
        return metrics;
    }

    private static ClusterMetrics metrics(Admin admin) throws IOException {
        return admin.getClusterMetrics(
                EnumSet.of(ClusterMetrics.Option.LIVE_SERVERS, ClusterMetrics.Option.HBASE_VERSION));
    }

    private static void pause() throws IOException {
        try {
            Thread.sleep(BETWEEN_LOOKS_MS);
        } catch (InterruptedException ended) {
            Thread.currentThread().interrupt();
            throw new IOException("the capture was interrupted", ended);
        }
    }

    private SnapshotFile file(Admin admin, BalanceEngine engine, ClusterMetrics metrics) throws IOException {
        long nowMs = System.currentTimeMillis();
        RunView view = engine.view(nowMs);
        Map<ServerName, Set<byte[]>> regionsByServer = new HashMap<>();
        metrics.getLiveServerMetrics()
                .forEach((server, ofServer) ->
                        regionsByServer.put(server, ofServer.getRegionMetrics().keySet()));
        regionsByServer.keySet().removeAll(admin.listDecommissionedRegionServers());
        ClusterSnapshot snapshot = CapturedCluster.snapshot(
                regionsByServer,
                ServerCapacities.read(SITE, new ConfigurationSettings(site)),
                view,
                withBlocks ? blocks(admin) : Map.of());
        RunLimits limits = RunLimits.of(
                site.getFloat("hbase.regions.slop", 0.2f),
                snapshot,
                site.getFloat("hbase.master.balancer.stochastic.maxMovePercent", 1f));
        return new SnapshotFile(
                new Provenance(nowMs, "bin/hearth snapshot capture", metrics.getHBaseVersion()),
                snapshot,
                engine.goals(limits, nowMs));
    }

    /** By encoded name; a region of which the NameNode can't be asked is missing. */
    private Map<String, LocalBytes> blocks(Admin admin) throws IOException {
        Map<String, LocalBytes> all = new HashMap<>();
        for (TableDescriptor table : admin.listTableDescriptors()) {
            for (RegionInfo region : admin.getRegions(table.getTableName())) {
                try {
                    all.put(
                            region.getEncodedName(),
                            BlocksReader.read(HRegion.computeHDFSBlocksDistribution(site, table, region)));
                } catch (IOException unreachable) {
                    return Map.of();
                }
            }
        }
        return all;
    }
}
