// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.bench.slo;

import io.hearth.bench.threshold.ThresholdReport;
import io.hearth.slo.probe.ProbeKind;
import io.hearth.slo.store.LatencyHistogram;
import io.hearth.slo.store.ServerCounts;
import io.hearth.slo.store.SloReader;
import io.hearth.testkit.process.ProcessCluster;
import io.hearth.testkit.process.layout.ClusterSpec;
import io.hearth.testkit.process.layout.ClusterSpec.NetworkMode;
import io.hearth.testkit.process.layout.Daemon;
import io.hearth.testkit.process.layout.Daemon.DaemonRole;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.hbase.ServerName;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.ConnectionFactory;
import org.apache.hadoop.hbase.client.RegionLocator;

/**
 * What the SLO watch says of a RegionServer that stands still by SIGSTOP, beside the truth, and beside what HBase's own CanaryTool says in
 * the same time: on a cluster of processes, with 100 gets a second of each server.
 *
 * <p>The truth: a get that is due while the server stands still is answered when it goes on. So those are bad that are due until the limit
 * before that.
 */
public final class SloStall {

    private static final int HOSTS = 3;
    private static final int RATE = 100;
    private static final long STALL_MS = 20_000;
    private static final long LIMIT_MS = 1_000;
    private static final long BEFORE_MS = 10_000;
    private static final long AFTER_MS = 45_000;
    private static final double MOST_ERROR_PERCENT = 1;
    private static final Duration START_LIMIT = Duration.ofMinutes(5);
    private static final String HEAP = "512m";
    private static final double PERCENT = 100;

    /** The server must not be taken for dead, and refuse nothing of what has piled up when it goes on: that would be worse than the truth. */
    private static final Map<String, String> SETTINGS = Map.of(
            "zookeeper.session.timeout",
            "90000",
            "hbase.zookeeper.property.tickTime",
            "6000",
            "hbase.ipc.server.max.callqueue.length",
            "10000");

    private SloStall() {}

    /**
     * Measures it, and prints figures beside thresholds.
     *
     * @param clusterFolder where the cluster is made; the names of its hosts are known to this JVM
     * @param folder for what the daemon keeps
     */
    public static void measure(Path clusterFolder, Path folder, ThresholdReport thresholds, PrintWriter out)
            throws IOException, InterruptedException {
        ProcessCluster cluster = ProcessCluster.recreate(
                clusterFolder, new ClusterSpec(HOSTS, 1, 1, NetworkMode.LOOPBACK, 0, 0, false, SETTINGS));
        Thread stopAtTheLatest = new Thread(() -> stop(cluster));
        Runtime.getRuntime().addShutdownHook(stopAtTheLatest);
        try {
            cluster.start(START_LIMIT);
            measure(cluster, folder, thresholds, out);
        } finally {
            Runtime.getRuntime().removeShutdownHook(stopAtTheLatest);
            stop(cluster);
        }
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

    private static void measure(ProcessCluster cluster, Path folder, ThresholdReport thresholds, PrintWriter out)
            throws IOException, InterruptedException {
        Path objectives = Files.writeString(folder.resolve("objectives.txt"), "99.9 % of gets under 1 s, 30 days\n");
        Stall stall;
        CanaryToolRun canary;
        try (SloDaemonProcess daemon = SloDaemonProcess.start(
                folder, cluster.conf(), HEAP, "--rate", "" + RATE, "--objectives", objectives.toString())) {
            daemon.awaitFirstMinute();
            // CanaryTool ends for good where a region has no server yet, as those of a new table.
            try (CanaryToolRun started = CanaryToolRun.start(cluster.clientConfiguration(), LIMIT_MS)) {
                canary = started;
                stall = stall(cluster, canary);
            }
        }
        report(
                SloReader.of(SloDaemonProcess.store(folder), List.of(SloDaemonProcess.INSTANCE), out::println),
                stall,
                canary,
                thresholds,
                out);
    }

    /**
     * A server that stood still.
     *
     * @param server as {@code host:port}
     * @param startMs in ms since 1970
     * @param lastedMs measured by a monotonic clock
     */
    private record Stall(String server, long startMs, long lastedMs) {

        /** How many gets were due that could not be answered in time. */
        double badGets() {
            return (lastedMs - LIMIT_MS) * RATE / 1_000.0;
        }
    }

    private static Stall stall(ProcessCluster cluster, CanaryToolRun canary) throws IOException, InterruptedException {
        ServerName server = serverWithoutMeta(cluster);
        Daemon process = cluster.daemon(DaemonRole.REGIONSERVER, server.getHostname());
        canary.countFromNowOn(server.getHostname());
        Thread.sleep(BEFORE_MS);
        long startMs = System.currentTimeMillis();
        long startNanos = System.nanoTime();
        cluster.setFrozen(process, true);
        try {
            Thread.sleep(STALL_MS);
        } finally {
            cluster.setFrozen(process, false);
        }
        long lastedMs = TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - startNanos);
        Thread.sleep(AFTER_MS);
        return new Stall(server.getHostname() + ":" + server.getPort(), startMs, lastedMs);
    }

    private static ServerName serverWithoutMeta(ProcessCluster cluster) throws IOException {
        try (Connection connection = ConnectionFactory.createConnection(cluster.clientConfiguration());
                RegionLocator meta = connection.getRegionLocator(TableName.META_TABLE_NAME)) {
            ServerName ofMeta = meta.getAllRegionLocations().get(0).getServerName();
            return connection.getAdmin().getRegionServers().stream()
                    .filter(server -> !server.equals(ofMeta))
                    .findFirst()
                    .orElseThrow();
        }
    }

    /** Gets of the server from the minute on in which it was stopped. */
    private static final class Counted {
        private long due;
        private long good;
        private final LatencyHistogram latencies = new LatencyHistogram();

        double percentGood() {
            return PERCENT * good / due;
        }
    }

    private static void report(
            SloReader reader, Stall stall, CanaryToolRun canary, ThresholdReport thresholds, PrintWriter out)
            throws IOException {
        Counted counted = new Counted();
        long fromMs = stall.startMs() / 60_000 * 60_000;
        reader.clusterMinutes(fromMs, Long.MAX_VALUE, minute -> {
            ServerCounts gets = minute.counts().get(ProbeKind.GET);
            for (int row = 0; gets != null && row < gets.rows(); row++) {
                if (gets.target(row).equals(stall.server())) {
                    counted.due += gets.due(row);
                    counted.good += gets.good(gets.placeOf(LIMIT_MS * 1_000), row);
                }
            }
        });
        reader.serverMinutes(
                fromMs,
                Long.MAX_VALUE,
                minute -> counted.latencies.add(minute.byKindAndTarget()
                        .getOrDefault(ProbeKind.GET, Map.of())
                        .getOrDefault(stall.server(), new LatencyHistogram())));
        double truth = PERCENT * (1 - stall.badGets() / counted.due);
        out.println(thresholds.about(
                String.format(Locale.ROOT, "a RegionServer that stood still for %.1f s:", stall.lastedMs() / 1_000.0)));
        out.println(thresholds.figure("  gets due", counted.due, ""));
        out.println(thresholds.figure("  good by the truth", truth, "%"));
        out.println(thresholds.figure("  good by slo run", counted.percentGood(), "%"));
        out.println(thresholds.atMost("  its error", Math.abs(counted.percentGood() - truth), MOST_ERROR_PERCENT, "%"));
        out.println(thresholds.figure(
                "  not answered, or slower than 5 s",
                counted.latencies.due() - counted.latencies.answeredWithin(5_000_000),
                "gets"));
        out.println(thresholds.figure("  checks by CanaryTool", canary.checks(), ""));
        out.println(thresholds.figure("  good by CanaryTool", canary.percentGood(), "%"));
        out.println(thresholds.figure("  its error", Math.abs(canary.percentGood() - truth), "%"));
        canary.end().ifPresent(end -> out.println("  CanaryTool ended by itself: " + end));
        out.flush();
    }
}
