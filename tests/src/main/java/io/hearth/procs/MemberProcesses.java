package io.hearth.procs;

import io.hearth.cluster.ClusterHost;
import io.hearth.procs.ClusterState.Stage;
import io.hearth.procs.layout.ClusterLayout;
import io.hearth.procs.layout.Member;
import io.hearth.procs.layout.Role;
import io.hearth.procs.layout.Shape;
import io.hearth.procs.system.Launch;
import io.hearth.procs.system.ProcessId;
import io.hearth.procs.system.Processes;
import io.hearth.procs.system.Processes.Life;
import io.hearth.procs.system.Processes.Signal;
import io.hearth.procs.system.Tool;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * The processes of a cluster and the state that tells of them, which is on disk before a process begins. Thread-safe: once all were
 * ended, none is started any more, whoever is about to.
 */
final class MemberProcesses {

    private static final Duration KILL_LIMIT = Duration.ofSeconds(20);
    private static final Duration END_LIMIT = Duration.ofSeconds(10);
    private static final Duration FORMAT_LIMIT = Duration.ofMinutes(1);
    private static final List<String> FORMAT = List.of("-format", "-nonInteractive", "-force");
    private static final List<String> FORMAT_ZK = List.of("-formatZK", "-nonInteractive", "-force");
    private static final long LOOK_MS = 200;

    private final ClusterFolder folder;
    private final Installation installation = Installation.ofThisJvm();
    private final Processes processes;
    private final Jmx jmx = new Jmx();
    private final HealthCheck check;
    private ClusterState state;
    private boolean ended;

    MemberProcesses(ClusterFolder folder, ClusterState state) throws IOException {
        this.folder = folder;
        this.state = state;
        this.processes = new Processes(Path.of("/proc"));
        this.check = new HealthCheck(processes, jmx);
    }

    synchronized ClusterLayout layout() {
        return state.layout();
    }

    private synchronized ClusterState state() {
        return state;
    }

    /** Whether it was started to its end, and one of its processes is there. */
    boolean isInUse() {
        ClusterState now = state();
        return now.stage() == Stage.STARTED
                && now.processByMember().values().stream().anyMatch(process -> processes.life(process) != Life.ENDED);
    }

    synchronized void started() throws IOException {
        requireNotEnded();
        state = state.at(Stage.STARTED);
        folder.write(state);
    }

    /** Makes all that the processes need, files first. */
    synchronized void prepare() throws IOException, InterruptedException {
        requireNotEnded();
        installation.prepare(folder, layout());
        Disks.up(folder, layout());
        Network.up(layout());
    }

    /** Makes the NameNode's folder; that of a second one is a copy of it, and ZooKeeper has to know of both. */
    void format() throws IOException, InterruptedException {
        List<ClusterHost> hosts = layout().nameNodeHosts();
        run(new Errand("format", hosts.get(0), Role.NAMENODE.mainClass(), FORMAT), FORMAT_LIMIT);
        if (layout().shape().isHighlyAvailable()) {
            run(new Errand("format-zk", hosts.get(0), Role.ZKFC.mainClass(), FORMAT_ZK), FORMAT_LIMIT);
            Path second = folder.nameFolder(hosts.get(1));
            Files.createDirectories(second.getParent());
            Tool.run("cp", "-r", folder.nameFolder(hosts.get(0)).toString(), second.toString());
        }
    }

    /**
     * Does it and waits until it has ended.
     *
     * @throws IOException if it has not after the limit
     */
    private void run(Errand errand, Duration limit) throws IOException, InterruptedException {
        start(errand);
        long waitedMs = 0;
        while (runs(errand)) {
            if (waitedMs > limit.toMillis()) {
                throw new IOException(errand.name() + " has not ended within " + limit.toSeconds() + " s; its log is "
                        + folder.log(errand.name()));
            }
            Thread.sleep(LOOK_MS);
            waitedMs += LOOK_MS;
        }
    }

    /** Makes the place for another host, of which nothing runs yet. */
    synchronized ClusterHost addHost() throws IOException, InterruptedException {
        requireNotEnded();
        if (layout().workers().size() >= Shape.MOST_HOSTS) {
            throw new IOException("there are " + Shape.MOST_HOSTS + " hosts already; that is the most");
        }
        state = state.with(layout().withAnotherHost());
        folder.write(state);
        ClusterHost host = layout().workers().get(layout().workers().size() - 1);
        installation.name(folder, layout());
        installation.prepare(folder, layout(), host);
        Disks.up(folder, layout(), host);
        Network.up(layout(), host);
        return host;
    }

    void start(Errand errand) throws IOException {
        launch(errand.name(), commands().of(errand));
    }

    boolean runs(Errand errand) {
        return runs(errand.name());
    }

    private boolean runs(String name) {
        return process(name).map(processes::life).orElse(Life.ENDED) != Life.ENDED;
    }

    void end(Errand errand) throws IOException, InterruptedException {
        Optional<ProcessId> process = process(errand.name());
        if (process.isPresent()) {
            processes.send(Signal.TERM, process.get());
            for (long waitedMs = 0; runs(errand) && waitedMs < END_LIMIT.toMillis(); waitedMs += LOOK_MS) {
                Thread.sleep(LOOK_MS);
            }
            processes.killAll(List.of(process.get()), KILL_LIMIT);
        }
    }

    /** Starts a member that does not run. */
    void start(Member member) throws IOException {
        launch(member.name(), commands().of(member));
    }

    private ServerCommand commands() {
        return new ServerCommand(folder, layout(), installation);
    }

    /** Starts a process that is no member of the cluster and ends with it. */
    void startBeside(String name, List<String> command, Map<String, String> environment) throws IOException {
        launch(name, new Launch(command, environment, folder.output(name)));
    }

    boolean runsBeside(String name) {
        return runs(name);
    }

    /** Ends such a process, if it is there. */
    void killBeside(String name) throws IOException, InterruptedException {
        processes.killAll(process(name).stream().toList(), KILL_LIMIT);
    }

    private synchronized void launch(String name, Launch launch) throws IOException {
        requireNotEnded();
        launch.start(processes, process -> {
            state = state.with(name, process);
            folder.write(state);
        });
    }

    private void requireNotEnded() throws IOException {
        if (ended) {
            throw new IOException("the cluster is being stopped");
        }
    }

    private Optional<ProcessId> process(String name) {
        return Optional.ofNullable(state().processByMember().get(name));
    }

    /** Ends a member as by kill -9, and waits until it has ended. */
    void kill(Member member) throws IOException, InterruptedException {
        processes.killAll(process(member.name()).stream().toList(), KILL_LIMIT);
    }

    /** By the JDK's own tool; a process that does not answer it is left alone. */
    void collectGarbage() throws IOException, InterruptedException {
        String jcmd = Path.of(System.getProperty("java.home"), "bin", "jcmd").toString();
        for (ProcessId process : state().processByMember().values()) {
            if (processes.life(process) == Life.RUNNING) {
                Tool.tryRun(jcmd, Long.toString(process.pid()), "GC.run");
            }
        }
    }

    /** Sends it a signal, if it is there. */
    void send(Signal signal, Member member) throws IOException, InterruptedException {
        Optional<ProcessId> process = process(member.name());
        if (process.isPresent()) {
            processes.send(signal, process.get());
        }
    }

    /** Ends all of them for good, and takes the disks and the network away. */
    synchronized void end() throws IOException, InterruptedException {
        ended = true;
        processes.killAll(state.processByMember().values(), KILL_LIMIT);
        Disks.down(folder, layout());
        Network.down(layout());
    }

    /** How each of them is, in the layout's order. */
    List<MemberHealth> health() throws InterruptedException {
        return check.of(state());
    }

    /** The HMaster that is active and initialized, or the NameNode that is active; absent if there is none just now. */
    Optional<Member> active(Role role) throws InterruptedException {
        return check.active(role, state());
    }

    /** How much its wall clock is ahead of this machine's; absent if it does not say. */
    Optional<Duration> clockAhead(Member server) {
        return jmx.clockAhead(server.host().address(), server.role().watchedPort());
    }

    /** The member with this role on that host. */
    Member member(Role role, String host) {
        return layout().members().stream()
                .filter(member -> member.role() == role && member.host().name().equals(host))
                .findFirst()
                .orElseThrow(() -> new IllegalArgumentException("There is no " + role.word() + " on " + host));
    }
}
