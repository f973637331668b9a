package io.hearth.bench.cluster;

import io.hearth.testkit.load.KeyDistribution;
import io.hearth.testkit.load.LoadDriver;
import io.hearth.testkit.load.LoadProfile;
import io.hearth.testkit.load.LoadTable;
import io.hearth.testkit.load.Workload;
import io.hearth.testkit.measure.KeySpace;
import java.io.IOException;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.hbase.ServerName;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.client.Connection;

/**
 * Reads from a RegionServer that has just been started, from a table of its own. A new JVM compiles its code while it answers its first requests; on few
 * processors every other server waits for that, which would be taken for what healing costs.
 */
final class WarmUp {

    private static final LoadTable TABLE =
            new LoadTable(TableName.valueOf("hearth_bench_warm"), new KeySpace(1, 2_000), Scale.VALUE_BYTES, Map.of());
    /** Half of them multigets. */
    private static final int PER_SECOND = 120;

    private static final long POLL_MS = 100;
    private static final long SERVER_LIMIT_SECONDS = 120;

    private WarmUp() {}

    /** Waits until there is a RegionServer on that host and reads from it for so long. The balancer is to be off. */
    static void of(String host, ClusterHandle handle, int seconds, long seed) throws IOException, InterruptedException {
        Admin admin = handle.admin();
        Connection connection = handle.connection();
        ServerName server = await(host, admin);
        TABLE.create(connection, seed, rows -> {});
        admin.move(admin.getRegions(TABLE.name()).get(0).getEncodedNameAsBytes(), server);
        LoadProfile profile = new LoadProfile(Workload.C, KeyDistribution.UNIFORM, 1, 1, PER_SECOND, 0.5, false, seed);
        try (LoadDriver load = LoadDriver.start(connection.getConfiguration(), TABLE, profile)) {
            TimeUnit.SECONDS.sleep(seconds);
            load.stop();
        }
        TABLE.drop(connection);
    }

    private static ServerName await(String host, Admin admin) throws IOException, InterruptedException {
        long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(SERVER_LIMIT_SECONDS);
        while (System.nanoTime() < deadline) {
            Optional<ServerName> server = admin.getRegionServers().stream()
                    .filter(one -> one.getHostname().equals(host))
                    .findFirst();
            if (server.isPresent()) {
                return server.get();
            }
            TimeUnit.MILLISECONDS.sleep(POLL_MS);
        }
        throw new IOException("there is no RegionServer on " + host + " after " + SERVER_LIMIT_SECONDS + " s");
    }
}
