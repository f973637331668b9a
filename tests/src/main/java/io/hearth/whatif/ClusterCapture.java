package io.hearth.whatif;

import io.hearth.balancer.config.BalancerConfig;
import io.hearth.balancer.config.MapSettings;
import io.hearth.balancer.config.RawSettings;
import io.hearth.balancer.cost.TableBudgets;
import io.hearth.balancer.cost.TableWeights;
import io.hearth.balancer.dump.Provenance;
import io.hearth.balancer.engine.BalanceEngine;
import io.hearth.balancer.engine.RunLimits;
import io.hearth.balancer.engine.RunView;
import io.hearth.balancer.hbase.ClusterMetricsReader;
import io.hearth.balancer.hbase.ConfigurationSettings;
import io.hearth.balancer.hbase.Names;
import io.hearth.balancer.hbase.TableWeightsReader;
import io.hearth.balancer.load.ServerId;
import io.hearth.balancer.search.DirectedPlanner;
import io.hearth.balancer.snapshot.ClusterSnapshot;
import io.hearth.balancer.snapshot.LocalBytes;
import io.hearth.balancer.snapshot.RegionState;
import io.hearth.balancer.snapshot.ServerState;
import io.hearth.snapshotfile.SnapshotFile;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.ClusterMetrics;
import org.apache.hadoop.hbase.HDFSBlocksDistribution;
import org.apache.hadoop.hbase.ServerName;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.ConnectionFactory;
import org.apache.hadoop.hbase.client.RegionInfo;
import org.apache.hadoop.hbase.client.RegionInfoBuilder;
import org.apache.hadoop.hbase.client.RegionReplicaUtil;
import org.apache.hadoop.hbase.client.TableDescriptor;
import org.apache.hadoop.hbase.regionserver.HRegion;

/**
 * Takes a snapshot of a live cluster through its public client API: reports some seconds apart for the rates, table descriptors
 * for the weights, the reports' regions for the assignments and, where the file system can be reached, the blocks of each
 * region. It knows nothing of what the master remembers (cool-downs, pins, moves under way) and nothing of racks. Not
 * thread-safe.
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
            engine.tables(weights, TableBudgets.UNLIMITED);
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
        Set<ServerName> draining = new HashSet<>(admin.listDecommissionedRegionServers());
        Map<ServerId, List<RegionState>> regions = new TreeMap<>();
        Map<ServerId, ServerState> states = new HashMap<>();
        int count = 0;
        Map<String, LocalBytes> blocksByRegion = withBlocks ? blocks(admin) : Map.of();
        for (ServerName server : metrics.getLiveServerMetrics().keySet()) {
            List<RegionState> ofServer = new ArrayList<>();
            for (byte[] name : metrics.getLiveServerMetrics()
                    .get(server)
                    .getRegionMetrics()
                    .keySet()) {
                ofServer.add(region(view, name, blocksByRegion));
            }
            ServerId id = Names.server(server);
            states.put(id, new ServerState(id, ServerState.UNKNOWN_RACK, 1, !draining.contains(server)));
            regions.put(id, ofServer);
            count += ofServer.size();
        }
        RunLimits limits = RunLimits.of(
                site.getFloat("hbase.regions.slop", 0.2f),
                count,
                site.getFloat("hbase.master.balancer.stochastic.maxMovePercent", 1f));
        return new SnapshotFile(
                new Provenance(nowMs, "bin/hearth snapshot capture", metrics.getHBaseVersion()),
                ClusterSnapshot.of(regions, states),
                engine.goals(limits, nowMs));
    }

    private static RegionState region(RunView view, byte[] name, Map<String, LocalBytes> blocksByRegion)
            throws IOException {
        RegionInfo info = info(name);
        LocalBytes local = blocksByRegion.getOrDefault(Names.region(name).encodedName(), LocalBytes.UNKNOWN);
        return view.region(
                Names.region(name),
                Names.region(RegionReplicaUtil.getRegionInfoForDefaultReplica(info)),
                Names.table(info.getTable()),
                local,
                true);
    }

    /** As much of a region as its name says; its end key is not in it. */
    private static RegionInfo info(byte[] name) throws IOException {
        byte[][] parts = RegionInfo.parseRegionName(name);
        int replica = parts.length > 3 ? Integer.parseInt(new String(parts[3], StandardCharsets.UTF_8), 16) : 0;
        return RegionInfoBuilder.newBuilder(TableName.valueOf(parts[0]))
                .setStartKey(parts[1])
                .setRegionId(Long.parseLong(new String(parts[2], StandardCharsets.UTF_8)))
                .setReplicaId(replica)
                .build();
    }

    /** By encoded name; a region of which the NameNode can't be asked is missing. */
    private Map<String, LocalBytes> blocks(Admin admin) throws IOException {
        Map<String, LocalBytes> all = new HashMap<>();
        for (TableDescriptor table : admin.listTableDescriptors()) {
            for (RegionInfo region : admin.getRegions(table.getTableName())) {
                try {
                    all.put(region.getEncodedName(), local(HRegion.computeHDFSBlocksDistribution(site, table, region)));
                } catch (IOException unreachable) {
                    return Map.of();
                }
            }
        }
        return all;
    }

    private static LocalBytes local(HDFSBlocksDistribution blocks) {
        Map<String, Long> bytesByHost = new HashMap<>();
        blocks.getHostAndWeights().forEach((host, weight) -> bytesByHost.put(host, weight.getWeight()));
        return LocalBytes.of(blocks.getUniqueBlocksTotalWeight(), bytesByHost);
    }
}
