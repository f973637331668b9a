package io.hearth.bench.cluster;

import com.google.gson.JsonObject;
import io.hearth.chaos.HearthGauges;
import io.hearth.cluster.ClusterHost;
import io.hearth.demo.NameNodeWatch;
import io.hearth.demo.ServerReports;
import io.hearth.demo.measure.ClusterReport;
import io.hearth.demo.measure.LocalityCensus;
import io.hearth.load.LoadTable;
import io.hearth.procs.Jmx;
import io.hearth.procs.ProcessCluster;
import io.hearth.procs.layout.Role;
import java.io.IOException;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.client.Connection;

/** The benchmark's eyes on a cluster and on the table of its load: the NameNode, hbase:meta, the RegionServers' reports and the DataNodes' counts. */
final class TableEyes implements AutoCloseable {

    private static final int LOOKS = 20;
    private static final String ACTIVITY = "Hadoop:service=DataNode,name=DataNodeActivity-*";

    private final ProcessCluster cluster;
    private final Connection connection;
    private final FileSystem fileSystem;
    private final NameNodeWatch nameNode;
    private final HearthGauges healer;
    private final Jmx jmx = new Jmx();

    TableEyes(ProcessCluster cluster, Configuration conf, Connection connection) throws IOException {
        this.cluster = cluster;
        this.connection = connection;
        this.fileSystem = FileSystem.newInstance(conf);
        this.nameNode = new NameNodeWatch(fileSystem, conf, LoadTable.NAME, LoadTable.FAMILY);
        this.healer = new HearthGauges(cluster);
    }

    /** Where the table's blocks are and who serves its regions. */
    LocalityCensus census() throws IOException {
        return nameNode.census(NameNodeWatch.served(connection, LoadTable.NAME));
    }

    /** Looks as it is looked while data comes home, so that what looking costs is in that with which that time is compared. */
    void lookOn(int seconds, long everyMs) throws IOException, InterruptedException {
        long untilNanos = System.nanoTime() + TimeUnit.SECONDS.toNanos(seconds);
        while (System.nanoTime() < untilNanos) {
            census();
            TimeUnit.MILLISECONDS.sleep(everyMs);
        }
    }

    /** The latest report of every live RegionServer on the table. */
    ClusterReport report() throws IOException {
        try (Admin admin = connection.getAdmin()) {
            return ServerReports.of(admin, LoadTable.NAME);
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
        for (int look = 0; look < LOOKS; look++) {
            Optional<JsonObject> activity = jmx.bean(host.address(), Role.DATANODE.watchedPort(), ACTIVITY);
            if (activity.isPresent()) {
                return activity.get();
            }
        }
        throw new IOException("the DataNode on " + host.name() + " does not say what it has read and written, asked "
                + LOOKS + " times");
    }

    /** What the healer has moved and verified. While HBase makes its metrics anew, nobody says so for some seconds. */
    long healedBytes() throws InterruptedException {
        Optional<Long> bytes = healer.bytesVerified();
        for (int look = 0; look < LOOKS && bytes.isEmpty(); look++) {
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
