// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.testkit.process;

import io.hearth.cli.ExitCode;
import io.hearth.testkit.embedded.ClusterHost;
import java.io.IOException;
import java.time.Duration;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/** {@code bin/hearth cluster add-host}. */
@Command(
        name = "add-host",
        description = {
            "Adds an empty host to the cluster and returns when everything serves.",
            "It has a DataNode and a RegionServer, in the rack with the fewest hosts."
        },
        usageHelpAutoWidth = true,
        footerHeading = "%nExamples:%n",
        footer = "  bin/hearth cluster add-host")
final class AddHostCommand implements Callable<Integer> {

    private static final Duration LIMIT = Duration.ofMinutes(2);

    @Spec
    private CommandSpec spec;

    @Mixin
    private FolderOption folder;

    @Override
    public Integer call() throws IOException, InterruptedException {
        try (ProcessCluster cluster = folder.open(spec)) {
            ClusterHost host = cluster.addHost(LIMIT);
            spec.commandLine()
                    .getOut()
                    .println("Added " + host.name() + ", " + host.address() + " in " + host.rack()
                            + "; everything serves.");
        }
        spec.commandLine().getOut().flush();
        return ExitCode.DONE.code();
    }
}
