package io.hearth.procs;

import io.hearth.cluster.ClusterHost;
import io.hearth.procs.ClusterState.Stage;
import io.hearth.procs.MemberHealth.Condition;
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
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
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
        return folder.log(member);
    }

    /**
     * Makes the network, starts every process and waits until all serve: the NameNode and ZooKeeper first, which the others need.
     *
     * @throws IOException as soon as one of them has ended, or after the limit, with what does not serve
     */
    public void start(Duration limit) throws IOException, InterruptedException {
        long deadline = System.nanoTime() + limit.toNanos();
        members.prepare();
        members.format(layout().members().get(0));
        for (Member member : layout().members()) {
            members.start(member);
            if (member.role() == Role.ZOOKEEPER) {
                awaitServing(deadline, limit, List.of(Role.NAMENODE, Role.ZOOKEEPER));
            }
        }
        awaitServing(deadline, limit, List.of(Role.values()));
        members.started();
    }

    private void awaitServing(long deadline, Duration limit, List<Role> roles)
            throws IOException, InterruptedException {
        List<MemberHealth> lacking = lacking(roles);
        while (!lacking.isEmpty()) {
            for (MemberHealth health : lacking) {
                if (health.condition() == Condition.DEAD) {
                    throw new IOException(health.member().name() + " has ended; its log " + folder.log(health.member())
                            + " ends with: " + lastLines(health.member()));
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

    private List<MemberHealth> lacking(List<Role> roles) throws InterruptedException {
        return members.health().stream()
                .filter(health -> roles.contains(health.member().role()) && health.condition() != Condition.SERVES)
                .toList();
    }

    private String lastLines(Member member) throws IOException {
        for (Path file : List.of(folder.output(member), folder.log(member))) {
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
        awaitServing(deadline, limit, List.of(Role.values()));
        return host;
    }

    /** Starts a member that has ended. */
    public void start(Member member) throws IOException {
        members.start(member);
    }

    /** The HMaster that is active and initialized; absent if there is none just now. */
    public Optional<Member> activeMaster() throws InterruptedException {
        return members.activeMaster();
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

    /** Cuts a rack off from all others, or joins it again; only with network namespaces. */
    public void setRackLink(String rack, boolean up) throws IOException, InterruptedException {
        Network.setRackLink(layout(), rack, up);
    }

    /** What the DataNodes that run have written to files so far, in bytes. */
    public long bytesWritten() throws IOException {
        return members.bytesWritten(Role.DATANODE);
    }

    /** What the hosts have sent over the network so far; absent where they have no devices of their own. */
    public OptionalLong bytesSent() throws IOException, InterruptedException {
        return Network.bytesSent(layout());
    }

    /**
     * Does what an operator does after a fault: lets go on what stands still, joins what was cut off, and starts what is dead, again and
     * again until everything serves.
     *
     * @throws IOException after the limit, with what does not serve
     */
    public void repair(Duration limit) throws IOException, InterruptedException {
        long deadline = System.nanoTime() + limit.toNanos();
        for (ClusterHost host : layout().hosts()) {
            setFrozen(host, false);
        }
        if (layout().shape().wiring() == Wiring.NAMESPACES) {
            for (String rack : layout().racks()) {
                setRackLink(rack, true);
            }
        }
        List<MemberHealth> lacking = lacking(List.of(Role.values()));
        while (!lacking.isEmpty()) {
            for (MemberHealth health : lacking) {
                if (health.condition() == Condition.DEAD) {
                    members.start(health.member());
                }
            }
            pause(deadline, limit, lacking);
            lacking = lacking(List.of(Role.values()));
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
