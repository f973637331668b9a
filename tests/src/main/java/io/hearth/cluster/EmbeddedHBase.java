package io.hearth.cluster;

import java.io.File;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.LocalHBaseCluster;
import org.apache.hadoop.hbase.ServerName;
import org.apache.hadoop.hbase.master.HMaster;
import org.apache.hadoop.hbase.regionserver.HRegionServer;
import org.apache.hadoop.hbase.security.User;
import org.apache.hadoop.hbase.util.JVMClusterUtil.MasterThread;
import org.apache.hadoop.hbase.util.JVMClusterUtil.RegionServerThread;
import org.apache.hadoop.hbase.zookeeper.MiniZooKeeperCluster;
import org.awaitility.Awaitility;

/** The HBase of an embedded cluster: ZooKeeper, a master, and a RegionServer on each host. Not thread-safe. */
final class EmbeddedHBase implements AutoCloseable {
    private static final Duration MASTER_TIMEOUT = Duration.ofMinutes(2);
    private static final Duration KILL_TIMEOUT = Duration.ofSeconds(60);
    private static final Duration CLOSE_TIMEOUT = Duration.ofSeconds(60);

    private final MiniZooKeeperCluster zooKeeper;
    private final LocalHBaseCluster cluster;

    private EmbeddedHBase(MiniZooKeeperCluster zooKeeper, LocalHBaseCluster cluster) {
        this.zooKeeper = zooKeeper;
        this.cluster = cluster;
    }

    /** Starts it and puts the addresses of ZooKeeper and the root directory into the configuration. */
    static EmbeddedHBase start(Configuration conf, List<ClusterHost> hosts, Path directory) throws IOException {
        MiniZooKeeperCluster zooKeeper = new MiniZooKeeperCluster(conf);
        try {
            File zooKeeperDirectory = directory.resolve("zookeeper").toFile();
            conf.setInt("hbase.zookeeper.property.clientPort", zooKeeper.startup(zooKeeperDirectory));
            conf.set("hbase.zookeeper.quorum", "localhost");
            conf.set("hbase.rootdir", conf.get("fs.defaultFS") + "/hbase");
            return new EmbeddedHBase(zooKeeper, startServers(conf, hosts));
        } catch (InterruptedException e) {
            zooKeeper.shutdown();
            Thread.currentThread().interrupt();
            throw new InterruptedIOException("interrupted while HBase was starting");
        } catch (IOException | RuntimeException e) {
            zooKeeper.shutdown();
            throw e;
        }
    }

    private static LocalHBaseCluster startServers(Configuration conf, List<ClusterHost> hosts)
            throws IOException, InterruptedException {
        LocalHBaseCluster cluster = new LocalHBaseCluster(conf, 1, 0, 0, HMaster.class, EmbeddedRegionServer.class);
        for (int i = 0; i < hosts.size(); i++) {
            ClusterHost host = hosts.get(i);
            Configuration ofHost = new Configuration(conf);
            EmbeddedRegionServer.install(ofHost, host);
            // Hadoop keeps one file system per user: a user per host has each call from its own address.
            User user = User.createUserForTesting(ofHost, host.name(), new String[] {"supergroup"});
            cluster.addRegionServer(ofHost, i, user);
        }
        cluster.startup();
        return cluster;
    }

    HMaster master() {
        HMaster master = cluster.getActiveMaster();
        if (master == null) {
            throw new IllegalStateException("No master is active: the cluster's log file says why");
        }
        return master;
    }

    Optional<ServerName> regionServerOn(String hostName) {
        return runningOn(hostName).map(thread -> thread.getRegionServer().getServerName());
    }

    /** Kills the RegionServer of that host and returns when the master knows and the server's thread has ended. */
    void killRegionServer(String hostName) {
        RegionServerThread thread = runningOn(hostName)
                .orElseThrow(() -> new IllegalStateException("No RegionServer is running on " + hostName));
        EmbeddedRegionServer server = (EmbeddedRegionServer) thread.getRegionServer();
        server.kill();
        Awaitility.await("the master's notice of the death of " + server.getServerName())
                .atMost(KILL_TIMEOUT)
                .pollInterval(Duration.ofMillis(50))
                .until(() -> !thread.isAlive() && !master().getServerManager().isServerOnline(server.getServerName()));
    }

    private Optional<RegionServerThread> runningOn(String hostName) {
        return cluster.getRegionServers().stream()
                .filter(RegionServerThread::isAlive)
                .filter(thread -> isRunning(thread.getRegionServer()))
                .filter(thread ->
                        thread.getRegionServer().getServerName().getHostname().equals(hostName))
                .findFirst();
    }

    private static boolean isRunning(HRegionServer server) {
        return !server.isStopped() && !server.isAborted();
    }

    /** Stops the active master, starts another and returns when that one is initialized. */
    void restartMaster(Configuration conf) throws IOException {
        MasterThread old = cluster.getMasters().stream()
                .filter(thread -> thread.getMaster() == master())
                .findFirst()
                .orElseThrow();
        old.getMaster().stop("restart of the master");
        Awaitility.await("the end of the old master").atMost(MASTER_TIMEOUT).until(() -> !old.isAlive());
        MasterThread started =
                cluster.addMaster(new Configuration(conf), cluster.getMasters().size());
        started.start();
        Awaitility.await("the new master").atMost(MASTER_TIMEOUT).until(() -> started.getMaster()
                .isInitialized());
    }

    @Override
    public void close() {
        Bounded.run("HBase", CLOSE_TIMEOUT, this::stopServers);
        Bounded.run("ZooKeeper", CLOSE_TIMEOUT, zooKeeper::shutdown);
    }

    /** HBase's own shutdown does not wait for the threads of its masters. */
    private void stopServers() throws InterruptedException {
        cluster.shutdown();
        for (MasterThread thread : cluster.getMasters()) {
            thread.join();
        }
    }
}
