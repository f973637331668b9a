// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.testkit.process;

import io.hearth.cli.ExitCode;
import io.hearth.testkit.command.Commands;
import java.util.concurrent.Callable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/** {@code bin/hearth cluster}: a real cluster of processes on this machine, to play with and to test on. */
@Command(
        name = "bin/hearth cluster",
        description = {
            "A real HDFS and HBase with Hearth on this machine: operating-system processes,",
            "on hosts with addresses of their own, until it is stopped."
        },
        subcommands = {
            StartCommand.class,
            ClusterStatusCommand.class,
            AddHostCommand.class,
            RestartCommand.class,
            ShellCommand.class,
            PerformanceEvaluationCommand.class,
            StopCommand.class
        },
        synopsisSubcommandLabel = "<command>",
        usageHelpAutoWidth = true,
        exitCodeListHeading = "%nExit codes:%n",
        exitCodeList = {
            "0:done; of status: everything serves",
            "1:it could not be done; of status: something does not serve",
            "2:a wrong argument, or there is no such cluster, or one too many"
        },
        footerHeading = "%nExamples:%n",
        footer = {"  bin/hearth cluster start", "  bin/hearth cluster status", "  bin/hearth cluster stop"})
public final class ClusterCommand implements Callable<Integer> {

    @Spec
    private CommandSpec spec;

    /** Runs a command and ends the JVM with its exit code. */
    public static void main(String[] args) {
        System.exit(commandLine().execute(args));
    }

    /** The commands as a command line, with exit codes instead of the end of this JVM. */
    public static CommandLine commandLine() {
        CommandLine line = Commands.onCluster(new ClusterCommand());
        // PerformanceEvaluation has options of its own.
        line.getSubcommands().get("pe").setUnmatchedOptionsArePositionalParams(true);
        return line;
    }

    /** No command was named. */
    @Override
    public Integer call() {
        spec.commandLine().usage(spec.commandLine().getErr());
        return ExitCode.USAGE.code();
    }
}
