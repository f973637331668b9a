// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.testkit.process;

import com.github.freva.asciitable.AsciiTable;
import com.github.freva.asciitable.Column;
import com.github.freva.asciitable.HorizontalAlign;
import io.hearth.cli.ExitCode;
import io.hearth.testkit.command.Commands;
import io.hearth.testkit.process.DaemonHealth.Condition;
import io.hearth.testkit.process.system.ProcessId;
import java.io.IOException;
import java.io.PrintWriter;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/** {@code bin/hearth cluster status}. */
@Command(
        name = "status",
        description = "Says how each process of the cluster is.",
        usageHelpAutoWidth = true,
        footerHeading = "%nExamples:%n",
        footer = "  bin/hearth cluster status")
final class ClusterStatusCommand implements Callable<Integer> {

    @Spec
    private CommandSpec spec;

    @Mixin
    private FolderOption folder;

    @Override
    public Integer call() throws IOException, InterruptedException {
        List<DaemonHealth> daemons = ProcessCluster.health(folder.folder())
                .orElseThrow(() -> Commands.problem(spec, folder.noClusterMessage()));
        long serving = daemons.stream()
                .filter(health -> health.condition() == Condition.SERVING)
                .count();
        PrintWriter out = spec.commandLine().getOut();
        out.println(table(daemons));
        out.println(serving + " of " + daemons.size() + " processes serve.");
        out.flush();
        return serving == daemons.size() ? ExitCode.DONE.code() : ExitCode.INCOMPLETE.code();
    }

    private static String table(List<DaemonHealth> daemons) {
        return AsciiTable.builder()
                .border(AsciiTable.NO_BORDERS)
                .data(
                        daemons,
                        List.of(
                                left("process").with(health -> health.daemon().name()),
                                left("host")
                                        .with(health -> health.daemon().host().name()),
                                left("address")
                                        .with(health -> health.daemon().host().address()),
                                left("rack")
                                        .with(health -> health.daemon().host().rack()),
                                left("pid").with(health -> health.process()
                                        .map(ProcessId::pid)
                                        .map(String::valueOf)
                                        .orElse("-")),
                                left("is").with(health -> (health.condition()
                                                        .name()
                                                        .toLowerCase(Locale.ROOT) + " " + health.detail())
                                        .strip())))
                .asString();
    }

    private static Column left(String header) {
        return new Column().header(header).headerAlign(HorizontalAlign.LEFT).dataAlign(HorizontalAlign.LEFT);
    }
}
