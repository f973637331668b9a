package io.hearth.procs;

import io.hearth.cluster.ClusterHost;
import java.util.List;

/**
 * A process that does one thing on a host of the cluster and ends.
 *
 * @param name of its logs, and under which it is written down; no member's
 * @param host where it runs
 * @param mainClass what it runs
 * @param arguments what that is called with
 */
public record Errand(String name, ClusterHost host, String mainClass, List<String> arguments) {

    public Errand {
        arguments = List.copyOf(arguments);
    }
}
