package io.hearth.tsdb;

import io.hearth.procs.LiveSettings;
import io.hearth.procs.ProcessCluster;
import io.hearth.procs.ShortWaits;
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
    private final TsdbPlan plan;
    private final String classPath;
    private final Findings findings;
    private final Connection connection;
    private final FileSystem fileSystem;
    private final Admin admin;
    private final TsdbTables tables;

    TsdbRun(ProcessCluster cluster, TsdbPlan plan, String classPath, Findings findings) throws IOException {
        this.cluster = cluster;
        this.plan = plan;
        this.classPath = classPath;
        this.findings = findings;
        Configuration conf = cluster.clientConfiguration();
        this.connection = ConnectionFactory.createConnection(conf);
        this.fileSystem = FileSystem.newInstance(conf);
        this.admin = connection.getAdmin();
        this.tables = new TsdbTables(connection, fileSystem, conf, plan.table());
    }

    /** Runs it to its end. */
    void run() throws IOException, InterruptedException {
        boolean wasOn = admin.balancerSwitch(false, true);
        try (LiveSettings settings = new LiveSettings(cluster.conf(), admin)) {
            // What an earlier run promised under another load must not keep this one from acting.
            settings.set(ShortWaits.with(Map.of("hearth.balancer.ledger.reset", "tsdb-" + System.currentTimeMillis())));
            Tsd.endLeft(cluster);
            tables.create();
            Tsd tsd = Tsd.start(cluster, classPath, plan.table().salted(), plan.settings());
            Thread endAtTheLatest = new Thread(() -> end(tsd), "end of the TSD");
            Runtime.getRuntime().addShutdownHook(endAtTheLatest);
            try {
                findings.say(
                        "OpenTSDB serves at %s: %d regions of %s, %d metrics of %d hosts, %,d points a second",
                        tsd.address(),
                        plan.table().regions(),
                        plan.table().salted() ? "tsdb, a bucket of salt each" : "tsdb, without salt",
                        plan.table().metrics(),
                        TsdbPlan.HOSTS,
                        plan.pointsPerSecond());
                new StreamRun(cluster, plan, findings, admin, settings, tables, tsd.client()).run();
                if (plan.keep()) {
                    findings.say("The TSD and its tables stay; bin/hearth cluster stop ends them.");
                }
            } finally {
                Runtime.getRuntime().removeShutdownHook(endAtTheLatest);
                end(tsd);
            }
            if (!plan.keep()) {
                tables.drop();
            }
        } finally {
            admin.balancerSwitch(wasOn, true);
        }
    }

    private void end(Tsd tsd) {
        try {
            if (!plan.keep()) {
                tsd.close();
            }
        } catch (IOException e) {
            findings.say("   %s", e.getMessage());
        }
    }

    @Override
    public void close() throws IOException {
        admin.close();
        connection.close();
        fileSystem.close();
    }
}
