// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.testkit.embedded;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.HBaseConfiguration;
import org.apache.hadoop.hbase.ServerName;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.ConnectionFactory;
import org.apache.hadoop.hbase.client.SnapshotDescription;
import org.apache.hadoop.hbase.client.TableDescriptor;
import org.apache.hadoop.hbase.master.HMaster;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A real HDFS and a real HBase in this JVM: a NameNode, ZooKeeper, a master, and a number of hosts in racks with one
 * DataNode and one RegionServer each, under the same host name and address.
 *
 * <p>HDFS therefore places the first replica of a block on the host of the RegionServer that writes it: the locality of
 * a region is 1.00 after a load and a flush, and falls when the region moves. Open streams and the reported locality
 * follow block moves within seconds (see {@link ClusterDefaults}). The balancer is switched off.
 *
 * <p>The JVM must know the hosts' names: it is started with {@code -Djdk.net.hosts.file=} naming
 * {@code testkit/src/main/conf/embedded-hosts}. All servers listen on the loopback device at ports of the system's
 * choice, so several clusters can run on one machine. All data is in one directory, which {@link #close} deletes.
 *
 * <p>The methods may be called from any thread, those that start or stop a server from one at a time.
 */
public final class EmbeddedCluster implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(EmbeddedCluster.class);
    private static final Duration CLOSE_TIMEOUT = Duration.ofSeconds(30);

    private final Path directory;
    private final ClusterLog log;
    private final List<ClusterHost> hosts;
    private final Thread deleteAtExit;
    private final Map<String, String> learned = new TreeMap<>();
    private Configuration conf;

    private EmbeddedHdfs hdfs;
    private EmbeddedHBase hbase;
    private Connection connection;
    private Admin admin;
    private Optional<ClusterPool<EmbeddedCluster>> pool = Optional.empty();
    private boolean closed;

    @SuppressWarnings("NullAway.Init") // start sets the servers before anybody else has the cluster
    private EmbeddedCluster(Path directory, List<ClusterHost> hosts, Configuration conf) throws IOException {
        this.directory = directory;
        this.hosts = hosts;
        this.conf = conf;
        this.log = ClusterLog.open(directory);
        this.deleteAtExit = new Thread(this::deleteDirectory, "delete " + directory);
        Runtime.getRuntime().addShutdownHook(deleteAtExit);
    }

    /** A builder with 6 hosts in 3 racks, 3 replicas and blocks of 1 MiB. */
    public static Builder builder() {
        return new Builder();
    }

    /** Something that has to be there before HBase is. */
    @FunctionalInterface
    public interface HdfsStep {

        void prepare(DistributedFileSystem fileSystem) throws IOException;
    }

    private void start(HdfsStep beforeHBase, boolean standbyNameNode) throws IOException {
        EmbeddedHdfs.noneIsLocal(hosts);
        Map<String, String> wished = conf.getPropsWithPrefix("");
        LOG.info("Starting a cluster of {} in {}", hosts, directory);
        hdfs = EmbeddedHdfs.start(conf, hosts, standbyNameNode);
        LOG.info("HDFS runs at {}", conf.get("fs.defaultFS"));
        beforeHBase.prepare(hdfs.fileSystem());
        hbase = EmbeddedHBase.start(conf, hosts, directory);
        LOG.info("HBase runs, its master is {}", master().getServerName());
        learned.putAll(conf.getPropsWithPrefix(""));
        learned.entrySet().removeIf(line -> line.getValue().equals(wished.get(line.getKey())));
        connection = ConnectionFactory.createConnection(configuration());
        admin = connection.getAdmin();
        admin.balancerSwitch(false, true);
    }

    /** Where all its data is. */
    Path directory() {
        return directory;
    }

    /** The hosts, in the order of their names' numbers. */
    public List<ClusterHost> hosts() {
        return hosts;
    }

    /** A client's configuration: a copy of its own. */
    public Configuration configuration() {
        return new Configuration(conf);
    }

    /** A client's connection; it is closed with the cluster. */
    public Connection connection() {
        return connection;
    }

    /** The {@link #connection}'s admin; it is closed with the cluster. */
    public Admin admin() {
        return admin;
    }

    /** The file system as the superuser sees it; it is closed with the cluster. */
    public DistributedFileSystem fileSystem() {
        return hdfs.fileSystem();
    }

    /** The file that HBase, HDFS and Hearth log to. */
    public Path logFile() {
        return log.file();
    }

    /** What HBase, HDFS and Hearth have logged since this cluster began to start. */
    public String log() throws IOException {
        return log.text();
    }

    /**
     * The active master.
     *
     * @throws IllegalStateException if there is none; it says which masters have aborted, and why
     */
    public HMaster master() {
        return hbase.master().orElseThrow(() -> new IllegalStateException("No master is active: " + abortedMasters()));
    }

    private List<String> abortedMasters() {
        try {
            return log().lines()
                    .filter(line -> line.contains("ERROR") && line.contains("***** ABORTING master"))
                    .toList();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** The RegionServer of that host, empty when none is running. */
    public Optional<ServerName> regionServerOn(String hostName) {
        return hbase.regionServerOn(hostName);
    }

    /**
     * Kills the RegionServer of that host as {@code kill -9} does: nothing is flushed, no region is closed, its ZooKeeper
     * session ends. Returns when the master has seen it die; its regions are then still being assigned.
     *
     * @throws IllegalStateException if none is running there
     */
    public void killRegionServer(String hostName) {
        hbase.killRegionServer(hostName);
    }

    /** Starts a RegionServer on that host, where none is running, and returns when the master knows it. */
    public void startRegionServer(String hostName) {
        ClusterHost host = hosts.stream()
                .filter(known -> known.name().equals(hostName))
                .findFirst()
                .orElseThrow();
        try {
            hbase.startRegionServer(conf, host);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Stops the DataNode of that host, if it runs; the NameNode counts it as dead at once. */
    public void stopDataNode(String hostName) {
        try {
            hdfs.stopDataNode(hostName);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Makes the NameNode active that {@link Builder#standbyNameNode} has given; the other stands by from then on. */
    public void failOverNameNodes() {
        try {
            hdfs.failOver();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /**
     * Restarts both NameNodes that {@link Builder#standbyNameNode} has given, one after the other, so that one of them is
     * active at all times.
     */
    public void restartNameNodes() {
        try {
            hdfs.restartNameNodes();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Restarts the DataNode of that host, or starts it where it was stopped; returns when the NameNodes have heard of it. */
    public void restartDataNode(String hostName) {
        try {
            hdfs.restartDataNode(hostName);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Has every DataNode tell the NameNodes all the blocks that it has, as it does every six hours. */
    public void reportBlocks() {
        try {
            hdfs.reportBlocks();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** How long NameNodes leave a lease with a client that does not renew it, though another one asks: a minute, unless this is called. */
    public void setLeaseSoftLimit(Duration limit) {
        hdfs.setLeaseSoftLimit(limit);
    }

    /** Stops the NameNode; the DataNodes and HBase go on as long as they can. */
    public void stopNameNode() {
        hdfs.stopNameNode();
    }

    /** Starts the NameNode again at its address; returns when it serves and has heard of every DataNode. */
    public void startNameNode() {
        try {
            hdfs.startNameNode();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Leaves no room on the DataNode of that host, or gives back what was taken. */
    public void setDataNodeFull(String hostName, boolean full) {
        try {
            hdfs.setFull(hostName, full);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Stops the active master and starts another, at another port; returns when that one is initialized. */
    public void restartMaster() {
        try {
            hbase.stopMaster();
            hbase.startMaster(conf);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Makes it a cluster that {@link #close} gives back to that pool. */
    EmbeddedCluster returnTo(ClusterPool<EmbeddedCluster> owner) {
        pool = Optional.of(owner);
        return this;
    }

    /** Takes away what its user has made: tables, snapshots, switches, servers that are dead or decommissioned. */
    void tidy() throws IOException {
        admin.balancerSwitch(false, true);
        for (ServerName server : admin.listDecommissionedRegionServers()) {
            admin.recommissionRegionServer(server, List.of());
        }
        if (conf.getBoolean("hbase.snapshot.enabled", true)) {
            for (SnapshotDescription snapshot : admin.listSnapshots()) {
                admin.deleteSnapshot(snapshot.getName());
            }
        }
        for (TableDescriptor table : admin.listTableDescriptors()) {
            if (admin.isTableEnabled(table.getTableName())) {
                admin.disableTable(table.getTableName());
            }
            admin.deleteTable(table.getTableName());
        }
        for (ClusterHost host : hosts) {
            if (regionServerOn(host.name()).isEmpty()) {
                hbase.startRegionServer(conf, host);
            }
        }
        log.pause();
    }

    /** Another master with another configuration, which knows nothing of what Hearth has written down; the log starts anew. */
    void reset(Configuration next) throws IOException {
        learned.forEach(next::set);
        next.set("dfs.client.context", conf.get("dfs.client.context"));
        hbase.stopMaster();
        fileSystem().delete(new org.apache.hadoop.fs.Path(conf.get("hbase.rootdir"), ".hearth"), true);
        conf = next;
        log.reset();
        hbase.startMaster(conf);
        admin.balancerSwitch(false, true);
    }

    /**
     * Stops everything within bounded time and deletes the directory; a {@link Builder#shared} cluster goes back to its pool instead.
     * Further calls do nothing, unless somebody else has got the shared cluster since: it is then taken away from them.
     */
    @Override
    public void close() {
        if (pool.isPresent() && pool.get().putBack(this)) {
            return;
        }
        end();
    }

    /** Stops everything, whoever might still have used it. Further calls do nothing. */
    synchronized void end() {
        if (closed) {
            return;
        }
        closed = true;
        if (connection != null) {
            TimeLimiter.run("the connection", CLOSE_TIMEOUT, connection::close);
        }
        if (hbase != null) {
            hbase.close();
        }
        if (hdfs != null) {
            TimeLimiter.run("HDFS", CLOSE_TIMEOUT, hdfs::close);
        }
        log.close();
        deleteDirectory();
        removeHook();
    }

    @Override
    public String toString() {
        return "The embedded cluster in " + directory;
    }

    private void removeHook() {
        try {
            Runtime.getRuntime().removeShutdownHook(deleteAtExit);
        } catch (IllegalStateException e) {
            // The JVM is ending, and the hook with it.
        }
    }

    private void deleteDirectory() {
        try {
            Directories.delete(directory);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** The wishes for an embedded cluster. */
    public static final class Builder {
        /** How the keys begin that a master alone reads, so that another one may have other values. */
        private static final List<String> MASTER_KEYS = List.of(
                "hearth.",
                "hbase.master.",
                "hbase.coprocessor.master.",
                "hbase.http.filter.initializers",
                "hbase.security.authorization",
                "hbase.snapshot.enabled",
                "hbase.superuser");

        private int hosts = 6;
        private int racks = 3;
        private int replication = 3;
        private long blockSizeBytes = 1 << 20;
        private boolean standbyNameNode;
        private Optional<Path> directory = Optional.empty();
        private HdfsStep beforeHBase = fileSystem -> {};
        private final Map<String, String> properties = new LinkedHashMap<>();

        private Builder() {}

        /** How many hosts: 1 to 16. */
        public Builder hosts(int hosts) {
            this.hosts = hosts;
            return this;
        }

        /** How many racks: 1 to the number of hosts. */
        public Builder racks(int racks) {
            this.racks = racks;
            return this;
        }

        /** How many replicas of each block: 1 to the number of hosts. */
        public Builder replication(int replication) {
            this.replication = replication;
            return this;
        }

        public Builder blockSizeBytes(long blockSizeBytes) {
            this.blockSizeBytes = blockSizeBytes;
            return this;
        }

        /** Where all data goes, instead of a new directory among the system's temporary ones; it must not exist. */
        public Builder directory(Path directory) {
            this.directory = Optional.of(directory);
            return this;
        }

        /**
         * A line of the operator's hbase-site or hdfs-site; it goes before this class's own choice. With {@code hbase.rootdir} in another
         * file system, write-ahead logs are in HDFS.
         */
        public Builder property(String key, String value) {
            properties.put(key, value);
            return this;
        }

        /** The lines of a site file of an operator, as {@link #property} has them. */
        public Builder site(Path file) {
            Configuration lines = new Configuration(false);
            lines.addResource(new org.apache.hadoop.fs.Path(file.toUri()));
            properties.putAll(lines.getPropsWithPrefix(""));
            return this;
        }

        /** A second NameNode that stands by; HBase and clients know the two as a name service. */
        public Builder standbyNameNode() {
            standbyNameNode = true;
            return this;
        }

        /** What is done in HDFS before HBase starts. */
        public Builder beforeHBase(HdfsStep step) {
            beforeHBase = step;
            return this;
        }

        /** Installs Hearth as an operator does: by these two lines of hbase-site. */
        public Builder withHearth() {
            return property("hbase.master.loadbalancer.class", "io.hearth.balancer.HearthLoadBalancer")
                    .property(
                            "hbase.coprocessor.master.classes",
                            "io.hearth.healer.hbase.LocalityHealingObserver,io.hearth.admin.rpc.HearthAdminEndpoint");
        }

        /**
         * A cluster like that, perhaps one that was used before in this JVM: with a new master, without tables, and with all hosts serving.
         * Only what the master alone reads may differ from what it was started with. {@link EmbeddedCluster#close} gives it back.
         */
        public EmbeddedCluster shared() throws IOException {
            ClusterPool<EmbeddedCluster> pool = ClusterPool.JVM_WIDE;
            return pool.take(
                    kind(),
                    () -> start().returnTo(pool),
                    used -> used.reset(configuration(used.directory(), used.hosts())));
        }

        /** What clusters have in common that can stand in for each other: all but what the master alone reads. */
        String kind() {
            Map<String, String> others = new TreeMap<>(properties);
            others.keySet().removeIf(key -> MASTER_KEYS.stream().anyMatch(key::startsWith));
            return List.of(hosts, racks, replication, blockSizeBytes, standbyNameNode, others)
                    .toString();
        }

        /** The configuration of a cluster in that directory. */
        Configuration configuration(Path directory, List<ClusterHost> layout) {
            Configuration conf = HBaseConfiguration.create();
            ClusterDefaults.apply(conf, directory, hosts, replication, blockSizeBytes);
            RackMapping.install(conf, layout);
            properties.forEach(conf::set);
            return conf;
        }

        /**
         * Starts the cluster and returns when the master is initialized and all hosts serve.
         *
         * @throws IllegalStateException if the JVM does not know the hosts' names, saying which flag to add
         */
        public EmbeddedCluster start() throws IOException {
            requireInRange("hosts", hosts, ClusterHost.MAX_HOSTS);
            requireInRange("racks", racks, hosts);
            requireInRange("replication", replication, hosts);
            List<ClusterHost> layout = ClusterHost.layOut(hosts, racks);
            ClusterHost.check(layout);
            Path absolute = createDirectory();
            EmbeddedCluster cluster = new EmbeddedCluster(absolute, layout, configuration(absolute, layout));
            try {
                cluster.start(beforeHBase, standbyNameNode);
                return cluster;
            } catch (IOException | RuntimeException | Error e) {
                cluster.close();
                throw e;
            }
        }

        private Path createDirectory() throws IOException {
            if (directory.isEmpty()) {
                return Files.createTempDirectory("embedded-cluster-").toAbsolutePath();
            }
            Path absolute = directory.get().toAbsolutePath();
            Files.createDirectories(absolute.getParent());
            return Files.createDirectory(absolute);
        }

        private static void requireInRange(String what, int value, int max) {
            if (value < 1 || value > max) {
                throw new IllegalArgumentException(what + " is " + value + ", allowed are 1 to " + max);
            }
        }
    }
}
