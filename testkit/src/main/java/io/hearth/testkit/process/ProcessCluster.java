// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.testkit.process;

import io.hearth.testkit.embedded.ClusterHost;
import io.hearth.testkit.process.AuxiliaryProcess.OneShotProcess;
import io.hearth.testkit.process.ClusterFolder.ProcessClusterState;
import io.hearth.testkit.process.ClusterFolder.ProcessClusterState.Stage;
import io.hearth.testkit.process.DaemonHealth.Condition;
import io.hearth.testkit.process.clock.SteppedClock;
import io.hearth.testkit.process.layout.ClusterLayout;
import io.hearth.testkit.process.layout.ClusterSpec;
import io.hearth.testkit.process.layout.ClusterSpec.NetworkMode;
import io.hearth.testkit.process.layout.Daemon;
import io.hearth.testkit.process.layout.Daemon.DaemonRole;
import io.hearth.testkit.process.layout.SiteSettings;
import io.hearth.testkit.process.system.ProcessTable;
import io.hearth.testkit.process.system.ProcessTable.Signal;
import java.io.Closeable;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Duration;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.stream.Collectors;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.hbase.HBaseConfiguration;

/**
 * A cluster of operating-system processes that outlives the JVM that started it. Everything that is to be taken away again is written
 * down in its folder before it is made, so that {@link #stop} works from any JVM, also when the one that started it was killed half way.
 *
 * <p>A process is only ever ended if it is the one that was started: same number, same start time, same run of the machine. The folder's
 * lock keeps other JVMs out until {@link #close}. {@link #stop} may be called from any thread, everything else from one.
 */
public final class ProcessCluster implements AutoCloseable {

    private static final long POLL_MS = 500;
    private static final int LAST_LINES = 5;
    private static final Set<DaemonRole> ALL = EnumSet.allOf(DaemonRole.class);

    private final ClusterFolder folder;
    private final Closeable lock;
    private final DaemonProcesses daemons;

    private ProcessCluster(ClusterFolder folder, Closeable lock, ProcessClusterState state) throws IOException {
        this.folder = folder;
        this.lock = lock;
        this.daemons = new DaemonProcesses(folder, state);
    }

    /**
     * A new cluster in that folder, of which nothing runs yet; what a killed harness left there is cleared away first.
     *
     * @throws IOException if the folder is somebody else's, or a cluster runs in it
     */
    public static ProcessCluster create(Path path, ClusterSpec clusterSpec) throws IOException, InterruptedException {
        ClusterFolder folder = new ClusterFolder(path);
        folder.create();
        try (ProcessCluster former = open(path).orElse(null)) {
            if (former != null) {
                former.requireOver();
                former.stop();
            }
        }
        folder.create();
        ClusterLayout layout = Network.choose(clusterSpec, new SplittableRandom());
        ProcessClusterState state = new ProcessClusterState(Stage.STARTING, layout, Map.of());
        ProcessCluster cluster = new ProcessCluster(folder, folder.lock(), state);
        folder.write(state);
        return cluster;
    }

    /** The same, and one that runs there is stopped: for who alone uses that folder. */
    public static ProcessCluster recreate(Path path, ClusterSpec clusterSpec) throws IOException, InterruptedException {
        try (ProcessCluster former = open(path).orElse(null)) {
            if (former != null) {
                former.stop();
            }
        }
        return create(path, clusterSpec);
    }

    /** Why this machine has no network namespaces for this user, in one line; absent if it has. */
    public static Optional<String> whyNoNamespaces() throws InterruptedException {
        return Network.whyNoNamespaces();
    }

    /** The cluster in that folder; absent if there is none. */
    public static Optional<ProcessCluster> open(Path path) throws IOException {
        ClusterFolder folder = new ClusterFolder(path);
        if (folder.state().isEmpty()) {
            return Optional.empty();
        }
        Closeable lock = folder.lock();
        // It may have changed before the lock was ours.
        ProcessClusterState state =
                folder.state().orElseThrow(() -> new IOException("the cluster in " + path + " has just ended"));
        return Optional.of(new ProcessCluster(folder, lock, state));
    }

    /** How each process of the cluster in that folder is, whoever is at work on it; absent if there is none. */
    static Optional<List<DaemonHealth>> health(Path path) throws IOException, InterruptedException {
        Optional<ProcessClusterState> state = new ClusterFolder(path).state();
        return state.isEmpty()
                ? Optional.empty()
                : Optional.of(new HealthCheck(new ProcessTable(Path.of("/proc")), new JmxClient()).of(state.get()));
    }

    private void requireOver() throws IOException {
        if (daemons.isInUse()) {
            throw new IOException("a cluster runs in " + folder.path()
                    + "; bin/hearth cluster stop ends it, and --folder names another place for a second one");
        }
    }

    public ClusterLayout layout() {
        return daemons.layout();
    }

    /** The folder with hbase-site.xml and the file of host names. */
    public Path conf() {
        return folder.conf();
    }

    /** What a client of the cluster needs, where the names of the hosts are known to its JVM. */
    public Configuration clientConfiguration() {
        Configuration configuration = HBaseConfiguration.create();
        for (String file : List.of("core-site.xml", "hdfs-site.xml", "hbase-site.xml")) {
            configuration.addResource(
                    new org.apache.hadoop.fs.Path(conf().resolve(file).toUri()));
        }
        return configuration;
    }

    /** Where a member writes its log. */
    public Path log(Daemon daemon) {
        return folder.log(daemon.name());
    }

    /** Takes HMasters and RegionServers from an unpacked release of HBase, for all that are started from now on. */
    public void useRelease(Path hbaseHome) throws IOException, InterruptedException {
        Installation.useRelease(folder, hbaseHome);
    }

    /** Takes NameNodes, DataNodes and what belongs to them from an unpacked release of Hadoop, for all that are started from now on. */
    void useHadoopRelease(Path hadoopHome) throws IOException, InterruptedException {
        Installation.useHadoopRelease(folder, hadoopHome);
    }

    /** Puts a jar on the class path of every server that is started from now on. */
    public void addJar(Path jar) throws IOException {
        copy(jar, folder.lib());
    }

    /** The same for the servers of one host. */
    public void addJar(Path jar, ClusterHost host) throws IOException {
        copy(jar, folder.lib(host));
    }

    private static void copy(Path jar, Path lib) throws IOException {
        Files.copy(jar, Files.createDirectories(lib).resolve(jar.getFileName()), StandardCopyOption.REPLACE_EXISTING);
    }

    /**
     * Makes the network, starts every process and waits until all serve: first what the NameNode needs, then what the others need.
     *
     * @throws IOException as soon as one of them has ended, or after the limit, with what does not serve
     */
    public void start(Duration limit) throws IOException, InterruptedException {
        long deadline = System.nanoTime() + limit.toNanos();
        daemons.prepare();
        Set<DaemonRole> first = EnumSet.of(DaemonRole.UPLINK, DaemonRole.ZOOKEEPER, DaemonRole.JOURNALNODE);
        EnumSet<DaemonRole> untilNameNodes = EnumSet.of(DaemonRole.NAMENODE, DaemonRole.ZKFC);
        untilNameNodes.addAll(first);
        start(first);
        if (layout().clusterSpec().isHighlyAvailable()) {
            awaitServing(deadline, limit, first);
        }
        daemons.format();
        start(EnumSet.of(DaemonRole.NAMENODE, DaemonRole.ZKFC));
        awaitServing(deadline, limit, untilNameNodes);
        if (layout().clusterSpec().hbaseUser()) {
            makeHBaseFolder(active(DaemonRole.NAMENODE).orElseThrow(() -> new IOException("no NameNode is active")));
        }
        start(EnumSet.complementOf(untilNameNodes));
        awaitServing(deadline, limit, ALL);
        daemons.started();
    }

    private void start(Set<DaemonRole> roles) throws IOException {
        for (DaemonRole role : roles) {
            for (Daemon daemon : layout().daemons(role)) {
                daemons.start(daemon);
            }
        }
    }

    private void awaitServing(long deadline, Duration limit, Set<DaemonRole> roles)
            throws IOException, InterruptedException {
        List<DaemonHealth> lacking = lacking(roles);
        while (!lacking.isEmpty()) {
            for (DaemonHealth health : lacking) {
                if (health.condition() == Condition.DEAD) {
                    throw new IOException(health.daemon().name() + " has ended; its log "
                            + folder.log(health.daemon().name()) + " ends with: "
                            + lastLines(
                                    folder.output(health.daemon().name()),
                                    folder.log(health.daemon().name())));
                }
            }
            pause(deadline, limit, lacking);
            lacking = lacking(roles);
        }
    }

    private void pause(long deadline, Duration limit, List<DaemonHealth> lacking)
            throws IOException, InterruptedException {
        if (System.nanoTime() > deadline) {
            String names = lacking.stream().map(ProcessCluster::nameAndDetail).collect(Collectors.joining(", "));
            String first = lacking.get(0).daemon().name();
            throw new IOException("after " + limit.toSeconds() + " s these do not serve: " + names
                    + "; their logs are in " + folder.logs() + "; that of " + first + " ends with: "
                    + lastLines(folder.log(first), folder.output(first)));
        }
        Thread.sleep(POLL_MS);
    }

    private static String nameAndDetail(DaemonHealth health) {
        String name = health.daemon().name();
        return health.detail().isEmpty() ? name : name + " (" + health.detail() + ")";
    }

    private List<DaemonHealth> lacking(Set<DaemonRole> roles) throws InterruptedException {
        return daemons.health().stream()
                .filter(health -> roles.contains(health.daemon().role()) && health.condition() != Condition.SERVING)
                .toList();
    }

    /** Of the first of these files that there is something in. */
    private static String lastLines(Path... files) throws IOException {
        for (Path file : files) {
            if (Files.exists(file) && Files.size(file) > 0) {
                List<String> lines = Files.readAllLines(file);
                return String.join(" | ", lines.subList(Math.max(0, lines.size() - LAST_LINES), lines.size()));
            }
        }
        return "nothing";
    }

    /**
     * Adds an empty host with a DataNode and a RegionServer, and waits until all serves.
     *
     * @return the new host
     * @throws IOException if there are as many hosts as there can be, or if something does not serve after the limit
     */
    public ClusterHost addHost(Duration limit) throws IOException, InterruptedException {
        long deadline = System.nanoTime() + limit.toNanos();
        ClusterHost host = daemons.addHost();
        daemons.start(daemon(DaemonRole.DATANODE, host.name()));
        daemons.start(daemon(DaemonRole.REGIONSERVER, host.name()));
        awaitServing(deadline, limit, ALL);
        return host;
    }

    /** Starts a member that has ended. */
    public void start(Daemon daemon) throws IOException {
        daemons.start(daemon);
    }

    /** A process of that name beside the cluster's own. */
    public AuxiliaryProcess auxiliary(String name) {
        return new AuxiliaryProcess(name, folder, daemons);
    }

    /** The HMaster that is active and initialized; absent if there is none just now. */
    public Optional<Daemon> activeMaster() throws InterruptedException {
        return active(DaemonRole.MASTER);
    }

    /**
     * The HMaster that is active and initialized, or the NameNode that is active and out of safe mode; absent if there is none just
     * now.
     */
    public Optional<Daemon> active(DaemonRole role) throws InterruptedException {
        return daemons.active(role);
    }

    /** The member with this role on that host. */
    public Daemon daemon(DaemonRole role, String host) {
        return daemons.daemon(role, host);
    }

    /** Ends a member as by kill -9, and waits until it has ended. */
    public void kill(Daemon daemon) throws IOException, InterruptedException {
        daemons.kill(daemon);
    }

    /**
     * Ends a member as an operator does, by kill -TERM, and waits until it has ended.
     *
     * @throws IOException if it runs still after the limit
     */
    public void end(Daemon daemon, Duration limit) throws IOException, InterruptedException {
        daemons.end(daemon, limit);
    }

    /** Stops every process of a host, as if the machine stood still, or lets them go on. */
    public void setFrozen(ClusterHost host, boolean frozen) throws IOException, InterruptedException {
        for (Daemon daemon : layout().daemons()) {
            if (daemon.host().equals(host)) {
                daemons.send(frozen ? Signal.STOP : Signal.CONT, daemon);
            }
        }
    }

    /** Stops this member alone, as by SIGSTOP, or lets it go on. */
    public void setFrozen(Daemon daemon, boolean frozen) throws IOException, InterruptedException {
        daemons.send(frozen ? Signal.STOP : Signal.CONT, daemon);
    }

    /** Has every process collect its garbage, so that none does a little later, when it would be somebody's latency. */
    public void collectGarbage() throws IOException, InterruptedException {
        daemons.collectGarbage();
    }

    /** The processor time, of user and system, that all members with this role have taken since they were started. */
    public Duration cpuTime(DaemonRole role) {
        return layout().daemons(role).stream().map(daemons::cpuTime).reduce(Duration.ZERO, Duration::plus);
    }

    /** Cuts a rack off from all others, or joins it again; only with network namespaces. */
    public void setRackLink(String rack, boolean up) throws IOException, InterruptedException {
        Network.setRackLink(layout(), rack, up);
    }

    /** What the hosts have sent over the network so far; absent where they have no devices of their own. */
    public OptionalLong bytesSent() throws IOException, InterruptedException {
        return Network.bytesSent(layout());
    }

    /** Leaves no byte free on the DataNode's disk of that host, or gives back what was taken; only where it has a disk of its own. */
    public void setDiskFull(ClusterHost host, boolean full) throws IOException {
        if (full) {
            DataNodeDisks.fill(folder.disk(host));
        } else {
            DataNodeDisks.free(folder.disk(host));
        }
    }

    /** The same with the SSD of its read cache; only where it has one. */
    public void setSsdFull(ClusterHost host, boolean full) throws IOException {
        if (full) {
            DataNodeDisks.fill(folder.ssd(host));
        } else {
            DataNodeDisks.free(folder.ssd(host));
        }
    }

    /** The mount point of the SSD of that host's DataNode; only where it has one. */
    public Path ssd(ClusterHost host) {
        return folder.ssd(host);
    }

    /** Sets the wall clock of that host to the machine's time and that much more; only where it has one of its own. */
    public void setClock(ClusterHost host, Duration ahead) throws IOException {
        SteppedClock.set(folder.clock(host), ahead);
    }

    /** How much the wall clock of a server with a web page is ahead of the machine's; absent if it does not say. */
    public Optional<Duration> clockOffset(Daemon server) {
        return daemons.clockOffset(server);
    }

    /** Starts something that is no member of the cluster. */
    public void start(OneShotProcess oneShotProcess) throws IOException {
        daemons.start(oneShotProcess);
    }

    public boolean runs(OneShotProcess oneShotProcess) {
        return daemons.runs(oneShotProcess);
    }

    /** Asks it to end, and ends it if it does not. */
    public void end(OneShotProcess oneShotProcess) throws IOException, InterruptedException {
        daemons.end(oneShotProcess);
    }

    /** Where it writes its log. */
    public Path log(OneShotProcess oneShotProcess) {
        return folder.log(oneShotProcess.name());
    }

    /**
     * Does what an operator does after a fault: lets go on what stands still, joins what was cut off, makes room, sets clocks right, and starts
     * what is dead, again and again until everything serves.
     *
     * @throws IOException after the limit, with what does not serve
     */
    public void repair(Duration limit) throws IOException, InterruptedException {
        long deadline = System.nanoTime() + limit.toNanos();
        for (ClusterHost host : layout().hosts()) {
            setFrozen(host, false);
            if (layout().clusterSpec().ownClocks()) {
                setClock(host, Duration.ZERO);
            }
        }
        if (layout().clusterSpec().diskMegabytes() > 0) {
            for (ClusterHost host : layout().workers()) {
                setDiskFull(host, false);
            }
        }
        if (layout().clusterSpec().ssdMegabytes() > 0) {
            for (ClusterHost host : layout().workers()) {
                setSsdFull(host, false);
            }
        }
        if (layout().clusterSpec().networkMode() == NetworkMode.NAMESPACES) {
            for (String rack : layout().racks()) {
                setRackLink(rack, true);
            }
        }
        List<DaemonHealth> lacking = lacking(ALL);
        while (!lacking.isEmpty()) {
            for (DaemonHealth health : lacking) {
                if (health.condition() == Condition.DEAD) {
                    daemons.start(health.daemon());
                }
            }
            pause(deadline, limit, lacking);
            lacking = lacking(ALL);
        }
    }

    /** Ends every process, keeps the logs, and takes the network away. */
    void stopButKeepLogs() throws IOException, InterruptedException {
        daemons.end();
    }

    /** Ends every process and takes everything away: processes, network and files. */
    public void stop() throws IOException, InterruptedException {
        daemons.end();
        folder.delete();
    }

    @Override
    public void close() throws IOException {
        lock.close();
    }

    /**
     * Makes HBase's folder in HDFS, which belongs to HBase's own user; to be called before HBase starts. That one is no superuser of HDFS, as
     * on a cluster of an operator's; the user that started the NameNode is.
     */
    private static void makeHBaseFolder(Daemon activeNameNode) throws IOException {
        // By its address: the names of the hosts are not known to this JVM.
        URI hdfs = URI.create("hdfs://" + activeNameNode.host().address() + ":8020");
        try (FileSystem fileSystem = FileSystem.newInstance(hdfs, new Configuration())) {
            org.apache.hadoop.fs.Path folder = new org.apache.hadoop.fs.Path(SiteSettings.HBASE_FOLDER);
            fileSystem.mkdirs(folder);
            fileSystem.setOwner(folder, SiteSettings.HBASE_USER, SiteSettings.HBASE_USER);
        }
    }
}
