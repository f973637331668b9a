// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.bench.opentsdb;

import io.hearth.bench.opentsdb.stream.TsdbRowKeys;
import io.hearth.bench.threshold.ThresholdReport;
import io.hearth.bench.threshold.ThresholdReport.Figure;
import io.hearth.testkit.process.FastTimings;
import io.hearth.testkit.process.OnlineConfigChange;
import io.hearth.testkit.process.ProcessCluster;
import java.io.IOException;
import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.ConnectionFactory;

/** OpenTSDB on a running cluster: its tables and a TSD, for as long as a stream of metrics goes through it. */
final class TsdbRun implements AutoCloseable {

    private final ProcessCluster cluster;
    private final TsdbOptions options;
    private final String classPath;
    private final ExpectationLog expectations;
    private final Connection connection;
    private final FileSystem fileSystem;
    private final Admin admin;
    private final TsdbTables tables;

    TsdbRun(ProcessCluster cluster, TsdbOptions options, String classPath, ExpectationLog expectations)
            throws IOException {
        this.cluster = cluster;
        this.options = options;
        this.classPath = classPath;
        this.expectations = expectations;
        Configuration conf = cluster.clientConfiguration();
        this.connection = ConnectionFactory.createConnection(conf);
        this.fileSystem = FileSystem.newInstance(conf);
        this.admin = connection.getAdmin();
        this.tables = new TsdbTables(connection, fileSystem, conf, options.table());
    }

    /** Runs it to its end. */
    void run() throws IOException, InterruptedException {
        boolean wasOn = admin.balancerSwitch(false, true);
        try (OnlineConfigChange settings = new OnlineConfigChange(cluster.conf(), admin)) {
            // What an earlier run promised under another load must not keep this one from acting.
            settings.set(FastTimings.with(
                    Map.of("hearth.balancer.prediction.reset.token", "tsdb-" + System.currentTimeMillis())));
            Tsd.endLeft(cluster);
            tables.create();
            Tsd tsd = Tsd.start(cluster, classPath, options.table().salted(), options.settings());
            Thread endAtTheLatest = new Thread(() -> end(tsd), "end of the TSD");
            Runtime.getRuntime().addShutdownHook(endAtTheLatest);
            try {
                expectations.say(
                        "OpenTSDB serves at %s: %d regions of %s, %d metrics of %d hosts, %,d points a second",
                        tsd.address(),
                        options.table().regions(),
                        options.table().salted() ? "tsdb, a bucket of salt each" : "tsdb, without salt",
                        options.table().metrics(),
                        TsdbOptions.HOSTS,
                        options.pointsPerSecond());
                new StreamRun(cluster, options, expectations, admin, settings, tables, tsd.client()).run();
                if (options.keep()) {
                    expectations.say("The TSD and its tables stay; bin/hearth cluster stop ends them.");
                }
            } finally {
                Runtime.getRuntime().removeShutdownHook(endAtTheLatest);
                end(tsd);
            }
            if (!options.keep()) {
                tables.drop();
            }
        } finally {
            admin.balancerSwitch(wasOn, true);
        }
    }

    private void end(Tsd tsd) {
        try {
            if (!options.keep()) {
                tsd.close();
            }
        } catch (IOException e) {
            expectations.say("   %s", String.valueOf(e.getMessage()));
        }
    }

    @Override
    public void close() throws IOException {
        admin.close();
        connection.close();
        fileSystem.close();
    }

    /**
     * What somebody wants of a run.
     *
     * @param pointsPerSecond of all series together
     * @param table how the table of data points is laid out
     * @param seed chooses which metrics are hot, and which server dies
     * @param stock whether HBase's own balancer tries first
     * @param crash whether a server dies
     * @param checkOnly only whether points can be written and read: nothing is balanced, nobody dies
     * @param keep leaves the TSD and its tables
     * @param settings lines for opentsdb.conf, over all others
     */
    record TsdbOptions(
            int pointsPerSecond,
            TsdbRowKeys table,
            long seed,
            boolean stock,
            boolean crash,
            boolean checkOnly,
            boolean keep,
            Map<String, String> settings) {

        /** Each metric is reported by this many. */
        static final int HOSTS = 8;
    }

    /** Prints what is found as it is found, and remembers the figures and what does not hold. Used by one thread. */
    static final class ExpectationLog {

        private final PrintWriter out;
        private final List<String> failed = new ArrayList<>();
        private final ThresholdReport report = new ThresholdReport();

        ExpectationLog(PrintWriter out) {
            this.out = out;
        }

        void say(String format, Object... values) {
            out.println(values.length == 0 ? format : String.format(Locale.ROOT, format, values));
            out.flush();
        }

        /** Something that has to be so. */
        void expect(boolean holds, String what, String found) {
            say("   %s  %s: %s", holds ? "HOLDS " : "BROKEN", what, found);
            if (!holds) {
                failed.add(what);
                report.violation(what + ": " + found);
            }
        }

        /** Takes figures in that have a line of their own, or none. */
        void add(List<Figure> figures) {
            figures.forEach(report::add);
        }

        /** The figures, and what does not hold with what was found instead. */
        ThresholdReport report() {
            return report;
        }

        /** What was expected and is not so. */
        List<String> failed() {
            return List.copyOf(failed);
        }
    }
}
