package io.hearth.procs;

import io.hearth.cluster.ClusterHost;
import io.hearth.procs.ClusterState.Stage;
import io.hearth.procs.MemberHealth.Condition;
import io.hearth.procs.layout.ClusterLayout;
import io.hearth.procs.layout.Member;
import io.hearth.procs.layout.Role;
import io.hearth.procs.layout.Shape;
import io.hearth.procs.layout.Wiring;
import io.hearth.procs.system.Launch;
import io.hearth.procs.system.ProcessId;
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
import java.util.SplittableRandom;
import java.util.stream.Collectors;

/**
 * A cluster of operating-system processes that outlives the JVM that started it. Everything that is to be taken away again is written
 * down in its folder before it is made, so that {@link #stop} works from any JVM, also when the one that started it was killed half way.
 *
 * <p>A process is only ever ended if it is the one that was started: same number, same start time, same run of the machine. Not
 * thread-safe; the folder's lock keeps other JVMs out until {@link #close}.
 */
public final class ProcessCluster implements AutoCloseable {

    private static final Duration KILL_LIMIT = Duration.ofSeconds(20);
    private static final Duration FORMAT_LIMIT = Duration.ofMinutes(1);
    private static final long LOOK_MS = 500;
    private static final int LAST_LINES = 5;

    private final ClusterFolder folder;
    private final Closeable lock;
    private final Processes processes;
    private final Installation installation;
    private final HealthCheck check;
    private ClusterState state;

    private ProcessCluster(ClusterFolder folder, Closeable lock, ClusterState state) throws IOException {
        this.folder = folder;
        this.lock = lock;
        this.state = state;
        this.processes = new Processes(Path.of("/proc"));
        this.installation = Installation.ofThisJvm();
        this.check = new HealthCheck(processes, new Jmx());
    }

    /**
     * A new cluster in that folder, of which nothing runs yet; what a killed harness left there is cleared away first.
     *
     * @throws IOException if the folder is somebody else's, or a cluster runs in it
     */
    static ProcessCluster create(Path path, Shape shape) throws IOException, InterruptedException {
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
        boolean lives = state.processByMember().values().stream()
                .anyMatch(process -> processes.life(process) != Processes.Life.ENDED);
        if (state.stage() == Stage.STARTED && lives) {
            throw new IOException("a cluster runs in " + folder.path()
                    + "; bin/hearth cluster stop ends it, and --folder names another place for a second one");
        }
    }

    public ClusterLayout layout() {
        return state.layout();
    }

    /** The folder with hbase-site.xml and the file of host names. */
    public Path conf() {
        return folder.conf();
    }

    /** Makes the network and starts every process; they are not waited for. */
    void start() throws IOException, InterruptedException {
        installation.prepare(folder, layout());
        Network.up(layout());
        format(layout().members().get(0));
        for (Member member : layout().members()) {
            startAgain(member);
        }
    }

    /** Starts a member that does not run. */
    public void startAgain(Member member) throws IOException {
        launch(member, new ServerCommand(folder, layout(), installation).of(member));
    }

    private void launch(Member member, Launch launch) throws IOException {
        launch.start(processes, process -> {
            state = state.with(member.name(), process);
            folder.write(state);
        });
    }

    private void format(Member nameNode) throws IOException, InterruptedException {
        launch(nameNode, new ServerCommand(folder, layout(), installation).format(nameNode));
        ProcessId process = state.processByMember().get(nameNode.name());
        long waitedMs = 0;
        while (processes.life(process) != Processes.Life.ENDED) {
            if (waitedMs > FORMAT_LIMIT.toMillis()) {
                throw new IOException("the NameNode's folder was not made within " + FORMAT_LIMIT.toSeconds() + " s");
            }
            Thread.sleep(LOOK_MS);
            waitedMs += LOOK_MS;
        }
    }

    /**
     * Waits until every process serves.
     *
     * @throws IOException as soon as one of them has ended, or after the limit, with what does not serve
     */
    public void awaitServing(Duration limit) throws IOException, InterruptedException {
        long deadline = System.nanoTime() + limit.toNanos();
        while (true) {
            List<MemberHealth> lacking = lacking();
            if (lacking.isEmpty()) {
                state = state.at(Stage.STARTED);
                folder.write(state);
                return;
            }
            for (MemberHealth health : lacking) {
                if (health.condition() == Condition.DEAD) {
                    throw new IOException(health.member().name() + " has ended; its log " + folder.log(health.member())
                            + " ends with: " + lastLines(health.member()));
                }
            }
            if (System.nanoTime() > deadline) {
                throw notServing(lacking, limit);
            }
            Thread.sleep(LOOK_MS);
        }
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

    /** How each process is, in the layout's order. */
    public List<MemberHealth> health() throws InterruptedException {
        return check.of(state);
    }

    /** The HMaster that is active and initialized; absent if there is none just now. */
    public Optional<Member> activeMaster() throws InterruptedException {
        return check.word(state).activeMaster();
    }

    /** The member with this role on that host. */
    public Member member(Role role, String host) {
        return layout().members().stream()
                .filter(member -> member.role() == role && member.host().name().equals(host))
                .findFirst()
                .orElseThrow(() -> new IllegalArgumentException("There is no " + role.word() + " on " + host));
    }

    /** Ends a member as by kill -9, and waits until it has ended. */
    public void kill(Member member) throws IOException, InterruptedException {
        processes.killAll(List.of(state.processByMember().get(member.name())), KILL_LIMIT);
    }

    /** Stops every process of a host, as if the machine stood still, or lets them go on. */
    public void setFrozen(ClusterHost host, boolean frozen) throws IOException, InterruptedException {
        for (Member member : layout().members()) {
            if (member.host().equals(host)) {
                processes.send(
                        frozen ? Signal.STOP : Signal.CONT,
                        state.processByMember().get(member.name()));
            }
        }
    }

    /** Cuts a rack off from all others, or joins it again; only with network namespaces. */
    public void setRackLink(String rack, boolean up) throws IOException, InterruptedException {
        Network.setRackLink(layout(), rack, up);
    }

    /**
     * Does what an operator does after a fault: lets go on what stands still, joins what was cut off, and starts what is dead, again and
     * again until everything serves.
     *
     * @throws IOException after the limit, with what does not serve
     */
    public void repair(Duration limit) throws IOException, InterruptedException {
        for (ClusterHost host : layout().hosts()) {
            setFrozen(host, false);
        }
        if (layout().shape().wiring() == Wiring.NAMESPACES) {
            for (String rack : layout().racks()) {
                setRackLink(rack, true);
            }
        }
        long deadline = System.nanoTime() + limit.toNanos();
        List<MemberHealth> lacking = lacking();
        while (!lacking.isEmpty()) {
            if (System.nanoTime() > deadline) {
                throw notServing(lacking, limit);
            }
            for (MemberHealth health : lacking) {
                if (health.condition() == Condition.DEAD) {
                    startAgain(health.member());
                }
            }
            Thread.sleep(LOOK_MS);
            lacking = lacking();
        }
    }

    private List<MemberHealth> lacking() throws InterruptedException {
        return health().stream()
                .filter(health -> health.condition() != Condition.SERVES)
                .toList();
    }

    private IOException notServing(List<MemberHealth> lacking, Duration limit) {
        String names = lacking.stream().map(health -> health.member().name()).collect(Collectors.joining(", "));
        return new IOException("after " + limit.toSeconds() + " s these do not serve: " + names + "; their logs are in "
                + folder.logs());
    }

    /** Ends every process, keeps the logs, and takes everything else away. */
    void stopButKeepLogs() throws IOException, InterruptedException {
        processes.killAll(state.processByMember().values(), KILL_LIMIT);
        Network.down(layout());
    }

    /** Ends every process and takes everything away: processes, network and files. */
    public void stop() throws IOException, InterruptedException {
        stopButKeepLogs();
        folder.delete();
    }

    @Override
    public void close() throws IOException {
        lock.close();
    }
}
