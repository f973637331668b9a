package io.hearth.procs;

import io.hearth.procs.layout.ClusterLayout;
import io.hearth.procs.system.ProcessId;
import java.util.Map;
import java.util.TreeMap;

/**
 * What is known of a cluster by everyone but the harness that started it, kept in its folder. Immutable.
 *
 * @param stage how far it has come
 * @param layout its hosts and processes
 * @param processByMember the process that each member was started as last, by the member's name, and those beside them
 */
record ClusterState(Stage stage, ClusterLayout layout, Map<String, ProcessId> processByMember) {

    /** Written before anything is done that it speaks of. */
    enum Stage {
        /** It is being started: if nobody does that any more, it is to be cleared away. */
        STARTING,
        /** It was started, and is its user's until it is stopped. */
        STARTED
    }

    ClusterState {
        processByMember = new TreeMap<>(processByMember);
    }

    ClusterState at(Stage next) {
        return new ClusterState(next, layout, processByMember);
    }

    ClusterState with(ClusterLayout next) {
        return new ClusterState(stage, next, processByMember);
    }

    ClusterState with(String member, ProcessId process) {
        Map<String, ProcessId> processes = new TreeMap<>(processByMember);
        processes.put(member, process);
        return new ClusterState(stage, layout, processes);
    }
}
