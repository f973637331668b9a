// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.bench.cluster;

import io.hearth.testkit.load.LoadTable;
import io.hearth.testkit.process.ProcessCluster;
import io.hearth.testkit.process.system.SystemCommand;
import java.io.IOException;
import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.ServerName;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.client.CompactionState;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.ConnectionFactory;
import org.apache.hadoop.hbase.client.RegionInfo;
import org.apache.hadoop.hbase.util.Bytes;

/** A variant's cluster that runs, and what is used to ask and command it. */
public record ClusterHandle(ProcessCluster cluster, Connection connection, Admin admin, TableObserver observer)
        implements AutoCloseable {

    /** Longer than Hearth leaves a region alone that it has moved. */
    static final long QUIESCENCE_NANOS = TimeUnit.SECONDS.toNanos(25);

    private static final long QUIESCENCE_LIMIT_NANOS = TimeUnit.SECONDS.toNanos(120);
    private static final long POLL_MS = 1_000;

    /** Asks this cluster, which runs. */
    public static ClusterHandle of(ProcessCluster cluster) throws IOException {
        Configuration conf = cluster.clientConfiguration();
        Connection connection = ConnectionFactory.createConnection(conf);
        return new ClusterHandle(
                cluster, connection, connection.getAdmin(), new TableObserver(cluster, conf, connection));
    }

    /** The numbers of these regions in that table, which are named by encoded names. */
    List<Integer> numbers(LoadTable table, Collection<String> regions) throws IOException {
        return admin.getRegions(table.name()).stream()
                .filter(region -> regions.contains(region.getEncodedName()))
                .map(RegionInfo::getStartKey)
                .map(table.keys()::regionStartingWith)
                .toList();
    }

    /** Moves regions, named by encoded names, to a server, one after the other. */
    public void move(Collection<String> regions, ServerName server) throws IOException {
        for (String region : regions) {
            admin.move(Bytes.toBytes(region), server);
        }
    }

    /**
     * Major-compacts a table, so that each of its stores is one file.
     *
     * @throws IOException if that is not over within the limit
     */
    void compact(TableName table, Duration limit) throws IOException, InterruptedException {
        long untilNanos = System.nanoTime() + limit.toNanos();
        admin.majorCompact(table);
        do {
            if (System.nanoTime() > untilNanos) {
                throw new IOException(table + " is not compacted after " + limit.toSeconds() + " s");
            }
            TimeUnit.MILLISECONDS.sleep(POLL_MS);
        } while (admin.getCompactionState(table) != CompactionState.NONE);
    }

    /**
     * Waits for what an event leaves behind to be over, so that the next one is not blamed for it: until no region has moved for a while,
     * garbage is collected, and what the system has not written to the disk yet is written.
     */
    void awaitQuiescence() throws IOException, InterruptedException {
        long start = System.nanoTime();
        long since = start;
        Map<String, String> hosts = RelocationTracker.hosts(observer.localitySnapshot());
        while (System.nanoTime() - since < QUIESCENCE_NANOS && System.nanoTime() - start < QUIESCENCE_LIMIT_NANOS) {
            TimeUnit.MILLISECONDS.sleep(POLL_MS);
            Map<String, String> now = RelocationTracker.hosts(observer.localitySnapshot());
            since = now.equals(hosts) ? since : System.nanoTime();
            hosts = now;
        }
        cluster.collectGarbage();
        SystemCommand.run("sync");
    }

    /** The cluster goes on. */
    @Override
    public void close() throws IOException {
        observer.close();
        admin.close();
        connection.close();
    }
}
