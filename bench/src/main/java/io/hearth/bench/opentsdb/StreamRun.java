// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.bench.opentsdb;

import io.hearth.bench.opentsdb.PutLoad.IntervalLatencies;
import io.hearth.bench.opentsdb.TsdClient.MetricNames;
import io.hearth.bench.opentsdb.TsdbRun.ExpectationLog;
import io.hearth.bench.opentsdb.TsdbRun.TsdbOptions;
import io.hearth.bench.opentsdb.stream.MetricStream;
import io.hearth.demo.NameNodeInspector.ServedRegion;
import io.hearth.demo.ServerLoadReports;
import io.hearth.demo.report.ServerTable;
import io.hearth.demo.report.ServerTable.ServerTableRow;
import io.hearth.demo.report.TextTables;
import io.hearth.testkit.load.LatencyRecorder.LatencySummary;
import io.hearth.testkit.process.OnlineConfigChange;
import io.hearth.testkit.process.ProcessCluster;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.function.IntFunction;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.client.BalanceRequest;
import org.apache.hadoop.hbase.client.BalanceResponse;

/**
 * A stream of metrics of which few have most points, and a dashboard that asks for them. Without salts those few are the ones whose
 * regions one server has, as after the crashes of which an operator of OpenTSDB tells: as many regions as others, and most of the writes. The
 * heat over the servers is measured, Hearth evens it, a RegionServer dies, and in the end every acknowledged point is read back.
 */
final class StreamRun {

    private static final long WARM_UP_MS = 20_000;
    private static final long CHECK_MS = 3_000;
    private static final Duration LIMIT = Duration.ofMinutes(4);
    private static final Duration STOCK_LIMIT = Duration.ofMinutes(1);
    private static final int COUNT_RUNS = 20;
    private static final long COUNT_PAUSE_MS = 2_000;
    private static final String MODE = "hearth.balancer.mode";

    private final ProcessCluster cluster;
    private final TsdbOptions options;
    private final ExpectationLog expectations;
    private final Admin admin;
    private final OnlineConfigChange settings;
    private final TsdbTables tables;
    private final TsdClient client;

    StreamRun(
            ProcessCluster cluster,
            TsdbOptions options,
            ExpectationLog expectations,
            Admin admin,
            OnlineConfigChange settings,
            TsdbTables tables,
            TsdClient client) {
        this.cluster = cluster;
        this.options = options;
        this.expectations = expectations;
        this.admin = admin;
        this.settings = settings;
        this.tables = tables;
        this.client = client;
    }

    void run() throws IOException, InterruptedException {
        int metrics = options.table().metrics();
        assign("metric", metrics, MetricNames::metric);
        assign("tagk", 1, tag -> MetricNames.TAG);
        assign("tagv", TsdbOptions.HOSTS, MetricNames::host);
        if (!options.checkOnly()) {
            evenCounts();
        }
        List<Double> shares = shares();
        MetricStream stream =
                new MetricStream(System.currentTimeMillis(), options.pointsPerSecond(), TsdbOptions.HOSTS, shares);
        try (PutLoad puts = PutLoad.start(client::put, stream);
                QueryLoad queries = QueryLoad.start(client, stream, TsdbOptions.HOSTS, puts)) {
            if (options.checkOnly()) {
                Thread.sleep(CHECK_MS);
            } else {
                phases(puts, queries);
            }
            queries.stop();
            puts.stop();
            new StreamVerifier(options, expectations, tables, client, stream).verify(puts, queries);
        }
    }

    /** Names have UIDs in their order where nothing else has any: so it is known which region a metric is in. */
    private void assign(String kind, int count, IntFunction<String> name) throws IOException, InterruptedException {
        Map<String, Integer> uids = client.assignUids(kind, MetricNames.list(count, name));
        for (int number = 0; number < count; number++) {
            if (uids.getOrDefault(name.apply(number), 0) != number + 1) {
                throw new IOException("OpenTSDB gave " + name.apply(number) + " the UID " + uids.get(name.apply(number))
                        + " instead of " + (number + 1));
            }
        }
    }

    /** As many regions for each server, as the stock balancer sees to in a cluster that has been there for a while. */
    private void evenCounts() throws IOException, InterruptedException {
        settings.set(Map.of(MODE, "advise"));
        admin.balancerSwitch(true, true);
        for (int run = 0; run < COUNT_RUNS && !isIdle(admin.balance(BalanceRequest.defaultInstance())); run++) {
            Thread.sleep(COUNT_PAUSE_MS);
        }
        admin.balancerSwitch(false, true);
        settings.set(Map.of(MODE, "act"));
    }

    private static boolean isIdle(BalanceResponse response) {
        return response.isBalancerRan() && response.getMovesExecuted() == 0;
    }

    private List<Double> shares() throws IOException {
        int metrics = options.table().metrics();
        if (options.table().salted()) {
            return MetricStream.shares(metrics, metric -> true, options.seed());
        }
        List<String> hostOfRegion =
                tables.served().stream().map(ServedRegion::host).toList();
        String hot = hostOfRegion.get(new SplittableRandom(options.seed()).nextInt(hostOfRegion.size()));
        expectations.say("Most points are of the metrics in the regions of %s.", hot);
        return MetricStream.shares(
                metrics,
                metric -> hot.equals(hostOfRegion.get(
                        options.table().regionOf(options.table().key(metric + 1, 1, 1, 0)))),
                options.seed());
    }

    private void phases(PutLoad puts, QueryLoad queries) throws IOException, InterruptedException {
        Thread.sleep(WARM_UP_MS);
        servers("with the balancer off");
        latencies("with the balancer off", puts, queries);
        if (options.stock()) {
            stock();
        }
        BalanceRun balanceRun = BalanceRun.awaitEven(admin, tables, LIMIT);
        expectations.say("with the balancer on");
        expectations.expect(balanceRun.isEven(), "Hearth evens the heat", balanceRun.summary());
        expectations.add(TsdbFigures.ofHearth("with the balancer on", balanceRun));
        latencies("with the balancer on", puts, queries);
        servers("evened");
        latencies("evened", puts, queries);
        if (options.crash()) {
            new CrashPhase(cluster, options, expectations, admin, tables, puts)
                    .run(() -> latencies("after the crash", puts, queries));
            servers("in the end");
            latencies("in the end", puts, queries);
        }
    }

    /** What an operator has without Hearth. */
    private void stock() throws IOException, InterruptedException {
        settings.set(Map.of(MODE, "advise"));
        BalanceRun balanceRun = BalanceRun.awaitEven(admin, tables, STOCK_LIMIT);
        admin.balancerSwitch(false, true);
        expectations.say("   the stock balancer: %s", balanceRun.summary());
        expectations.add(TsdbFigures.ofStock("with the stock balancer", balanceRun));
        servers("with the stock balancer");
        settings.set(Map.of(MODE, "act"));
    }

    private void servers(String title) throws IOException, InterruptedException {
        ServerTable table = new ServerTable(
                title,
                ServerTableRow.of(
                        ServerLoadReports.steadyRates(() -> ServerLoadReports.of(admin, TsdbTables.DATA)),
                        ServerLoadReports.of(admin, TsdbTables.DATA),
                        tables.localitySnapshot()));
        expectations.say(title);
        expectations.say(TextTables.servers(table));
        expectations.add(TsdbFigures.of(table));
    }

    private void latencies(String when, PutLoad puts, QueryLoad queries) {
        latencies(when, "puts", puts.latencies().take());
        latencies(when, "queries", queries.latencies().take());
    }

    private void latencies(String when, String kind, LatencySummary latencies) {
        expectations.say("   %s: %s", kind, IntervalLatencies.text(latencies));
        expectations.add(TsdbFigures.of(when, kind, latencies));
    }
}
