package io.hearth.procs;

import io.hearth.cluster.ClusterHost;
import io.hearth.procs.ClusterState.Stage;
import io.hearth.procs.MemberHealth.Condition;
import io.hearth.procs.clock.SteppedClock;
import io.hearth.procs.layout.ClusterLayout;
import io.hearth.procs.layout.Member;
import io.hearth.procs.layout.Role;
import io.hearth.procs.layout.Shape;
import io.hearth.procs.layout.Wiring;
import io.hearth.procs.system.Processes;
import io.hearth.procs.system.Processes.Signal;
import java.io.Closeable;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
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
import org.apache.hadoop.hbase.HBaseConfiguration;

/**
 * A cluster of operating-system processes that outlives the JVM that started it. Everything that is to be taken away again is written
 * down in its folder before it is made, so that {@link #stop} works from any JVM, also when the one that started it was killed half way.
 *
 * <p>A process is only ever ended if it is the one that was started: same number, same start time, same run of the machine. The folder's
 * lock keeps other JVMs out until {@link #close}. {@link #stop} may be called from any thread, everything else from one.
 */
public final class ProcessCluster implements AutoCloseable {

    private static final long LOOK_MS = 500;
    private static final int LAST_LINES = 5;
    private static final Set<Role> ALL = EnumSet.allOf(Role.class);

    private final ClusterFolder folder;
    private final Closeable lock;
    private final MemberProcesses members;

    private ProcessCluster(ClusterFolder folder, Closeable lock, ClusterState state) throws IOException {
        this.folder = folder;
        this.lock = lock;
        this.members = new MemberProcesses(folder, state);
    }

    /**
     * A new cluster in that folder, of which nothing runs yet; what a killed harness left there is cleared away first.
     *
     * @throws IOException if the folder is somebody else's, or a cluster runs in it
     */
    public static ProcessCluster create(Path path, Shape shape) throws IOException, InterruptedException {
        ClusterFolder folder = new ClusterFolder(path);
        folder.create();
        try (ProcessCluster former = open(path).orElse(null)) {
            if (former != null) {
                former.requireOver();
                former.stop();
            }
        }
        folder.create();
        ClusterLayout layout = Network.choose(shape, new SplittableRandom());
        ClusterState state = new ClusterState(Stage.STARTING, layout, Map.of());
        ProcessCluster cluster = new ProcessCluster(folder, folder.lock(), state);
        folder.write(state);
        return cluster;
    }

    /** The same, and one that runs there is stopped: for who alone uses that folder. */
    public static ProcessCluster createAnew(Path path, Shape shape) throws IOException, InterruptedException {
        try (ProcessCluster former = open(path).orElse(null)) {
            if (former != null) {
                former.stop();
            }
        }
        return create(path, shape);
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
        ClusterState state =
                folder.state().orElseThrow(() -> new IOException("the cluster in " + path + " has just ended"));
        return Optional.of(new ProcessCluster(folder, lock, state));
    }

    /** How each process of the cluster in that folder is, whoever is at work on it; absent if there is none. */
    static Optional<List<MemberHealth>> look(Path path) throws IOException, InterruptedException {
        Optional<ClusterState> state = new ClusterFolder(path).state();
        return state.isEmpty()
                ? Optional.empty()
                : Optional.of(new HealthCheck(new Processes(Path.of("/proc")), new Jmx()).of(state.get()));
    }

    private void requireOver() throws IOException {
        if (members.isInUse()) {
            throw new IOException("a cluster runs in " + folder.path()
                    + "; bin/hearth cluster stop ends it, and --folder names another place for a second one");
        }
    }

    public ClusterLayout layout() {
        return members.layout();
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
    public Path log(Member member) {
        return folder.log(member.name());
    }

    /**
     * Makes the network, starts every process and waits until all serve: first what the NameNode needs, then what the others need.
     *
     * @throws IOException as soon as one of them has ended, or after the limit, with what does not serve
     */
    public void start(Duration limit) throws IOException, InterruptedException {
        long deadline = System.nanoTime() + limit.toNanos();
        members.prepare();
        Set<Role> first = EnumSet.of(Role.UPLINK, Role.ZOOKEEPER, Role.JOURNALNODE);
        EnumSet<Role> untilNameNodes = EnumSet.of(Role.NAMENODE, Role.ZKFC);
        untilNameNodes.addAll(first);
        start(first);
        if (layout().shape().isHighlyAvailable()) {
            awaitServing(deadline, limit, first);
        }
        members.format();
        start(EnumSet.of(Role.NAMENODE, Role.ZKFC));
        awaitServing(deadline, limit, untilNameNodes);
        if (layout().shape().hbaseUser()) {
            HBaseFolder.make(active(Role.NAMENODE).orElseThrow(() -> new IOException("no NameNode is active")));
        }
        start(EnumSet.complementOf(untilNameNodes));
        awaitServing(deadline, limit, ALL);
        members.started();
    }

    private void start(Set<Role> roles) throws IOException {
        for (Role role : roles) {
            for (Member member : layout().members(role)) {
                members.start(member);
            }
        }
    }

    private void awaitServing(long deadline, Duration limit, Set<Role> roles) throws IOException, InterruptedException {
        List<MemberHealth> lacking = lacking(roles);
        while (!lacking.isEmpty()) {
            for (MemberHealth health : lacking) {
                if (health.condition() == Condition.DEAD) {
                    throw new IOException(health.member().name() + " has ended; its log "
                            + folder.log(health.member().name()) + " ends with: " + lastLines(health.member()));
                }
            }
            pause(deadline, limit, lacking);
            lacking = lacking(roles);
        }
    }

    private void pause(long deadline, Duration limit, List<MemberHealth> lacking)
            throws IOException, InterruptedException {
        if (System.nanoTime() > deadline) {
            String names =
                    lacking.stream().map(health -> health.member().name()).collect(Collectors.joining(", "));
            throw new IOException("after " + limit.toSeconds() + " s these do not serve: " + names
                    + "; their logs are in " + folder.logs());
        }
        Thread.sleep(LOOK_MS);
    }

    private List<MemberHealth> lacking(Set<Role> roles) throws InterruptedException {
        return members.health().stream()
                .filter(health -> roles.contains(health.member().role()) && health.condition() != Condition.SERVES)
                .toList();
    }

    private String lastLines(Member member) throws IOException {
        for (Path file : List.of(folder.output(member.name()), folder.log(member.name()))) {
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
        ClusterHost host = members.addHost();
        members.start(member(Role.DATANODE, host.name()));
        members.start(member(Role.REGIONSERVER, host.name()));
        awaitServing(deadline, limit, ALL);
        return host;
    }

    /** Starts a member that has ended. */
    public void start(Member member) throws IOException {
        members.start(member);
    }

    /** A process of that name beside the cluster's own. */
    public SideProcess beside(String name) {
        return new SideProcess(name, folder, members);
    }

    /** The HMaster that is active and initialized; absent if there is none just now. */
    public Optional<Member> activeMaster() throws InterruptedException {
        return active(Role.MASTER);
    }

    /**
     * The HMaster that is active and initialized, or the NameNode that is active and out of safe mode; absent if there is none just
     * now.
     */
    public Optional<Member> active(Role role) throws InterruptedException {
        return members.active(role);
    }

    /** The member with this role on that host. */
    public Member member(Role role, String host) {
        return members.member(role, host);
    }

    /** Ends a member as by kill -9, and waits until it has ended. */
    public void kill(Member member) throws IOException, InterruptedException {
        members.kill(member);
    }

    /** Stops every process of a host, as if the machine stood still, or lets them go on. */
    public void setFrozen(ClusterHost host, boolean frozen) throws IOException, InterruptedException {
        for (Member member : layout().members()) {
            if (member.host().equals(host)) {
                members.send(frozen ? Signal.STOP : Signal.CONT, member);
            }
        }
    }

    /** Has every process collect its garbage, so that none does a little later, when it would be somebody's latency. */
    public void collectGarbage() throws IOException, InterruptedException {
        members.collectGarbage();
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
            Disks.fill(folder, host);
        } else {
            Disks.free(folder, host);
        }
    }

    /** Sets the wall clock of that host to the machine's time and that much more; only where it has one of its own. */
    public void setClock(ClusterHost host, Duration ahead) throws IOException {
        SteppedClock.set(folder.clock(host), ahead);
    }

    /** How much the wall clock of a server with a web page is ahead of the machine's; absent if it does not say. */
    public Optional<Duration> clockAhead(Member server) {
        return members.clockAhead(server);
    }

    /** Starts something that is no member of the cluster. */
    public void start(Errand errand) throws IOException {
        members.start(errand);
    }

    public boolean runs(Errand errand) {
        return members.runs(errand);
    }

    /** Asks it to end, and ends it if it does not. */
    public void end(Errand errand) throws IOException, InterruptedException {
        members.end(errand);
    }

    /** Where it writes its log. */
    public Path log(Errand errand) {
        return folder.log(errand.name());
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
            if (layout().shape().ownClocks()) {
                setClock(host, Duration.ZERO);
            }
        }
        if (layout().shape().diskMegabytes() > 0) {
            for (ClusterHost host : layout().workers()) {
                setDiskFull(host, false);
            }
        }
        if (layout().shape().wiring() == Wiring.NAMESPACES) {
            for (String rack : layout().racks()) {
                setRackLink(rack, true);
            }
        }
        List<MemberHealth> lacking = lacking(ALL);
        while (!lacking.isEmpty()) {
            for (MemberHealth health : lacking) {
                if (health.condition() == Condition.DEAD) {
                    members.start(health.member());
                }
            }
            pause(deadline, limit, lacking);
            lacking = lacking(ALL);
        }
    }

    /** Ends every process, keeps the logs, and takes the network away. */
    void stopButKeepLogs() throws IOException, InterruptedException {
        members.end();
    }

    /** Ends every process and takes everything away: processes, network and files. */
    public void stop() throws IOException, InterruptedException {
        members.end();
        folder.delete();
    }

    @Override
    public void close() throws IOException {
        lock.close();
    }
}
