// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.testkit.process;

import io.hearth.testkit.process.layout.ClusterLayout;
import io.hearth.testkit.process.system.ProcessId;
import java.util.Map;
import java.util.TreeMap;

/**
 * What is known of a cluster by everyone but the harness that started it, kept in its folder. Immutable.
 *
 * @param stage how far it has come
 * @param layout its hosts and processes
 * @param processByDaemon the process that each member was started as last, by the member's name, and those beside them
 */
record ProcessClusterState(Stage stage, ClusterLayout layout, Map<String, ProcessId> processByDaemon) {

    /** Written before anything is done that it speaks of. */
    enum Stage {
        /** It is being started: if nobody does that any more, it is to be cleared away. */
        STARTING,
        /** It was started, and is its user's until it is stopped. */
        STARTED
    }

    ProcessClusterState {
        processByDaemon = new TreeMap<>(processByDaemon);
    }

    ProcessClusterState at(Stage next) {
        return new ProcessClusterState(next, layout, processByDaemon);
    }

    ProcessClusterState with(ClusterLayout next) {
        return new ProcessClusterState(stage, next, processByDaemon);
    }

    ProcessClusterState with(String daemon, ProcessId process) {
        Map<String, ProcessId> processes = new TreeMap<>(processByDaemon);
        processes.put(daemon, process);
        return new ProcessClusterState(stage, layout, processes);
    }
}
