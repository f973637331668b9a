package io.hearth.chaos;

import io.hearth.cluster.ClusterHost;
import io.hearth.demo.NameNodeWatch;
import io.hearth.demo.measure.BlockCensus;
import io.hearth.demo.measure.LocalityCensus;
import io.hearth.procs.ProcessCluster;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.function.BooleanSupplier;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hbase.HBaseConfiguration;
import org.apache.hadoop.hbase.ServerName;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.ConnectionFactory;

/**
 * One fault on a running cluster: a table is loaded and all at home, clients read and write, regions are moved so that their blocks
 * have to follow, something breaks while they do, and then all must be as it was.
 */
final class ChaosRun implements AutoCloseable {

    /** Fast to notice and slow to move, so that there is time to break something. */
    private static final Map<String, String> PACE =
            Map.of("hearth.heal.poll.ms", "1000", "hearth.heal.settle.ms", "2000", "hearth.heal.bandwidth", "2000000");

    private static final Duration REPAIR_LIMIT = Duration.ofMinutes(3);
    private static final Duration CONVERGENCE_LIMIT = Duration.ofMinutes(4);
    private static final Duration MOVES_LIMIT = Duration.ofMinutes(1);
    private static final long LOOK_MS = 1_000;
    private static final long QUICK_LOOK_MS = 100;

    private final ProcessCluster cluster;
    private final Configuration conf;
    private final Connection connection;
    private final FileSystem fileSystem;
    private final HealerGauges gauges;

    ChaosRun(ProcessCluster cluster) throws IOException {
        this.cluster = cluster;
        this.conf = HBaseConfiguration.create();
        for (String file : List.of("core-site.xml", "hdfs-site.xml", "hbase-site.xml")) {
            conf.addResource(new Path(cluster.conf().resolve(file).toUri()));
        }
        this.connection = ConnectionFactory.createConnection(conf);
        this.fileSystem = FileSystem.newInstance(conf);
        this.gauges = new HealerGauges(cluster);
    }

    /** Runs it to its end, whatever comes of it. */
    FaultResult run(Fault fault, long seed) throws Exception {
        cluster.repair(REPAIR_LIMIT);
        SplittableRandom random = new SplittableRandom(seed);
        ChaosTable table = table("hearth_chaos");
        ChaosTable toDrop = table("hearth_chaos_dropped");
        table.create();
        if (fault == Fault.TABLE_DROPPED) {
            toDrop.create();
        }
        try (Admin admin = connection.getAdmin();
                LiveSettings settings = new LiveSettings(cluster.conf(), admin);
                AcknowledgedLoad load = AcknowledgedLoad.start(connection, table, seed)) {
            settings.set(PACE);
            admin.balancerSwitch(true, true);
            List<String> violations = new ArrayList<>();
            if (!await(CONVERGENCE_LIMIT, LOOK_MS, () -> isWhole(table))) {
                violations.add("before the fault: " + state(table));
            }
            BlockCensus before = BlockCensus.of(table.census());
            List<ClusterHost> workers = cluster.layout().workers();
            ClusterHost target = workers.get(random.nextInt(workers.size()));
            int moved = table.moveTo(server(admin, target))
                    + (fault == Fault.TABLE_DROPPED ? toDrop.moveTo(server(admin, target)) : 0);
            await(MOVES_LIMIT, QUICK_LOOK_MS, () -> movesAhead().orElse(0L) > 0);
            long movesAhead = movesAhead().orElse(0L);
            violations.addAll(
                    new Injection(cluster, gauges, admin, settings, random).run(fault, target, table, toDrop));
            long start = System.nanoTime();
            cluster.repair(REPAIR_LIMIT);
            // Another HMaster may be active by now, which has not heard of it.
            settings.set(PACE);
            if (!await(CONVERGENCE_LIMIT, LOOK_MS, () -> isWhole(table))) {
                violations.add(CONVERGENCE_LIMIT.toSeconds() + " s after the fault: " + state(table));
            }
            long seconds = (System.nanoTime() - start) / 1_000_000_000;
            load.stop();
            violations.addAll(harm(table, load, before));
            table.drop();
            return new FaultResult(
                    fault, seed, moved, movesAhead, seconds, load.requests(), load.acknowledgedRows(), violations);
        }
    }

    private List<String> harm(ChaosTable table, AcknowledgedLoad load, BlockCensus before) throws Exception {
        List<String> harm = new ArrayList<>();
        if (load.errors() > 0) {
            harm.add(load.errors() + " client errors, the first: "
                    + load.firstError().map(ChaosRun::oneLine).orElse("unknown"));
        }
        count(harm, load.acknowledgedRowsLost(), "rows were acknowledged and are lost");
        count(harm, table.loadedRowsLost(), "loaded rows are lost");
        BlockCensus.Comparison blocks = BlockCensus.of(table.census()).since(before);
        count(harm, blocks.racksLost(), "blocks span fewer racks than before");
        count(harm, blocks.corrupt(), "blocks are corrupt");
        if (!watch(table.name(), ChaosTable.FAMILY).fsck().healthy()) {
            harm.add("fsck does not call HBase's files healthy");
        }
        return harm;
    }

    private static void count(List<String> harm, int count, String what) {
        if (count > 0) {
            harm.add(count + " " + what);
        }
    }

    /** Everything is local and at its replication, and nothing is under way. */
    private boolean isWhole(ChaosTable table) {
        try {
            return state(table).isEmpty();
        } catch (IOException e) {
            return false;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return false;
        }
    }

    /** What is not whole, in one line; empty if all is. */
    private String state(ChaosTable table) throws IOException, InterruptedException {
        LocalityCensus census = table.census();
        int notAtReplication =
                BlockCensus.of(census).since(BlockCensus.of(census)).notAtReplication();
        Optional<Long> ahead = movesAhead();
        boolean isWhole = census.regions().size() == ChaosTable.REGIONS
                && census.nonLocalBytes() == 0
                && notAtReplication == 0
                && ahead.equals(Optional.of(0L));
        return isWhole
                ? ""
                : String.format(
                        Locale.ROOT,
                        "%d of %d regions served, locality %.1f %%, %d blocks not at their replication, %s moves ahead",
                        census.regions().size(),
                        ChaosTable.REGIONS,
                        100 * census.locality(),
                        notAtReplication,
                        ahead.map(String::valueOf).orElse("no HMaster says how many"));
    }

    private Optional<Long> movesAhead() {
        try {
            return gauges.movesAhead();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return Optional.empty();
        }
    }

    private static boolean await(Duration limit, long lookMs, BooleanSupplier condition) throws InterruptedException {
        long deadline = System.nanoTime() + limit.toNanos();
        while (!condition.getAsBoolean()) {
            if (System.nanoTime() > deadline) {
                return false;
            }
            Thread.sleep(lookMs);
        }
        return true;
    }

    private static ServerName server(Admin admin, ClusterHost host) throws IOException {
        return admin.getRegionServers().stream()
                .filter(server -> server.getHostname().equals(host.name()))
                .findFirst()
                .orElseThrow(() -> new IOException("There is no RegionServer on " + host.name()));
    }

    private ChaosTable table(String name) throws IOException {
        return new ChaosTable(name, connection, this::watch);
    }

    private NameNodeWatch watch(TableName table, byte[] family) throws IOException {
        return new NameNodeWatch(fileSystem, conf, table, family);
    }

    private static String oneLine(Throwable error) {
        return error.toString().lines().findFirst().orElse("");
    }

    @Override
    public void close() throws IOException {
        connection.close();
        fileSystem.close();
    }
}
