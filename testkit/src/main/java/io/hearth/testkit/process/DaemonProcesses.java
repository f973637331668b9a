// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.testkit.process;

import io.hearth.testkit.embedded.ClusterHost;
import io.hearth.testkit.process.AuxiliaryProcess.OneShotProcess;
import io.hearth.testkit.process.ClusterFolder.ProcessClusterState;
import io.hearth.testkit.process.ClusterFolder.ProcessClusterState.Stage;
import io.hearth.testkit.process.layout.ClusterLayout;
import io.hearth.testkit.process.layout.ClusterSpec;
import io.hearth.testkit.process.layout.Daemon;
import io.hearth.testkit.process.layout.Daemon.DaemonRole;
import io.hearth.testkit.process.system.DetachedProcess;
import io.hearth.testkit.process.system.ProcessTable;
import io.hearth.testkit.process.system.ProcessTable.ProcessId;
import io.hearth.testkit.process.system.ProcessTable.ProcessState;
import io.hearth.testkit.process.system.ProcessTable.Signal;
import io.hearth.testkit.process.system.SystemCommand;
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
final class DaemonProcesses {

    private static final Duration KILL_LIMIT = Duration.ofSeconds(20);
    private static final Duration END_LIMIT = Duration.ofSeconds(10);
    private static final Duration FORMAT_LIMIT = Duration.ofMinutes(1);
    private static final List<String> FORMAT = List.of("-format", "-nonInteractive", "-force");
    private static final List<String> FORMAT_ZK = List.of("-formatZK", "-nonInteractive", "-force");
    private static final long POLL_MS = 200;

    private final ClusterFolder folder;
    private final Installation installation = Installation.ofThisJvm();
    private final ProcessTable processes;
    private final JmxClient jmx = new JmxClient();
    private final HealthCheck check;
    private ProcessClusterState state;
    private boolean ended;

    DaemonProcesses(ClusterFolder folder, ProcessClusterState state) throws IOException {
        this.folder = folder;
        this.state = state;
        this.processes = new ProcessTable(Path.of("/proc"));
        this.check = new HealthCheck(processes, jmx);
    }

    synchronized ClusterLayout layout() {
        return state.layout();
    }

    private synchronized ProcessClusterState state() {
        return state;
    }

    /** Whether it was started to its end, and one of its processes is there. */
    boolean isInUse() {
        ProcessClusterState now = state();
        return now.stage() == Stage.STARTED
                && now.processByDaemon().values().stream()
                        .anyMatch(process -> processes.processState(process) != ProcessState.ENDED);
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
        DataNodeDisks.up(folder, layout());
        Network.up(layout());
    }

    /** Makes the NameNode's folder; that of a second one is a copy of it, and ZooKeeper has to know of both. */
    void format() throws IOException, InterruptedException {
        List<ClusterHost> hosts = layout().nameNodeHosts();
        run(new OneShotProcess("format", hosts.get(0), DaemonRole.NAMENODE.mainClass(), FORMAT), FORMAT_LIMIT);
        if (layout().clusterSpec().isHighlyAvailable()) {
            run(new OneShotProcess("format-zk", hosts.get(0), DaemonRole.ZKFC.mainClass(), FORMAT_ZK), FORMAT_LIMIT);
            Path second = folder.nameFolder(hosts.get(1));
            Files.createDirectories(second.getParent());
            SystemCommand.run("cp", "-r", folder.nameFolder(hosts.get(0)).toString(), second.toString());
        }
    }

    /**
     * Does it and waits until it has ended.
     *
     * @throws IOException if it has not after the limit
     */
    private void run(OneShotProcess oneShotProcess, Duration limit) throws IOException, InterruptedException {
        start(oneShotProcess);
        long waitedMs = 0;
        while (runs(oneShotProcess)) {
            if (waitedMs > limit.toMillis()) {
                throw new IOException(oneShotProcess.name() + " has not ended within " + limit.toSeconds()
                        + " s; its log is " + folder.log(oneShotProcess.name()));
            }
            Thread.sleep(POLL_MS);
            waitedMs += POLL_MS;
        }
    }

    /** Makes the place for another host, of which nothing runs yet. */
    synchronized ClusterHost addHost() throws IOException, InterruptedException {
        requireNotEnded();
        if (layout().workers().size() >= ClusterSpec.MOST_HOSTS) {
            throw new IOException("there are " + ClusterSpec.MOST_HOSTS + " hosts already; that is the most");
        }
        state = state.with(layout().withAnotherHost());
        folder.write(state);
        ClusterHost host = layout().workers().get(layout().workers().size() - 1);
        installation.name(folder, layout());
        installation.prepare(folder, layout(), host);
        DataNodeDisks.up(folder, layout(), host);
        Network.up(layout(), host);
        return host;
    }

    void start(OneShotProcess oneShotProcess) throws IOException {
        launch(oneShotProcess.name(), commands().of(oneShotProcess));
    }

    boolean runs(OneShotProcess oneShotProcess) {
        return runs(oneShotProcess.name());
    }

    private boolean runs(String name) {
        return process(name).map(processes::processState).orElse(ProcessState.ENDED) != ProcessState.ENDED;
    }

    void end(OneShotProcess oneShotProcess) throws IOException, InterruptedException {
        Optional<ProcessId> process = process(oneShotProcess.name());
        if (process.isPresent()) {
            processes.send(Signal.TERM, process.get());
            for (long waitedMs = 0; runs(oneShotProcess) && waitedMs < END_LIMIT.toMillis(); waitedMs += POLL_MS) {
                Thread.sleep(POLL_MS);
            }
            processes.killAll(List.of(process.get()), KILL_LIMIT);
        }
    }

    /** Starts a member that does not run. */
    void start(Daemon daemon) throws IOException {
        launch(daemon.name(), commands().of(daemon));
    }

    private DaemonCommandLines commands() {
        return new DaemonCommandLines(folder, layout(), installation);
    }

    /** Starts a process that is no member of the cluster and ends with it. */
    void startAuxiliary(String name, List<String> command, Map<String, String> environment) throws IOException {
        launch(name, new DetachedProcess(command, environment, folder.output(name)));
    }

    boolean isAuxiliaryRunning(String name) {
        return runs(name);
    }

    /** Ends such a process, if it is there. */
    void killAuxiliary(String name) throws IOException, InterruptedException {
        processes.killAll(process(name).stream().toList(), KILL_LIMIT);
    }

    private synchronized void launch(String name, DetachedProcess launch) throws IOException {
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
        return Optional.ofNullable(state().processByDaemon().get(name));
    }

    /** Ends a member as by kill -9, and waits until it has ended. */
    void kill(Daemon daemon) throws IOException, InterruptedException {
        processes.killAll(process(daemon.name()).stream().toList(), KILL_LIMIT);
    }

    /**
     * Asks a member to end, and waits until it has.
     *
     * @throws IOException if it runs still after the limit
     */
    void end(Daemon daemon, Duration limit) throws IOException, InterruptedException {
        send(Signal.TERM, daemon);
        for (long waitedMs = 0; runs(daemon.name()); waitedMs += POLL_MS) {
            if (waitedMs > limit.toMillis()) {
                throw new IOException(daemon.name() + " has not ended within " + limit.toSeconds()
                        + " s after kill -TERM; its log is " + folder.log(daemon.name()));
            }
            Thread.sleep(POLL_MS);
        }
    }

    /** By the JDK's own tool; a process that does not answer it is left alone. */
    void collectGarbage() throws IOException, InterruptedException {
        String jcmd = Path.of(System.getProperty("java.home"), "bin", "jcmd").toString();
        for (ProcessId process : state().processByDaemon().values()) {
            if (processes.processState(process) == ProcessState.RUNNING) {
                SystemCommand.tryRun(jcmd, Long.toString(process.pid()), "GC.run");
            }
        }
    }

    /** The processor time that it has taken since it was started; nothing if it is not there. */
    Duration cpuTime(Daemon daemon) {
        return process(daemon.name())
                .filter(process -> processes.processState(process) != ProcessState.ENDED)
                .flatMap(process -> ProcessHandle.of(process.pid()))
                .flatMap(handle -> handle.info().totalCpuDuration())
                .orElse(Duration.ZERO);
    }

    /** Sends it a signal, if it is there. */
    void send(Signal signal, Daemon daemon) throws IOException, InterruptedException {
        Optional<ProcessId> process = process(daemon.name());
        if (process.isPresent()) {
            processes.send(signal, process.get());
        }
    }

    /** Ends all of them for good, and takes the disks and the network away. */
    synchronized void end() throws IOException, InterruptedException {
        ended = true;
        processes.killAll(state.processByDaemon().values(), KILL_LIMIT);
        DataNodeDisks.down(folder, layout());
        Network.down(layout());
    }

    /** How each of them is, in the layout's order. */
    List<DaemonHealth> health() throws InterruptedException {
        return check.of(state());
    }

    /** The HMaster that is active and initialized, or the NameNode that is active; absent if there is none just now. */
    Optional<Daemon> active(DaemonRole role) throws InterruptedException {
        return check.active(role, state());
    }

    /** How much its wall clock is ahead of this machine's; absent if it does not say. */
    Optional<Duration> clockOffset(Daemon server) {
        return jmx.clockOffset(server.host().address(), server.role().watchedPort());
    }

    /** The member with this role on that host. */
    Daemon daemon(DaemonRole role, String host) {
        return layout().daemons().stream()
                .filter(daemon -> daemon.role() == role && daemon.host().name().equals(host))
                .findFirst()
                .orElseThrow(() -> new IllegalArgumentException("There is no " + role.word() + " on " + host));
    }
}
