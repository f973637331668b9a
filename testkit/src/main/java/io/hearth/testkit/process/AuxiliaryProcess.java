// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.testkit.process;

import io.hearth.testkit.embedded.ClusterHost;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;

/**
 * A process beside a cluster's own, such as the server of an application that keeps its data there. It runs on the machine itself and
 * is known to the cluster's state, so that it ends with the cluster at the latest, however hard the one was killed who started it.
 * Used by one thread.
 */
public final class AuxiliaryProcess implements AutoCloseable {

    private final String name;
    private final ClusterFolder folder;
    private final DaemonProcesses processes;

    AuxiliaryProcess(String name, ClusterFolder folder, DaemonProcesses processes) {
        this.name = name;
        this.folder = folder;
        this.processes = processes;
    }

    /** A folder for its own files, which goes with the cluster. */
    public Path folder() throws IOException {
        return Files.createDirectories(folder.data().resolve(name));
    }

    /** The file with what it prints, which goes with the cluster. */
    public Path output() {
        return folder.output(name);
    }

    /** Starts it; one of that name that somebody has left is ended before. */
    public void start(List<String> command, Map<String, String> environment) throws IOException, InterruptedException {
        processes.killAuxiliary(name);
        Files.deleteIfExists(output());
        processes.startAuxiliary(name, command, environment);
    }

    public boolean runs() {
        return processes.isAuxiliaryRunning(name);
    }

    /** Ends it as by kill -9, and waits until it has ended. */
    @Override
    public void close() throws IOException {
        try {
            processes.killAuxiliary(name);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IOException(name + " may still run; bin/hearth cluster stop ends it", e);
        }
    }

    /**
     * A process that does one thing on a host of the cluster and ends.
     *
     * @param name of its logs, and under which it is written down; no member's
     * @param host where it runs
     * @param mainClass what it runs
     * @param arguments what that is called with
     */
    public record OneShotProcess(String name, ClusterHost host, String mainClass, List<String> arguments) {

        public OneShotProcess {
            arguments = List.copyOf(arguments);
        }
    }
}
