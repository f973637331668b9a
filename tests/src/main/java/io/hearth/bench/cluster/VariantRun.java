package io.hearth.bench.cluster;

import io.hearth.demo.measure.LocalityCensus;
import io.hearth.load.KeyDistribution;
import io.hearth.load.LoadDriver;
import io.hearth.load.LoadProfile;
import io.hearth.load.LoadTable;
import io.hearth.load.Workload;
import io.hearth.procs.ProcessCluster;
import io.hearth.procs.layout.Member;
import io.hearth.procs.layout.Role;
import io.hearth.procs.layout.Shape;
import io.hearth.procs.layout.Wiring;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.Predicate;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.HConstants;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.ConnectionFactory;
import org.apache.hadoop.hbase.regionserver.compactions.CompactionConfiguration;

/** One variant on a cluster of its own, which is made for it and taken away again. */
public final class VariantRun {

    private static final Duration START_LIMIT = Duration.ofMinutes(4);
    /** In memory: on one disk for all of them, hosts would wait for each other. It takes what is stored. */
    private static final int DISK_MEGABYTES = 4_096;

    private static final String NEVER = "1000";

    /**
     * In every variant: the balancer looks often and searches for less than a second, which takes one of few processors from the servers;
     * servers report often, and files that were compacted away go at once.
     */
    private static final Map<String, String> COMMON = Map.of(
            "hbase.balancer.period", "10000",
            "hbase.master.balancer.stochastic.maxSteps", "20000",
            "hbase.balancer.statusPeriod", "1000",
            "hbase.hfile.compaction.discharger.interval", "1000");

    /** So that minutes show what takes longer with the defaults: what Hearth waits for before it acts. */
    private static final Map<String, String> HEARTHS = Map.of(
            "hearth.heal.poll.ms", "1000",
            "hearth.heal.settle.ms", "1000",
            "hearth.balancer.heat.half.life.ms", "10000",
            "hearth.balancer.heat.min.observed.ms", "10000",
            "hearth.balancer.cool.down.ms", "20000",
            "hearth.balancer.return.window.ms", "20000",
            // What the load is to do here is to change: no run is to be judged by the load of after it.
            "hearth.balancer.ledger.factor", "100");

    /** Nothing is compacted but what is told to be, and every get reads from HDFS. */
    private static final Map<String, String> TABLE = Map.of(
            CompactionConfiguration.HBASE_HSTORE_COMPACTION_MIN_KEY, NEVER, HConstants.MAJOR_COMPACTION_PERIOD, "0");

    private final Variant variant;
    private final Scale scale;
    private final long seed;
    private final ProcessCluster cluster;
    private final Consumer<String> says;

    private VariantRun(Variant variant, Scale scale, long seed, ProcessCluster cluster, Consumer<String> says) {
        this.variant = variant;
        this.scale = scale;
        this.seed = seed;
        this.cluster = cluster;
        this.says = says;
    }

    /**
     * Starts a cluster in this folder, runs on it, and takes it away.
     *
     * @param says what happens, a line at a time
     */
    public static VariantResult run(Variant variant, Scale scale, long seed, Path folder, Consumer<String> says)
            throws IOException, InterruptedException {
        try (ProcessCluster cluster = ProcessCluster.createAnew(folder, shape(variant, scale))) {
            Thread stopAtTheLatest = new Thread(() -> stop(cluster));
            Runtime.getRuntime().addShutdownHook(stopAtTheLatest);
            try {
                cluster.start(START_LIMIT);
                return new VariantRun(variant, scale, seed, cluster, says).run();
            } finally {
                cluster.stop();
                leave(stopAtTheLatest);
            }
        }
    }

    private static void leave(Thread hook) {
        try {
            Runtime.getRuntime().removeShutdownHook(hook);
        } catch (IllegalStateException e) {
            // This JVM is ending, and the hook has stopped the cluster.
        }
    }

    private static Shape shape(Variant variant, Scale scale) {
        Map<String, String> settings = new HashMap<>(COMMON);
        if (variant == Variant.HEARTH) {
            settings.putAll(HEARTHS);
            settings.putAll(Remedy.AT_REST);
        }
        return new Shape(
                scale.hosts(),
                Scale.RACKS,
                1,
                1,
                Wiring.NAMESPACES,
                scale.latencyMs(),
                0,
                DISK_MEGABYTES,
                false,
                false,
                variant == Variant.HEARTH,
                settings);
    }

    private static void stop(ProcessCluster cluster) {
        try {
            cluster.stop();
        } catch (IOException e) {
            throw new IllegalStateException("the cluster could not be taken away: " + e.getMessage(), e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private VariantResult run() throws IOException, InterruptedException {
        Configuration conf = cluster.clientConfiguration();
        LoadTable table = LoadTable.of(scale.regions(), scale.megabytes(), Scale.VALUE_BYTES, TABLE);
        LoadProfile profile = new LoadProfile(
                Workload.C, KeyDistribution.UNIFORM, 1, 1, scale.perSecond(), Scale.MULTIGETS, false, seed);
        try (Connection connection = ConnectionFactory.createConnection(conf);
                Admin admin = connection.getAdmin();
                TableEyes eyes = new TableEyes(cluster, conf, connection)) {
            table.create(connection, seed, rows -> {});
            LocalityCensus start = eyes.census();
            says.accept(String.format(
                    "   %d MB in %d regions on %d hosts, %.0f %% local; %d requests a second",
                    scale.megabytes(),
                    start.regions().size(),
                    start.bytesByHost().size(),
                    100 * start.locality(),
                    scale.perSecond()));
            try (LoadDriver load = LoadDriver.start(conf, table, profile)) {
                TimeUnit.SECONDS.sleep(scale.warmUpSeconds());
                return run(eyes, connection, admin, table, load);
            }
        }
    }

    private VariantResult run(TableEyes eyes, Connection connection, Admin admin, LoadTable table, LoadDriver load)
            throws IOException, InterruptedException {
        try (Remedy remedy = new Remedy(variant, cluster, admin)) {
            return run(eyes, connection, admin, remedy, table, load);
        }
    }

    private VariantResult run(
            TableEyes eyes, Connection connection, Admin admin, Remedy remedy, LoadTable table, LoadDriver load)
            throws IOException, InterruptedException {
        EventRun run = new EventRun(variant, scale, eyes, remedy, load.latencies());
        Map<Event, EventResult> events = new EnumMap<>(Event.class);
        String victim = victim(eyes);
        Member server = cluster.member(Role.REGIONSERVER, victim);
        for (Event event : Event.values()) {
            says.accept("   " + event.words() + " ...");
            EventResult result =
                    switch (event) {
                        case CRASH -> {
                            Calm.await(eyes);
                            yield run.run(() -> cluster.kill(server), hosts -> !hosts.containsValue(victim));
                        }
                        case BACK -> {
                            admin.balancerSwitch(false, true);
                            cluster.start(server);
                            yield occupy(run, eyes, victim, connection, admin);
                        }
                        case EMPTY_HOST -> {
                            admin.balancerSwitch(false, true);
                            String host = cluster.addHost(START_LIMIT).name();
                            yield occupy(run, eyes, host, connection, admin);
                        }
                    };
            says.accept("      " + ClusterTable.inShort(result));
            events.put(event, result);
        }
        says.accept("   a hot spot ...");
        Calm.await(eyes);
        // No region has moved: nothing is compacted, and Hearth heals as it does anywhere.
        remedy.begin(eyes.census().of(Set.of()));
        HotSpotResult hotSpot = new HotSpotRun(scale, eyes, admin, table.keys(), load).run();
        load.stop();
        return new VariantResult(
                events,
                hotSpot,
                load.requests().answered(),
                load.requests().errors(),
                load.requests().firstError().map(Throwable::toString).orElse(""));
    }

    /** Warms the RegionServer on that host; the event is that the balancer may use it. */
    private EventResult occupy(EventRun run, TableEyes eyes, String host, Connection connection, Admin admin)
            throws IOException, InterruptedException {
        WarmUp.of(host, connection, scale.warmUpSeconds());
        Calm.await(eyes);
        return run.run(() -> admin.balancerSwitch(true, true), hasItsShare(host));
    }

    /** The host with most bytes, but not the one with hbase:meta, whose recovery comes first. */
    private static String victim(TableEyes eyes) throws IOException {
        String metaHost = eyes.metaHost();
        return eyes.census().bytesByHost().entrySet().stream()
                .filter(host -> !host.getKey().equals(metaHost))
                .max(Map.Entry.comparingByValue())
                .orElseThrow()
                .getKey();
    }

    /** Two thirds of its even share of the regions: the stock balancer is content with less than all of it. */
    private Predicate<Map<String, String>> hasItsShare(String host) {
        return hosts -> {
            long own = hosts.values().stream().filter(host::equals).count();
            return own > 0 && 3 * own * cluster.layout().workers().size() >= 2L * hosts.size();
        };
    }
}
