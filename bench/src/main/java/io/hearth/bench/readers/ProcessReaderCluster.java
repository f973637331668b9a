// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.bench.readers;

import com.google.gson.JsonObject;
import io.hearth.bench.readers.ReaderCluster.DataNodeReadStatistics;
import io.hearth.bench.readers.ReaderResult.BlockMoves;
import io.hearth.bench.readers.ReaderResult.StreamReadStatistics;
import io.hearth.bench.readers.StallingMoves.KnownBlock;
import io.hearth.testkit.embedded.ClusterHost;
import io.hearth.testkit.embedded.Directories;
import io.hearth.testkit.embedded.ReplicaMover;
import io.hearth.testkit.process.JmxClient;
import io.hearth.testkit.process.OnlineConfigChange;
import io.hearth.testkit.process.ProcessCluster;
import io.hearth.testkit.process.layout.ClusterSpec;
import io.hearth.testkit.process.layout.ClusterSpec.NetworkMode;
import io.hearth.testkit.process.layout.Daemon.DaemonRole;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.ConnectionFactory;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.awaitility.Awaitility;

/**
 * A cluster of processes, made for this and taken away again: each host has a network namespace, and so each RegionServer an HDFS
 * client that knows which address is its own. Hearth's healer in the HMaster moves the blocks. There are two replicas of each, on two
 * of three racks: so it has to take the one that is read. Only of every sixth block it takes either, because both are on other racks than
 * the server's. So a file gives up replicas on three DataNodes, and for its readers these have to go one after the other.
 */
final class ProcessReaderCluster implements ReaderCluster {

    private static final Duration START_LIMIT = Duration.ofMinutes(4);
    private static final Duration HEAL_LIMIT = Duration.ofMinutes(4);
    private static final Duration SPREAD_LIMIT = Duration.ofMinutes(2);
    private static final Duration BEAN_LIMIT = Duration.ofSeconds(30);
    private static final int HOSTS = 4;
    /** In order over the hosts: the first two are in one rack. */
    private static final int RACKS = 3;

    private static final Set<String> OTHER_RACKS = Set.of("host3", "host4");
    private static final int SPREAD_EVERY = 6;
    private static final String HEALS = "hearth.heal.enabled";
    private static final String REFRESH = "dfs.client.refresh.read-block-locations.ms";
    /** What the healer takes for the age of locations that nobody refreshes. */
    private static final long UNREFRESHED_MS = 10_000;

    private static final Map<String, String> OWN = Map.of(
            "dfs.replication",
            "2",
            "dfs.blocksize",
            "" + ReaderScenario.BLOCK_BYTES,
            HEALS,
            "false",
            "hearth.heal.poll.ms",
            "1000",
            "hearth.heal.region.stable.ms",
            "2000");

    /** Where the DataNodes' sockets are: libhadoop takes none below a folder that everybody may write, as that for temporary files. */
    static final Path SOCKETS = Path.of("/run/hearth-readers");

    private final ProcessCluster cluster;
    private final Connection connection;
    private final DistributedFileSystem fileSystem;
    private final long locationsAgeMs;
    private final JmxClient jmx = new JmxClient();
    private StreamReadStatistics closedBefore = StreamReadStatistics.UNKNOWN;

    private ProcessReaderCluster(ProcessCluster cluster, long locationsAgeMs) throws IOException {
        this.cluster = cluster;
        this.locationsAgeMs = locationsAgeMs;
        Configuration conf = cluster.clientConfiguration();
        this.connection = ConnectionFactory.createConnection(conf);
        this.fileSystem = (DistributedFileSystem) FileSystem.newInstance(conf);
        // Regions stay where the run puts them: the balancer would take some to the servers that have none.
        try (Admin admin = connection.getAdmin()) {
            admin.balancerSwitch(false, true);
        }
    }

    /** Starts one in this folder; what a run that was killed has left there is taken away first. */
    static ProcessReaderCluster start(Path folder, Map<String, String> properties)
            throws IOException, InterruptedException {
        Map<String, String> settings = new HashMap<>(properties);
        settings.putAll(OWN);
        ProcessCluster cluster = ProcessCluster.recreate(
                folder, new ClusterSpec(HOSTS, RACKS, 1, NetworkMode.NAMESPACES, 0, 0, true, settings));
        Thread stopAtTheLatest = new Thread(() -> stop(cluster));
        Runtime.getRuntime().addShutdownHook(stopAtTheLatest);
        try {
            Directories.delete(SOCKETS);
            Files.createDirectory(SOCKETS);
            cluster.start(START_LIMIT);
            return new ProcessReaderCluster(cluster, locationsAgeMs(properties));
        } catch (IOException | InterruptedException | RuntimeException failure) {
            stop(cluster);
            throw failure;
        }
    }

    private static long locationsAgeMs(Map<String, String> properties) {
        long refreshMs = Long.parseLong(properties.get(REFRESH));
        return refreshMs > 0 ? refreshMs : UNREFRESHED_MS;
    }

    private static void stop(ProcessCluster cluster) {
        try {
            cluster.stop();
            Directories.delete(SOCKETS);
        } catch (IOException e) {
            throw new IllegalStateException("the cluster could not be taken away: " + e.getMessage(), e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    @Override
    public Connection connection() {
        return connection;
    }

    @Override
    public FileSystem fileSystem() {
        return fileSystem;
    }

    @Override
    public DataNodeReadStatistics served() {
        DataNodeReadStatistics all = DataNodeReadStatistics.NONE;
        for (ClusterHost host : cluster.layout().workers()) {
            JsonObject activity = bean(host, DaemonRole.DATANODE, "Hadoop:service=DataNode,name=DataNodeActivity-*");
            all = all.plus(new DataNodeReadStatistics(
                    activity.get("BytesRead").getAsLong(),
                    activity.get("RemoteBytesRead").getAsLong()));
        }
        return all;
    }

    /** A busy server does not answer at once, and shows nothing while its metrics are made anew. */
    private JsonObject bean(ClusterHost host, DaemonRole role, String name) {
        return Awaitility.await(name + " of the " + role.word() + " on " + host.name() + " at http://" + host.address()
                        + ":" + role.watchedPort() + "/jmx")
                .atMost(BEAN_LIMIT)
                .until(() -> jmx.bean(host.address(), role.watchedPort(), name), Optional::isPresent)
                .orElseThrow();
    }

    @Override
    public void spread(ReaderTable table, String writtenOn) throws IOException {
        ReplicaMover mover = new ReplicaMover(fileSystem);
        int moved = 0;
        for (org.apache.hadoop.fs.Path file : table.storeFiles()) {
            moved += mover.moveSome(file, SPREAD_EVERY, writtenOn, OTHER_RACKS);
        }
        int spread = moved;
        Awaitility.await("replicas that are spread")
                .atMost(SPREAD_LIMIT)
                .until(() -> table.blocksNotOn(writtenOn) == spread);
    }

    @Override
    public BlockMoves makeLocal(ReaderTable table, String from, String to) throws Exception {
        closedBefore = streams(to);
        Map<Long, KnownBlock> before = table.knownBlocks();
        int remote = table.blocksNotOn(to);
        try (Admin admin = connection.getAdmin()) {
            new OnlineConfigChange(cluster.conf(), admin).set(Map.of(HEALS, "true"));
        }
        Awaitility.await("healing of every block").atMost(HEAL_LIMIT).until(() -> table.isSettledOn(to));
        int moved = remote - table.blocksNotOn(to);
        return new BlockMoves(moved, true, stalling(before, to, moved));
    }

    private int stalling(Map<Long, KnownBlock> before, String to, int moved) throws IOException {
        Path log = cluster.log(cluster.daemon(DaemonRole.DATANODE, to));
        // Half of it, because for the healer a move ends when the turn begins that hears of it.
        StallingMoves.Count count = StallingMoves.count(Files.readAllLines(log), before, locationsAgeMs / 2);
        if (count.moves() < moved) {
            throw new IOException("of " + moved + " moves the log of the DataNode on " + to + " tells of "
                    + count.moves() + ": what they mean for readers is unknown");
        }
        return count.stalling();
    }

    @Override
    public DfsClientEvents events() throws IOException {
        return DfsClientEvents.events(
                cluster.log(cluster.daemon(DaemonRole.REGIONSERVER, ReaderRun.SERVED_BY)), ReaderTable.FOLDER);
    }

    @Override
    public StreamReadStatistics closeStreams(ReaderTable table, String host) throws IOException {
        table.disable();
        return streams(host).since(closedBefore);
    }

    private StreamReadStatistics streams(String host) {
        JsonObject server = bean(
                cluster.daemon(DaemonRole.REGIONSERVER, host).host(),
                DaemonRole.REGIONSERVER,
                "Hadoop:service=HBase,name=RegionServer,sub=Server");
        return new StreamReadStatistics(
                server.get("totalBytesRead").getAsLong(),
                server.get("localBytesRead").getAsLong(),
                server.get("shortCircuitBytesRead").getAsLong());
    }

    @Override
    public void close() throws IOException {
        connection.close();
        fileSystem.close();
        try {
            cluster.stop();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new InterruptedIOException("What is left of the cluster is cleared away at the next start");
        }
        Directories.delete(SOCKETS);
        cluster.close();
    }
}
