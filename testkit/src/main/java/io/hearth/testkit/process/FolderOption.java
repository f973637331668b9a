// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.testkit.process;

import io.hearth.testkit.command.Commands;
import java.io.IOException;
import java.nio.file.Path;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;

/** The option that names a cluster by its folder. */
public final class FolderOption {

    @Option(
            names = "--folder",
            paramLabel = "DIR",
            description = "the cluster's folder (default: hearth-cluster-USER in the folder for temporary files)")
    private Path folder =
            Path.of(System.getProperty("java.io.tmpdir"), "hearth-cluster-" + System.getProperty("user.name"));

    public Path folder() {
        return folder.toAbsolutePath().normalize();
    }

    /**
     * The cluster in it.
     *
     * @throws picocli.CommandLine.ParameterException if there is none
     */
    ProcessCluster open(CommandSpec spec) throws IOException {
        return ProcessCluster.open(folder()).orElseThrow(() -> Commands.problem(spec, noClusterMessage()));
    }

    /**
     * The same for who connects to it. To be called before any host name is looked up: those of the cluster are known nowhere else.
     *
     * @throws picocli.CommandLine.ParameterException if there is none
     */
    public ProcessCluster openForClients(CommandSpec spec) throws IOException {
        System.setProperty("jdk.net.hosts.file", folder().resolve("conf/hosts").toString());
        return open(spec);
    }

    /** That there is no cluster in it, and what to do. */
    public String noClusterMessage() {
        return "there is no cluster in " + folder() + "; bin/hearth cluster start starts one";
    }
}
