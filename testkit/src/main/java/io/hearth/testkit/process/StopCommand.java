// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.testkit.process;

import io.hearth.cli.ExitCode;
import java.io.IOException;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/** {@code bin/hearth cluster stop}. */
@Command(
        name = "stop",
        description = {
            "Ends the cluster and takes everything of it away.",
            "Processes, network, data and logs, also if its start was killed half way."
        },
        usageHelpAutoWidth = true,
        footerHeading = "%nExamples:%n",
        footer = "  bin/hearth cluster stop")
final class StopCommand implements Callable<Integer> {

    @Spec
    private CommandSpec spec;

    @Mixin
    private FolderOption folder;

    @Override
    public Integer call() throws IOException, InterruptedException {
        try (ProcessCluster cluster = folder.open(spec)) {
            cluster.stop();
        }
        spec.commandLine().getOut().println("Stopped; nothing of it is left.");
        spec.commandLine().getOut().flush();
        return ExitCode.DONE.code();
    }
}
