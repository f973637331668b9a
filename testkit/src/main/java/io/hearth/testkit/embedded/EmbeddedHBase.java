// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.testkit.embedded;

import java.io.File;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.function.Predicate;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.LocalHBaseCluster;
import org.apache.hadoop.hbase.ServerName;
import org.apache.hadoop.hbase.master.HMaster;
import org.apache.hadoop.hbase.regionserver.HRegionServer;
import org.apache.hadoop.hbase.security.User;
import org.apache.hadoop.hbase.util.JVMClusterUtil.MasterThread;
import org.apache.hadoop.hbase.util.JVMClusterUtil.RegionServerThread;
import org.apache.hadoop.hbase.zookeeper.MiniZooKeeperCluster;
import org.apache.hadoop.security.UserGroupInformation;
import org.awaitility.Awaitility;
import org.awaitility.core.ConditionTimeoutException;

/** The HBase of an embedded cluster: ZooKeeper, a master, and a RegionServer on each host. Not thread-safe. */
final class EmbeddedHBase implements AutoCloseable {
    private static final Duration POLL = Duration.ofMillis(50);
    private static final Duration MASTER_TIMEOUT = Duration.ofMinutes(3);
    private static final Duration KILL_TIMEOUT = Duration.ofSeconds(60);
    private static final Duration CLOSE_TIMEOUT = Duration.ofSeconds(60);

    private final MiniZooKeeperCluster zooKeeper;
    private final LocalHBaseCluster cluster;

    private EmbeddedHBase(MiniZooKeeperCluster zooKeeper, LocalHBaseCluster cluster) {
        this.zooKeeper = zooKeeper;
        this.cluster = cluster;
    }

    /**
     * Starts it and puts the addresses of ZooKeeper and the root directory into the configuration.
     *
     * @throws IOException if the master ends while it starts, at once; what had started is stopped again
     */
    static EmbeddedHBase start(Configuration conf, List<ClusterHost> hosts, Path directory) throws IOException {
        MiniZooKeeperCluster zooKeeper = new MiniZooKeeperCluster(conf);
        LocalHBaseCluster cluster;
        try {
            File zooKeeperDirectory = directory.resolve("zookeeper").toFile();
            conf.setInt("hbase.zookeeper.property.clientPort", zooKeeper.startup(zooKeeperDirectory));
            conf.set("hbase.zookeeper.quorum", "localhost");
            rootFolders(conf);
            cluster = new LocalHBaseCluster(conf, 1, 0, 0, HMaster.class, EmbeddedRegionServer.class);
        } catch (InterruptedException e) {
            zooKeeper.shutdown();
            Thread.currentThread().interrupt();
            throw new InterruptedIOException("interrupted while ZooKeeper was starting");
        } catch (IOException | RuntimeException e) {
            zooKeeper.shutdown();
            throw e;
        }
        EmbeddedHBase hbase = new EmbeddedHBase(zooKeeper, cluster);
        try {
            hbase.startServers(conf, hosts);
            return hbase;
        } catch (IOException | RuntimeException e) {
            hbase.close();
            throw e;
        }
    }

    /** In HDFS, unless somebody wants the root folder elsewhere, where there may be no place for write-ahead logs. */
    private static void rootFolders(Configuration conf) {
        String[] sources = conf.getPropertySources("hbase.rootdir");
        boolean isGiven = sources != null && List.of(sources).contains("programmatically");
        if (isGiven) {
            conf.set("hbase.wal.dir", conf.get("fs.defaultFS") + "/hbase-wal");
        } else {
            conf.set("hbase.rootdir", conf.get("fs.defaultFS") + "/hbase");
        }
    }

    private void startServers(Configuration conf, List<ClusterHost> hosts) throws IOException {
        MasterThread master = cluster.getMasters().get(0);
        master.start();
        await(master, "active", HMaster::isActiveMaster);
        for (int i = 0; i < hosts.size(); i++) {
            addRegionServer(new Configuration(conf), hosts.get(i), i).start();
        }
        await(master, "initialized", HMaster::isInitialized);
        await(master, "told of every RegionServer", this::knowsEveryRegionServer);
    }

    private RegionServerThread addRegionServer(Configuration conf, ClusterHost host, int index) throws IOException {
        EmbeddedRegionServer.install(conf, host);
        User user = userOn(conf, host);
        try {
            return cluster.addRegionServer(conf, index, user);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new InterruptedIOException("interrupted while the RegionServer of " + host.name() + " was starting");
        }
    }

    /** A user of its own for each host; with Kerberos that is a login of its own, of the one principal of all RegionServers. */
    private static User userOn(Configuration conf, ClusterHost host) throws IOException {
        if (!UserGroupInformation.isSecurityEnabled()) {
            return User.createUserForTesting(conf, host.name(), new String[] {"supergroup"});
        }
        return User.create(UserGroupInformation.loginUserFromKeytabAndReturnUGI(
                conf.get("hbase.regionserver.kerberos.principal"), conf.get("hbase.regionserver.keytab.file")));
    }

    private static void await(MasterThread master, String what, Predicate<HMaster> condition) throws IOException {
        try {
            Awaitility.await("the master is " + what)
                    .atMost(MASTER_TIMEOUT)
                    .pollInterval(POLL)
                    .until(() -> condition.test(master.getMaster())
                            || master.getMaster().isAborted()
                            || !master.isAlive());
        } catch (ConditionTimeoutException e) {
            throw new IOException("The master was not " + what + " within " + MASTER_TIMEOUT.toSeconds() + " s", e);
        }
        if (!condition.test(master.getMaster())) {
            throw new IOException("The master ended before it was " + what + ": the cluster's log file says why");
        }
    }

    Optional<HMaster> master() {
        return Optional.ofNullable(cluster.getActiveMaster());
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
                .pollInterval(POLL)
                .until(() -> !thread.isAlive() && !isOnline(server.getServerName()));
    }

    /** Whether there is an active master that counts that RegionServer among the living. */
    private boolean isOnline(ServerName server) {
        return master().filter(active -> active.getServerManager().isServerOnline(server))
                .isPresent();
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

    /** Starts a RegionServer on that host, where none is running, and returns when the master knows it. */
    void startRegionServer(Configuration conf, ClusterHost host) throws IOException {
        addRegionServer(
                        new Configuration(conf),
                        host,
                        cluster.getRegionServers().size())
                .start();
        Awaitility.await("the master's notice of the RegionServer on " + host.name())
                .atMost(MASTER_TIMEOUT)
                .pollInterval(POLL)
                .until(() -> regionServerOn(host.name()).filter(this::isOnline).isPresent());
    }

    /** Stops the active master and returns when it has ended. */
    void stopMaster() {
        MasterThread old = cluster.getMasters().stream()
                .filter(thread -> thread.getMaster() == cluster.getActiveMaster())
                .findFirst()
                .orElseThrow();
        old.getMaster().stop("restart of the master");
        Awaitility.await("the end of the old master")
                .atMost(MASTER_TIMEOUT)
                .pollInterval(POLL)
                .until(() -> !old.isAlive());
    }

    /** Starts a master, when the last one was stopped, and returns when it is initialized and has heard of every RegionServer. */
    void startMaster(Configuration conf) throws IOException {
        MasterThread started =
                cluster.addMaster(new Configuration(conf), cluster.getMasters().size());
        started.start();
        await(started, "initialized", HMaster::isInitialized);
        await(started, "told of every RegionServer", this::knowsEveryRegionServer);
    }

    /** A server that has not reported to this master may be online for it, and gets no regions; one that still starts takes none. */
    private boolean knowsEveryRegionServer(HMaster master) {
        List<ServerName> assignable = master.getServerManager().createDestinationServersList();
        return cluster.getLiveRegionServers().stream()
                .map(RegionServerThread::getRegionServer)
                .allMatch(server -> server.isOnline() && assignable.contains(server.getServerName()));
    }

    @Override
    public void close() {
        TimeLimiter.run("HBase", CLOSE_TIMEOUT, this::stopServers);
        TimeLimiter.run("ZooKeeper", CLOSE_TIMEOUT, zooKeeper::shutdown);
    }

    /** HBase's own shutdown does not wait for the threads of its masters. */
    private void stopServers() throws InterruptedException {
        cluster.shutdown();
        for (MasterThread thread : cluster.getMasters()) {
            thread.join();
        }
    }
}
