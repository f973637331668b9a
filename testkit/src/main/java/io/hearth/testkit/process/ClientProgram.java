// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.testkit.process;

import io.hearth.testkit.command.Commands;
import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import picocli.CommandLine.Model.CommandSpec;

/**
 * A program of HBase's own that is a client of a cluster, and that {@code bin/hearth} becomes, so that the terminal and Ctrl-C are its own: here
 * is only written with which arguments.
 */
final class ClientProgram {

    /** The file that {@code bin/hearth} reads the arguments of the JVM from. */
    private static final String ARGUMENTS_PROPERTY = "hearth.program.arguments";

    /** The folder with the program's jars. */
    private static final String JARS_PROPERTY = "hearth.program.jars";

    private final ClusterFolder folder;
    private final ProcessClusterState state;

    private ClientProgram(ClusterFolder folder, ProcessClusterState state) {
        this.folder = folder;
        this.state = state;
    }

    /** A program for the cluster in that folder. */
    static ClientProgram in(FolderOption folder, CommandSpec spec) throws IOException {
        ClusterFolder cluster = new ClusterFolder(folder.folder());
        return new ClientProgram(
                cluster, cluster.state().orElseThrow(() -> Commands.problem(spec, folder.noClusterMessage())));
    }

    /** The first folder of its class path, for what the program finds there before anything else. */
    Path own() {
        return folder.shell();
    }

    Path logs() {
        return folder.logs();
    }

    /** Writes them: the flags of the cluster's JVMs, these flags, and what the program is called with. */
    void writeArgumentFile(List<String> flags, String mainClass, List<String> words) throws IOException {
        List<String> arguments = new ArrayList<>(DaemonCommandLines.common(folder));
        arguments.addAll(flags);
        arguments.add("-cp");
        arguments.add(own()
                + File.pathSeparator
                + jars()
                + File.pathSeparator
                + Installation.ofThisJvm()
                        .clientClassPath(folder, state.layout().clusterSpec().networkMode()));
        arguments.add(mainClass);
        arguments.addAll(words);
        Files.write(
                Path.of(System.getProperty(ARGUMENTS_PROPERTY)),
                arguments.stream().map(ClientProgram::quoted).toList());
    }

    private static String jars() throws IOException {
        try (Stream<Path> jars = Files.list(Path.of(System.getProperty(JARS_PROPERTY)))) {
            return jars.map(Path::toString).sorted().collect(Collectors.joining(File.pathSeparator));
        }
    }

    /** In the form that java reads from a file: one argument a line, in quotes. */
    private static String quoted(String argument) {
        return '"' + argument.replace("\\", "\\\\").replace("\"", "\\\"") + '"';
    }
}
