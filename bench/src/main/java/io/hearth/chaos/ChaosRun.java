// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.chaos;

import io.hearth.demo.NameNodeInspector;
import io.hearth.testkit.command.Commands;
import io.hearth.testkit.embedded.ClusterHost;
import io.hearth.testkit.measure.BlockSnapshot;
import io.hearth.testkit.process.FastTimings;
import io.hearth.testkit.process.OnlineConfigChange;
import io.hearth.testkit.process.ProcessCluster;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.SplittableRandom;
import java.util.function.Consumer;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.hbase.HConstants;
import org.apache.hadoop.hbase.ServerName;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.ConnectionFactory;
import org.apache.hadoop.hdfs.DistributedFileSystem;

/**
 * One fault on a running cluster: a table is loaded and all local, clients read and write, regions are moved so that their blocks
 * have to follow, something breaks while they do, and then all must be as it was.
 */
final class ChaosRun implements AutoCloseable {

    private static final String BANDWIDTH = "hearth.heal.cluster.bandwidth";

    /** Healing is fast; heat is learnt in seconds from few requests. */
    private static final Map<String, String> FAST = FastTimings.with(Map.of(
            BANDWIDTH,
            "50000000",
            "hearth.balancer.min.requests.per.second",
            "2",
            // Who moves the regions here is no person who wants them to stay.
            "hearth.balancer.manual.pin.ms",
            "0",
            // Where dozens of JVMs share two processors a call of the NameNode takes tens of milliseconds. With 2 % of
            // one handler's time, or a tenth of that, healing would plan nothing for a minute after a few.
            "hearth.heal.namenode.share",
            "1",
            // Only the balancer's locality cache notices missing replicas of regions that nobody reads, when its
            // answers are this old.
            "hearth.balancer.locality.max.age.ms",
            "60000"));

    /**
     * Slow enough that something breaks meanwhile: the megabytes of as few as eight regions take 40 s. With 2 MB/s they took 4 s, and a busy
     * machine was not done with moving the regions before all their blocks had followed; with 500 kB/s that happened once where three
     * clusters of processes ran.
     */
    private static final Map<String, String> SLOWLY = Map.of(BANDWIDTH, "200000");

    static final Duration REPAIR_LIMIT = Duration.ofMinutes(3);

    /**
     * With HBase's default of 15 a client gives a request up after 128 s. A region whose move is under way when the active HMaster dies
     * is closed until another has started, which takes longer than that where a dozen JVMs share two processors; this many retries
     * last 308 s, more than the cluster has to be repaired.
     */
    private static final int CLIENT_RETRIES = 24;

    private static final Duration MOVES_LIMIT = Duration.ofMinutes(1);
    private static final long POLL_MS = 100;

    private final ProcessCluster cluster;
    private final Configuration conf;
    private final Connection connection;
    private final DistributedFileSystem fileSystem;
    private final Consumer<String> say;
    private final FaultListener listener;
    private final boolean hearth;
    private final HearthMetricsReader metrics;

    private ChaosRun(ProcessCluster cluster, Consumer<String> say, FaultListener listener) throws IOException {
        this.cluster = cluster;
        this.conf = cluster.clientConfiguration();
        this.connection = ConnectionFactory.createConnection(clientConfiguration(cluster));
        this.fileSystem = (DistributedFileSystem) FileSystem.newInstance(conf);
        this.say = say;
        this.listener = listener;
        this.hearth = cluster.layout().clusterSpec().hearth();
        this.metrics = new HearthMetricsReader(cluster);
    }

    /** Is told when something breaks, and when everything is whole again or the wait for that is over. */
    @FunctionalInterface
    interface FaultListener {
        void setFaultUnderWay(boolean isFaultUnderWay);
    }

    /** One fault and what came of it; a run that broke off is one that does not hold. */
    static FaultResult once(
            ProcessCluster cluster, Fault fault, long seed, Consumer<String> say, FaultListener listener)
            throws InterruptedException {
        try (ChaosRun run = new ChaosRun(cluster, say, listener)) {
            return run.run(fault, seed);
        } catch (InterruptedException e) {
            throw e;
        } catch (Exception e) {
            List<String> why = List.of("the run broke off: " + Commands.firstLine(e));
            return new FaultResult(fault, seed, 0, 0, 0, OptionalDouble.empty(), 0, 0, 0, 0, why);
        }
    }

    /** What the clients of the faults and of the load are set to: more retries than the cluster needs to be repaired. */
    static Configuration clientConfiguration(ProcessCluster cluster) {
        Configuration conf = new Configuration(cluster.clientConfiguration());
        conf.setInt(HConstants.HBASE_CLIENT_RETRIES_NUMBER, CLIENT_RETRIES);
        return conf;
    }

    /** Brings the fault about and checks what is left; what can't be checked is an exception, and no result. */
    private FaultResult run(Fault fault, long seed) throws Exception {
        cluster.repair(REPAIR_LIMIT);
        SplittableRandom random = new SplittableRandom(seed);
        ChaosTable table = table("hearth_chaos");
        ChaosTable toDrop = table("hearth_chaos_dropped");
        InvariantCheck invariantCheck =
                new InvariantCheck(table, watch(table.name(), ChaosTable.FAMILY), metrics, hearth);
        table.create();
        if (fault == Fault.TABLE_DROPPED) {
            toDrop.create();
        }
        try (Admin admin = connection.getAdmin();
                OnlineConfigChange settings = new OnlineConfigChange(cluster.conf(), admin);
                AcknowledgedLoad load = AcknowledgedLoad.start(connection, table, seed)) {
            settings.set(FAST);
            admin.balancerSwitch(true, true);
            List<String> violations = new ArrayList<>(invariantCheck.awaitHealthy("before the fault"));
            BlockSnapshot before = BlockSnapshot.of(table.localitySnapshot());
            settings.set(SLOWLY);
            listener.setFaultUnderWay(fault != Fault.NONE);
            Disturbance disturbance = disturb(fault, table, toDrop, invariantCheck, seed, random, admin, settings);
            violations.addAll(disturbance.violations());
            long start = System.nanoTime();
            cluster.repair(REPAIR_LIMIT);
            // Fast again; and another HMaster may be active by now, which has not heard of any of it.
            settings.set(FAST);
            violations.addAll(invariantCheck.awaitHealthy("after the fault"));
            listener.setFaultUnderWay(false);
            if (hearth && fault == Fault.REPLICATION_CHANGED) {
                violations.addAll(falseAlarm(metrics.isAlarmed()));
            }
            long seconds = (System.nanoTime() - start) / 1_000_000_000;
            OptionalDouble maxOverMean = OptionalDouble.empty();
            if (hearth) {
                maxOverMean = new RequestBalanceCheck(table, connection).await();
                violations.addAll(unevenness(maxOverMean));
                violations.addAll(invariantCheck.awaitHealthy("after the regions were evened"));
            }
            load.stop();
            violations.addAll(invariantCheck.losses(load, before));
            table.drop();
            return new FaultResult(
                    fault,
                    seed,
                    disturbance.regionsMoved(),
                    disturbance.movesAhead(),
                    seconds,
                    maxOverMean,
                    load.requests(),
                    load.errors(),
                    load.slowestMs(),
                    load.acknowledgedRows(),
                    violations);
        }
    }

    /** Replicas that an operator's {@code setrep} takes away are no reverted moves. */
    static List<String> falseAlarm(Optional<Boolean> isAlarmed) {
        return isAlarmed
                .map(alarmed -> alarmed ? List.of("setrep has raised the alarm of reverted moves") : List.<String>of())
                .orElseGet(() -> List.of("no HMaster says whether the alarm of reverted moves is raised"));
    }

    private List<String> unevenness(OptionalDouble maxOverMean) {
        return RequestBalanceCheck.isEven(maxOverMean)
                ? List.of()
                : List.of("the busiest server has " + RequestBalanceCheck.text(maxOverMean)
                        + " times the average of the requests, not less than " + RequestBalanceCheck.EVEN
                        + "; the balancer's mode: " + metrics.balancerMode().orElse("not known"));
    }

    /**
     * Regions that were moved, and what broke meanwhile.
     *
     * @param regionsMoved so that their blocks have to follow
     * @param movesAhead moves of blocks that were planned or under way when it broke
     * @param violations what was not as it must be by the end of the fault
     */
    private record Disturbance(int regionsMoved, long movesAhead, List<String> violations) {}

    private Disturbance disturb(
            Fault fault,
            ChaosTable table,
            ChaosTable toDrop,
            InvariantCheck invariantCheck,
            long seed,
            SplittableRandom random,
            Admin admin,
            OnlineConfigChange settings)
            throws IOException, InterruptedException {
        ClusterHost target = target(table, random);
        ServerName server = server(admin, target);
        List<String> moved = table.moveTo(server);
        int movedInAll = moved.size()
                + (fault == Fault.TABLE_DROPPED ? toDrop.moveTo(server).size() : 0);
        List<String> violations = new ArrayList<>();
        if (hearth
                && !InvariantCheck.await(
                        MOVES_LIMIT, POLL_MS, () -> metrics.movesAhead().orElse(0L) > 0)) {
            violations.add("no move was planned within " + MOVES_LIMIT.toSeconds() + " s: "
                    + table.servedBy(target.name(), moved) + " of the moved regions are still there, "
                    + invariantCheck.state() + ", healing: "
                    + metrics.healing().orElse("nobody says"));
        }
        long movesAhead = metrics.movesAhead().orElse(0L);
        violations.addAll(new FaultInjector(cluster, fileSystem, metrics, admin, settings, seed, random, say)
                .run(fault, target, table, toDrop));
        return new Disturbance(movedInAll, movesAhead, violations);
    }

    /** A host that lacks blocks of regions that others serve. */
    private ClusterHost target(ChaosTable table, SplittableRandom random) throws IOException {
        List<ClusterHost> lacking = new ArrayList<>();
        for (ClusterHost host : cluster.layout().workers()) {
            if (!table.regionsRemoteTo(host.name()).isEmpty()) {
                lacking.add(host);
            }
        }
        if (lacking.isEmpty()) {
            throw new IOException("every host has every block, so that nothing has to move; start more hosts than"
                    + " replicas, or use --set dfs.replication=2");
        }
        return lacking.get(random.nextInt(lacking.size()));
    }

    static ServerName server(Admin admin, ClusterHost host) throws IOException {
        return admin.getRegionServers().stream()
                .filter(server -> server.getHostname().equals(host.name()))
                .findFirst()
                .orElseThrow(() -> new IOException("There is no RegionServer on " + host.name()));
    }

    private ChaosTable table(String name) throws IOException {
        return new ChaosTable(name, connection, this::watch);
    }

    private NameNodeInspector watch(TableName table, byte[] family) throws IOException {
        return new NameNodeInspector(fileSystem, conf, table, family);
    }

    @Override
    public void close() throws IOException {
        connection.close();
        fileSystem.close();
    }

    /**
     * What came of one fault.
     *
     * @param fault what broke
     * @param seed chose where and for how long
     * @param regionsMoved regions that were moved so that their blocks had to
     * @param movesAhead moves that were planned or under way when it broke
     * @param secondsToConverge from the end of the fault until everything was local and whole
     * @param maxOverMean requests of the busiest server, as a share of the average, after that; absent where nobody sees to it
     * @param requests of clients that were answered
     * @param errors requests that a client gave up, and loaded rows that were not there or had another value
     * @param slowestMs the longest time that a request took
     * @param acknowledgedRows rows whose write was acknowledged, all of which were read back
     * @param violations what is not as it must be, a line each; empty if all is well
     */
    record FaultResult(
            Fault fault,
            long seed,
            int regionsMoved,
            long movesAhead,
            long secondsToConverge,
            OptionalDouble maxOverMean,
            long requests,
            long errors,
            long slowestMs,
            int acknowledgedRows,
            List<String> violations) {

        FaultResult {
            violations = List.copyOf(violations);
        }

        boolean holds() {
            return violations.isEmpty();
        }
    }
}
