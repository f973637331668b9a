package io.hearth.bench.readers;

import com.google.gson.JsonObject;
import io.hearth.cluster.ClusterHost;
import io.hearth.cluster.Directories;
import io.hearth.procs.Jmx;
import io.hearth.procs.LiveSettings;
import io.hearth.procs.ProcessCluster;
import io.hearth.procs.layout.Role;
import io.hearth.procs.layout.Shape;
import io.hearth.procs.layout.Wiring;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.ConnectionFactory;
import org.awaitility.Awaitility;

/**
 * A cluster of processes, made for this and taken away again: each host has a network namespace, and so each RegionServer an HDFS
 * client that knows which address is its own. Hearth's healer in the HMaster moves the blocks. There are two replicas of each, on two
 * racks: so it has to take the one that is read.
 */
final class ProcessReaderCluster implements ReaderCluster {

    private static final Duration START_LIMIT = Duration.ofMinutes(4);
    private static final Duration HEAL_LIMIT = Duration.ofMinutes(4);
    private static final String HEALS = "hearth.heal.enabled";
    private static final Map<String, String> OWN = Map.of(
            "dfs.replication",
            "2",
            "dfs.blocksize",
            "" + ReaderScenario.BLOCK_BYTES,
            HEALS,
            "false",
            "hearth.heal.poll.ms",
            "1000",
            "hearth.heal.settle.ms",
            "2000");

    /** Where the DataNodes' sockets are: libhadoop takes none below a folder that everybody may write, as that for temporary files. */
    static final Path SOCKETS = Path.of("/run/hearth-readers");

    private final ProcessCluster cluster;
    private final Connection connection;
    private final FileSystem fileSystem;
    private final Jmx jmx = new Jmx();
    private StreamBytes closedBefore = StreamBytes.NOBODY_SAYS;

    private ProcessReaderCluster(ProcessCluster cluster) throws IOException {
        this.cluster = cluster;
        Configuration conf = cluster.clientConfiguration();
        this.connection = ConnectionFactory.createConnection(conf);
        this.fileSystem = FileSystem.newInstance(conf);
    }

    /** Starts one in this folder; what a run that was killed has left there is taken away first. */
    static ProcessReaderCluster start(Path folder, Map<String, String> properties)
            throws IOException, InterruptedException {
        Map<String, String> settings = new HashMap<>(properties);
        settings.putAll(OWN);
        ProcessCluster cluster =
                ProcessCluster.createAnew(folder, new Shape(4, 2, 1, Wiring.NAMESPACES, 0, 0, true, settings));
        Thread stopAtTheLatest = new Thread(() -> stop(cluster));
        Runtime.getRuntime().addShutdownHook(stopAtTheLatest);
        try {
            Directories.delete(SOCKETS);
            Files.createDirectory(SOCKETS);
            cluster.start(START_LIMIT);
            return new ProcessReaderCluster(cluster);
        } catch (IOException | InterruptedException | RuntimeException failure) {
            stop(cluster);
            throw failure;
        }
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
    public ServedBytes served() throws IOException, InterruptedException {
        ServedBytes all = ServedBytes.NONE;
        for (ClusterHost host : cluster.layout().workers()) {
            JsonObject activity = bean(host, Role.DATANODE, "Hadoop:service=DataNode,name=DataNodeActivity-*");
            all = all.plus(new ServedBytes(
                    activity.get("BytesRead").getAsLong(),
                    activity.get("RemoteBytesRead").getAsLong()));
        }
        return all;
    }

    private JsonObject bean(ClusterHost host, Role role, String name) throws IOException, InterruptedException {
        return jmx.bean(host.address(), role.watchedPort(), name)
                .orElseThrow(() -> new IOException("the " + role.word() + " on " + host.name() + " does not show "
                        + name + " at http://" + host.address() + ":" + role.watchedPort() + "/jmx"));
    }

    @Override
    public int bringHome(ReaderTable table, String from, String to) throws Exception {
        closedBefore = streams(to);
        int away = table.blocksAwayFrom(to);
        try (Admin admin = connection.getAdmin()) {
            admin.balancerSwitch(false, true);
            new LiveSettings(cluster.conf(), admin).set(Map.of(HEALS, "true"));
        }
        Awaitility.await("healing of every block").atMost(HEAL_LIMIT).until(() -> table.isSettledOn(to));
        return away - table.blocksAwayFrom(to);
    }

    @Override
    public HdfsEvents events() throws IOException {
        return ServerLog.events(
                cluster.log(cluster.member(Role.REGIONSERVER, ReaderRun.SERVED_BY)), ReaderTable.FOLDER);
    }

    @Override
    public StreamBytes closeStreams(ReaderTable table, String host) throws IOException, InterruptedException {
        table.disable();
        return streams(host).since(closedBefore);
    }

    private StreamBytes streams(String host) throws IOException, InterruptedException {
        JsonObject server = bean(
                cluster.member(Role.REGIONSERVER, host).host(),
                Role.REGIONSERVER,
                "Hadoop:service=HBase,name=RegionServer,sub=Server");
        return new StreamBytes(
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
