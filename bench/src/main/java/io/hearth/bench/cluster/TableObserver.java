// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.bench.cluster;

import com.google.gson.JsonObject;
import io.hearth.bench.cluster.MoveRoundsResult.CpuTimes;
import io.hearth.bench.cluster.VariantResult.Traffic;
import io.hearth.chaos.HearthMetricsReader;
import io.hearth.chaos.HearthMetricsReader.WaitingBlocks;
import io.hearth.demo.NameNodeInspector;
import io.hearth.demo.ServerLoadReports;
import io.hearth.testkit.embedded.ClusterHost;
import io.hearth.testkit.load.LoadTable;
import io.hearth.testkit.measure.ClusterLoadReport;
import io.hearth.testkit.measure.LocalitySnapshot;
import io.hearth.testkit.process.JmxClient;
import io.hearth.testkit.process.ProcessCluster;
import io.hearth.testkit.process.layout.Daemon.DaemonRole;
import java.io.IOException;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.client.Connection;

/** What the benchmark reads of a cluster and of the table of its load: the NameNode, hbase:meta, the RegionServers' reports and the DataNodes' counts. */
public final class TableObserver implements AutoCloseable {

    private static final int SAMPLES = 20;
    private static final String ACTIVITY = "Hadoop:service=DataNode,name=DataNodeActivity-*";

    private final ProcessCluster cluster;
    private final Connection connection;
    private final FileSystem fileSystem;
    private final NameNodeInspector nameNode;
    private final HearthMetricsReader healer;
    private final JmxClient jmx = new JmxClient();

    TableObserver(ProcessCluster cluster, Configuration conf, Connection connection) throws IOException {
        this.cluster = cluster;
        this.connection = connection;
        this.fileSystem = FileSystem.newInstance(conf);
        this.nameNode = new NameNodeInspector(fileSystem, conf, LoadTable.NAME, LoadTable.FAMILY);
        this.healer = new HearthMetricsReader(cluster);
    }

    /** Where the table's blocks are and who serves its regions. */
    public LocalitySnapshot localitySnapshot() throws IOException {
        return nameNode.localitySnapshot(NameNodeInspector.served(connection, LoadTable.NAME));
    }

    /** Samples as often as is done while data is healed, so that the figures of both times have the cost of sampling in them. */
    void sampleFor(int seconds, long everyMs) throws IOException, InterruptedException {
        long untilNanos = System.nanoTime() + TimeUnit.SECONDS.toNanos(seconds);
        while (System.nanoTime() < untilNanos) {
            localitySnapshot();
            TimeUnit.MILLISECONDS.sleep(everyMs);
        }
    }

    /** The latest report of every live RegionServer on the table. */
    ClusterLoadReport report() throws IOException {
        try (Admin admin = connection.getAdmin()) {
            return ServerLoadReports.of(admin, LoadTable.NAME);
        }
    }

    /** The host of the RegionServer with hbase:meta. */
    String metaHost() throws IOException {
        return connection
                .getRegionLocator(TableName.META_TABLE_NAME)
                .getRegionLocation(new byte[0], true)
                .getHostname();
    }

    /** All bytes so far. */
    Traffic traffic() throws IOException, InterruptedException {
        long read = 0;
        long written = 0;
        for (ClusterHost host : cluster.layout().workers()) {
            JsonObject activity = activity(host);
            read += activity.get("BytesRead").getAsLong();
            written += activity.get("BytesWritten").getAsLong();
        }
        return new Traffic(read, written, cluster.bytesSent().orElse(0));
    }

    /** A DataNode that is busy may take its time to answer. */
    private JsonObject activity(ClusterHost host) throws IOException, InterruptedException {
        for (int sample = 0; sample < SAMPLES; sample++) {
            Optional<JsonObject> activity = jmx.bean(host.address(), DaemonRole.DATANODE.watchedPort(), ACTIVITY);
            if (activity.isPresent()) {
                return activity.get();
            }
        }
        throw new IOException("the DataNode on " + host.name() + " does not say what it has read and written, asked "
                + SAMPLES + " times");
    }

    /** All processor time so far. */
    CpuTimes cpuTimes() {
        return new CpuTimes(millis(DaemonRole.DATANODE), millis(DaemonRole.REGIONSERVER), millis(DaemonRole.MASTER));
    }

    private double millis(DaemonRole role) {
        return cluster.cpuTime(role).toNanos() / 1e6;
    }

    /** What waits to be moved; absent where nobody says, as where nobody moves blocks. */
    Optional<WaitingBlocks> waiting() {
        return healer.waiting();
    }

    /** What the healer has moved and verified. While HBase makes its metrics anew, nobody says so for some seconds. */
    long healedBytes() throws InterruptedException {
        Optional<Long> bytes = healer.bytesVerified();
        for (int sample = 0; sample < SAMPLES && bytes.isEmpty(); sample++) {
            TimeUnit.SECONDS.sleep(1);
            bytes = healer.bytesVerified();
        }
        return bytes.orElse(0L);
    }

    @Override
    public void close() throws IOException {
        fileSystem.close();
    }
}
