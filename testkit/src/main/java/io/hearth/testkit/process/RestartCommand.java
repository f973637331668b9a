// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.testkit.process;

import io.hearth.cli.ExitCode;
import io.hearth.testkit.process.layout.Daemon;
import io.hearth.testkit.process.layout.DaemonRole;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code bin/hearth cluster restart}. */
@Command(
        name = "restart",
        description = {
            "Ends the processes of a kind as by kill -9 and starts them again, one after the other,",
            "with the configuration and the lib folder as they are now."
        },
        usageHelpAutoWidth = true,
        footerHeading = "%nExamples:%n",
        footer = "  bin/hearth cluster restart REGIONSERVER")
final class RestartCommand implements Callable<Integer> {

    private static final Duration LIMIT = Duration.ofMinutes(3);

    @Spec
    private CommandSpec spec;

    @Parameters(paramLabel = "ROLE", description = "MASTER, REGIONSERVER, NAMENODE or DATANODE")
    private DaemonRole role;

    @Mixin
    private FolderOption folder;

    @Override
    public Integer call() throws IOException, InterruptedException {
        try (ProcessCluster cluster = folder.open(spec)) {
            List<Daemon> daemons = cluster.layout().daemons().stream()
                    .filter(daemon -> daemon.role() == role)
                    .toList();
            for (Daemon daemon : daemons) {
                cluster.kill(daemon);
                cluster.repair(LIMIT);
            }
            spec.commandLine()
                    .getOut()
                    .println("Restarted " + daemons.size() + " of "
                            + role.name().toLowerCase(Locale.ROOT) + "; everything serves.");
        }
        spec.commandLine().getOut().flush();
        return ExitCode.DONE.code();
    }
}
