// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.testkit.process;

import io.hearth.testkit.process.DaemonHealth.Condition;
import io.hearth.testkit.process.layout.Daemon;
import io.hearth.testkit.process.layout.DaemonRole;
import io.hearth.testkit.process.system.ProcessId;
import io.hearth.testkit.process.system.ProcessTable;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * Looks how each process of a cluster is: by the system, whether it runs; by what the servers say, whether it serves. It needs
 * no client of HDFS or HBase, and no host name.
 */
final class HealthCheck {

    private final ProcessTable processes;
    private final JmxClient jmx;

    HealthCheck(ProcessTable processes, JmxClient jmx) {
        this.processes = processes;
        this.jmx = jmx;
    }

    /** Every member, in the layout's order. */
    List<DaemonHealth> of(ProcessClusterState state) throws InterruptedException {
        ServerHealthProbe word = ServerHealthProbe.probeAll(running(state).toList(), jmx);
        List<DaemonHealth> all = new ArrayList<>();
        for (Daemon daemon : state.layout().daemons()) {
            all.add(health(daemon, Optional.ofNullable(state.processByDaemon().get(daemon.name())), word));
        }
        return all;
    }

    /** The one with this role, of which there can be several and one is active; absent if none is. */
    Optional<Daemon> active(DaemonRole role, ProcessClusterState state) throws InterruptedException {
        List<Daemon> candidates =
                running(state).filter(daemon -> daemon.role() == role).toList();
        ServerHealthProbe word = ServerHealthProbe.probeAll(candidates, jmx);
        return candidates.stream().filter(word::isActive).findFirst();
    }

    private Stream<Daemon> running(ProcessClusterState state) {
        return state.layout().daemons().stream()
                .filter(daemon ->
                        processState(Optional.ofNullable(state.processByDaemon().get(daemon.name())))
                                == ProcessTable.ProcessState.RUNNING);
    }

    private DaemonHealth health(Daemon daemon, Optional<ProcessId> process, ServerHealthProbe word) {
        return switch (processState(process)) {
            case ENDED -> new DaemonHealth(daemon, process, Condition.DEAD, "");
            case STOPPED -> new DaemonHealth(daemon, process, Condition.FROZEN, "stopped by a signal");
            case RUNNING ->
                new DaemonHealth(
                        daemon,
                        process,
                        word.serves(daemon) ? Condition.SERVING : Condition.NOT_SERVING,
                        word.detail(daemon));
        };
    }

    private ProcessTable.ProcessState processState(Optional<ProcessId> process) {
        return process.map(processes::processState).orElse(ProcessTable.ProcessState.ENDED);
    }
}
