// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.bench.value;

import io.hearth.bench.value.LayoutResult.Balancer;
import io.hearth.bench.value.LayoutResult.BalancingResult;
import io.hearth.bench.value.RateMeter.HeldRate;
import io.hearth.bench.value.RateMeter.LoadStart;
import io.hearth.bench.value.RateMeter.Measurement;
import io.hearth.bench.value.RateMeter.TriedRate;
import io.hearth.testkit.load.Arrivals.Spacing;
import io.hearth.testkit.load.LatencyRecorder.NanoInterval;
import io.hearth.testkit.load.LoadDriver;
import io.hearth.testkit.load.LoadProfile;
import io.hearth.testkit.load.LoadProfile.KeyDistribution;
import io.hearth.testkit.load.LoadProfile.Rate;
import io.hearth.testkit.load.LoadTable;
import io.hearth.testkit.load.ServiceTime;
import io.hearth.testkit.load.Workload;
import io.hearth.testkit.process.FastTimings;
import io.hearth.testkit.process.ProcessCluster;
import io.hearth.testkit.process.layout.ClusterSpec;
import io.hearth.testkit.process.layout.ClusterSpec.NetworkMode;
import io.hearth.testkit.process.layout.Daemon.DaemonRole;
import java.io.IOException;
import java.net.URISyntaxException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.stream.IntStream;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.HConstants;
import org.apache.hadoop.hbase.HRegionLocation;
import org.apache.hadoop.hbase.ServerName;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.ConnectionFactory;
import org.apache.hadoop.hbase.client.RegionInfoBuilder;
import org.apache.hadoop.hbase.client.RegionLocator;

/**
 * A cluster of processes whose servers can answer so many requests a second and no more, whatever the machine can: each has {@value #HANDLERS}
 * handlers, and a request holds one for {@link #serviceMs} ms. A table has as many regions on each server. Not thread-safe.
 */
final class ValueCluster implements AutoCloseable {

    static final int HOSTS = 4;
    static final int REGIONS_OF_A_HOST = 20;
    static final int HANDLERS = 3;

    /** They find a rate to 60 a second. */
    private static final int TRIES = 5;

    private static final int SIXTY_SECONDS = 15;

    /** Until each server's reports hold as many rates as stock's costs look at, and Hearth knows the heat of each region. */
    private static final int HISTORY_SECONDS = 40;

    /** The same between two runs that move something. */
    private static final int BETWEEN_RUNS_SECONDS = 25;

    private static final int AFTER_A_QUIET_RUN_SECONDS = 5;
    private static final int MOST_RUNS = 4;

    /** How long processors are watched at least: their times are in hundredths of a second, and a short run says little of latencies. */
    private static final long LEAST_IDLE_NANOS = TimeUnit.SECONDS.toNanos(3);

    /** How long is watched after a crash, and how often the balancer runs in that time. */
    private static final int CRASH_SECONDS = 90;

    private static final int CRASH_RUNS = 6;
    private static final long IN_TRANSITION_POLL_MS = 500;

    /** Until the regions of a dead server are open, or all that a run moves. */
    private static final Duration IN_TRANSITION_LIMIT = Duration.ofMinutes(2);

    /** A run of the tuned stock balancer searches for half a minute and then moves regions. */
    private static final String ADMIN_TIMEOUT_MS = "600000";

    private final ProcessCluster cluster;
    private final Connection connection;
    private final Admin admin;
    private final LoadTable table;
    private final Workload workload;
    private final List<Integer> regionByPlace;
    private final Consumer<String> progress;
    private final int nominalPerSecond;

    private ValueCluster(
            ProcessCluster cluster,
            Connection connection,
            LoadTable table,
            Workload workload,
            Consumer<String> progress)
            throws IOException {
        this.cluster = cluster;
        this.connection = connection;
        this.admin = connection.getAdmin();
        this.table = table;
        this.workload = workload;
        this.progress = progress;
        this.regionByPlace = byHost(hosts());
        this.nominalPerSecond = nominalPerSecond(workload);
    }

    /** What all servers together can answer in a second. */
    static int nominalPerSecond(Workload workload) {
        return HOSTS * HANDLERS * 1_000 / serviceMs(workload);
    }

    /**
     * How long each request holds a handler. Where every other request or more is a put it is longer: a put also takes the processors of three
     * DataNodes, and the servers and not the machine have to be the limit.
     */
    private static int serviceMs(Workload workload) {
        return workload == Workload.A || workload == Workload.W ? 10 : 5;
    }

    /** What the processes are started with. */
    static ClusterSpec spec(boolean hearth) {
        Map<String, String> settings = new HashMap<>(Map.of(
                HConstants.REGION_SERVER_HANDLER_COUNT,
                "" + HANDLERS,
                // It runs when it is told to, and then moves regions as fast as it can.
                HConstants.HBASE_BALANCER_PERIOD,
                "3600000",
                HConstants.HBASE_BALANCER_MAX_BALANCING,
                "10000",
                "hbase.balancer.statusPeriod",
                "1000",
                "hbase.regionserver.msginterval",
                "1000"));
        return new ClusterSpec(
                HOSTS, 2, 1, NetworkMode.NAMESPACES, 0, 0, hearth, hearth ? FastTimings.with(settings) : settings);
    }

    /** Creates the table on a cluster that runs. */
    static ValueCluster on(ProcessCluster cluster, Workload workload, Consumer<String> progress) throws IOException {
        Configuration conf = cluster.clientConfiguration();
        conf.set(HConstants.HBASE_RPC_TIMEOUT_KEY, ADMIN_TIMEOUT_MS);
        conf.set(HConstants.HBASE_CLIENT_OPERATION_TIMEOUT, ADMIN_TIMEOUT_MS);
        Connection connection = ConnectionFactory.createConnection(conf);
        try {
            LoadTable table = LoadTable.of(HOSTS * REGIONS_OF_A_HOST, 1, 500, serviceTime(serviceMs(workload)));
            try (Admin admin = connection.getAdmin()) {
                admin.balancerSwitch(false, true);
            }
            table.create(connection, 1, rows -> {});
            return new ValueCluster(cluster, connection, table, workload, progress);
        } catch (IOException | RuntimeException e) {
            connection.close();
            throw e;
        }
    }

    /** What a table is set to where each request holds a handler for so long. */
    static Map<String, String> serviceTime(int millis) throws IOException {
        return Map.of("coprocessor$1", ServiceTime.attribute(jar(), millis));
    }

    private static String jar() throws IOException {
        try {
            return Path.of(ServiceTime.class
                            .getProtectionDomain()
                            .getCodeSource()
                            .getLocation()
                            .toURI())
                    .toString();
        } catch (URISyntaxException e) {
            throw new IOException("the jar of " + ServiceTime.class + " is not a file", e);
        }
    }

    /** The numbers of the regions, those of a server together and the servers by their names: so a place's weight is on the same server everywhere. */
    private static List<Integer> byHost(Map<Integer, String> hostByRegion) throws IOException {
        Map<String, Integer> counts = new TreeMap<>();
        hostByRegion.values().forEach(host -> counts.merge(host, 1, Integer::sum));
        if (counts.size() != HOSTS || counts.values().stream().anyMatch(count -> count != REGIONS_OF_A_HOST)) {
            throw new IOException("a new table has not " + REGIONS_OF_A_HOST + " regions on each of " + HOSTS
                    + " servers: " + counts);
        }
        return hostByRegion.entrySet().stream()
                .sorted(Map.Entry.<Integer, String>comparingByValue()
                        .thenComparing(Map.Entry.comparingByKey(Comparator.naturalOrder())))
                .map(Map.Entry::getKey)
                .toList();
    }

    private Map<Integer, String> hosts() throws IOException {
        Map<Integer, String> hosts = new TreeMap<>();
        try (RegionLocator locator = connection.getRegionLocator(table.name())) {
            for (HRegionLocation region : locator.getAllRegionLocations()) {
                hosts.put(table.keys().regionStartingWith(region.getRegion().getStartKey()), region.getHostname());
            }
        }
        return hosts;
    }

    private List<String> hostByPlace() throws IOException {
        Map<Integer, String> hosts = hosts();
        return regionByPlace.stream().map(hosts::get).toList();
    }

    Admin admin() {
        return admin;
    }

    ProcessCluster cluster() {
        return cluster;
    }

    /** A load with this draw's weights, which begins now and ends when it is stopped. */
    LoadDriver start(RegionDraw draw, double perSecond) {
        LoadDriver load = start(draw.distribution(), draw.seed(), perSecond);
        load.order(draw.order(regionByPlace));
        return load;
    }

    private LoadDriver start(KeyDistribution distribution, long seed, double perSecond) {
        return LoadDriver.start(
                cluster.clientConfiguration(),
                table,
                new LoadProfile(
                        workload,
                        distribution,
                        1,
                        1,
                        new Rate(perSecond, perSecond, 0, Spacing.POISSON),
                        0,
                        true,
                        seed));
    }

    /**
     * Sends half of what the servers can answer and lets the balancer run until two runs in a row move nothing, or {@value #MOST_RUNS} times; it
     * is off before and after.
     */
    BalancingOutcome balance(RegionDraw draw) throws IOException, InterruptedException {
        int firstMoves = 0;
        int moves = 0;
        double idle = 1;
        admin.balancerSwitch(true, true);
        try (LoadDriver load = start(draw, nominalPerSecond / 2.0)) {
            TimeUnit.SECONDS.sleep(HISTORY_SECONDS);
            long fromNanos = System.nanoTime();
            for (int run = 0, quiet = 0; run < MOST_RUNS && quiet < 2; run++) {
                BalancerRun balancerRun = runBalancer();
                int moved = balancerRun.moved();
                idle = Math.min(idle, balancerRun.idle());
                progress.accept("      run " + (run + 1) + " moved " + moved + " regions");
                firstMoves = firstMoves == 0 ? moved : firstMoves;
                moves += moved;
                quiet = moved == 0 ? quiet + 1 : 0;
                TimeUnit.SECONDS.sleep(moved == 0 ? AFTER_A_QUIET_RUN_SECONDS : BETWEEN_RUNS_SECONDS);
            }
            NanoInterval whileItRan = new NanoInterval(fromNanos, System.nanoTime());
            load.stop();
            return new BalancingOutcome(
                    new BalancingResult(firstMoves, moves, RateMeter.slowest(load, whileItRan), idle),
                    load.requests().errors());
        } finally {
            admin.balancerSwitch(false, true);
        }
    }

    /** @param failed requests */
    record BalancingOutcome(BalancingResult result, long failed) {}

    /**
     * What a run of the balancer came to.
     *
     * @param moved how many regions
     * @param idle the share of the machine's processors that had nothing to do until they were open, 0 to 1
     */
    private record BalancerRun(int moved, double idle) {}

    private BalancerRun runBalancer() throws IOException, InterruptedException {
        Map<Integer, String> before = hosts();
        long fromNanos = System.nanoTime();
        ProcessorTimes timesBefore = ProcessorTimes.read();
        requireRun(admin.balance());
        int moved = movedSince(before);
        TimeUnit.NANOSECONDS.sleep(fromNanos + LEAST_IDLE_NANOS - System.nanoTime());
        return new BalancerRun(moved, ProcessorTimes.read().idleSince(timesBefore));
    }

    /** A run that was refused is no quiet one. */
    static void requireRun(boolean ran) throws IOException {
        if (!ran) {
            throw new IOException(
                    "the HMaster did not run its balancer: it is off, regions are in transition, or a dead"
                            + " server is processed; the HMaster's log says which");
        }
    }

    /** How many regions have moved once none is on its way any more. */
    private int movedSince(Map<Integer, String> before) throws IOException, InterruptedException {
        TimeUnit.MILLISECONDS.sleep(IN_TRANSITION_POLL_MS);
        awaitNoneInTransition(admin, IN_TRANSITION_LIMIT);
        Map<Integer, String> after = hosts();
        return (int) after.entrySet().stream()
                .filter(region -> !region.getValue().equals(before.get(region.getKey())))
                .count();
    }

    /** @throws IOException if some are after that time */
    static void awaitNoneInTransition(Admin admin, Duration limit) throws IOException, InterruptedException {
        long untilNanos = System.nanoTime() + limit.toNanos();
        for (int regions = inTransition(admin); regions > 0; regions = inTransition(admin)) {
            if (System.nanoTime() - untilNanos >= 0) {
                throw new IOException(regions + " regions are in transition after " + limit.toSeconds()
                        + " s; the HMaster's log says why");
            }
            TimeUnit.MILLISECONDS.sleep(IN_TRANSITION_POLL_MS);
        }
    }

    private static int inTransition(Admin admin) throws IOException {
        return admin.getClusterMetrics().getRegionStatesInTransition().size();
    }

    /**
     * Has a balancer at work, kills a server under half of the load, and has the balancer run now and then while the others take over.
     *
     * @param balancer that this cluster has
     */
    CrashResult crash(Balancer balancer, RegionDraw draw) throws IOException, InterruptedException {
        long failed = balance(draw).failed();
        String victim = hostWithoutMeta();
        progress.accept("      the host that is killed, %s, serves %.0f %% of the requests"
                .formatted(victim, 100 * draw.shareOf(victim, hostByPlace())));
        admin.balancerSwitch(true, true);
        try (LoadDriver load = start(draw, nominalPerSecond / 2.0)) {
            TimeUnit.SECONDS.sleep(BETWEEN_RUNS_SECONDS);
            long killedNanos = System.nanoTime();
            cluster.kill(cluster.daemon(DaemonRole.REGIONSERVER, victim));
            double idle = runBalancerAfterCrash();
            load.stop();
            List<Double> inTime = IntStream.range(0, CRASH_SECONDS)
                    .mapToObj(second -> load.latencies().shareWithin(RateMeter.LIMIT_MS, second(killedNanos, second)))
                    .toList();
            return new CrashResult(
                    balancer,
                    inTime,
                    draw.skew(hostByPlace(), HOSTS - 1),
                    idle,
                    failed + load.requests().errors());
        } finally {
            admin.balancerSwitch(false, true);
        }
    }

    /** Returns the least share of the machine's processors that had nothing to do between two runs, 0 to 1. */
    private double runBalancerAfterCrash() throws IOException, InterruptedException {
        double idle = 1;
        for (int run = 0; run < CRASH_RUNS; run++) {
            ProcessorTimes before = ProcessorTimes.read();
            TimeUnit.SECONDS.sleep(CRASH_SECONDS / CRASH_RUNS);
            idle = Math.min(idle, ProcessorTimes.read().idleSince(before));
            Map<Integer, String> hosts = hosts();
            // It is refused until all regions of the dead server are open.
            boolean ran = admin.balance();
            progress.accept("      %d s after the crash %s moved %d regions"
                    .formatted(
                            (run + 1) * (CRASH_SECONDS / CRASH_RUNS),
                            ran ? "a run" : "no run was possible, and recovery",
                            movedSince(hosts)));
        }
        return idle;
    }

    private static NanoInterval second(long fromNanos, int second) {
        return new NanoInterval(
                fromNanos + TimeUnit.SECONDS.toNanos(second), fromNanos + TimeUnit.SECONDS.toNanos(second + 1L));
    }

    /** The first host, with whichever balancer: hbase:meta goes to the last one. */
    private String hostWithoutMeta() throws IOException {
        List<ServerName> servers = admin.getRegionServers().stream()
                .sorted(Comparator.comparing(ServerName::getHostname))
                .toList();
        admin.move(RegionInfoBuilder.FIRST_META_REGIONINFO.getEncodedNameAsBytes(), servers.get(servers.size() - 1));
        return servers.get(0).getHostname();
    }

    /** Measures an even load where regions are now. */
    LayoutResult measureEvenLoad() throws IOException, InterruptedException {
        // The servers have only just started, and their methods are not compiled yet; others are measured after minutes
        // of load.
        new RateMeter(perSecond -> start(KeyDistribution.UNIFORM, 1, perSecond), progress)
                .at(nominalPerSecond / 2.0, HISTORY_SECONDS);
        return measure(
                Balancer.CONTROL, Optional.empty(), 0, 1, perSecond -> start(KeyDistribution.UNIFORM, 1, perSecond));
    }

    /** Has a balancer at work, and then measures where it has moved regions. */
    LayoutResult measure(Balancer balancer, RegionDraw draw) throws IOException, InterruptedException {
        BalancingOutcome balancing = balance(draw);
        double skew = draw.skew(hostByPlace(), HOSTS);
        return measure(
                balancer,
                Optional.of(balancing.result()),
                balancing.failed(),
                skew,
                perSecond -> start(draw, perSecond));
    }

    private LayoutResult measure(
            Balancer balancer, Optional<BalancingResult> balancing, long failedBefore, double skew, LoadStart start)
            throws IOException, InterruptedException {
        RateMeter meter = new RateMeter(start, progress);
        HeldRate held = meter.highest(RateSearch.byDifference(nominalPerSecond * 0.3, nominalPerSecond * 1.1), TRIES);
        Measurement sixty = meter.at(nominalPerSecond * 0.6, SIXTY_SECONDS);
        List<TriedRate> rates = new ArrayList<>(held.rates());
        rates.add(new TriedRate(nominalPerSecond * 0.6, sixty.latencies().p99Ms()));
        return new LayoutResult(
                balancer,
                balancing,
                nominalPerSecond,
                skew,
                rates,
                held.highestPerSecond(),
                sixty.latencies(),
                Math.min(held.idle(), sixty.idle()),
                failedBefore + held.failed() + sixty.failed());
    }

    @Override
    public void close() throws IOException {
        admin.close();
        connection.close();
    }
}
