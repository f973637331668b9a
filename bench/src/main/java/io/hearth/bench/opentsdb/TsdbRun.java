// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.bench.opentsdb;

import io.hearth.testkit.process.FastTimings;
import io.hearth.testkit.process.OnlineConfigChange;
import io.hearth.testkit.process.ProcessCluster;
import java.io.IOException;
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
            expectations.say("   %s", e.getMessage());
        }
    }

    @Override
    public void close() throws IOException {
        admin.close();
        connection.close();
        fileSystem.close();
    }
}
