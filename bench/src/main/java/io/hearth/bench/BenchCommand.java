// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.bench;

import io.hearth.bench.opentsdb.TsdbCommand;
import io.hearth.cli.ExitCode;
import io.hearth.testkit.command.Commands;
import java.util.concurrent.Callable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/**
 * {@code bin/hearth bench}: the benchmarks, each a subcommand that prints its figures beside the thresholds.
 *
 * <p>Exit codes are the same for all of them: 0 where every threshold holds, 1 where one does not, 2 for a wrong argument,
 * 8 where the machine is too busy for a benchmark that can tell.
 */
@Command(
        name = "bin/hearth bench",
        description = "Measures what Hearth costs on this machine and prints it beside the thresholds.",
        subcommands = {
            BenchHeatCommand.class,
            BenchMetricsUpdateCommand.class,
            BenchMonthCommand.class,
            BenchPlanCommand.class,
            BenchHealCommand.class,
            BenchNameNodeCommand.class,
            BenchReadCacheCommand.class,
            BenchCrashCommand.class,
            BenchReadersCommand.class,
            BenchClusterCommand.class,
            BenchValueCommand.class,
            BenchSloCommand.class,
            TsdbCommand.class
        },
        synopsisSubcommandLabel = "<benchmark>",
        commandListHeading = "%nBenchmarks:%n",
        usageHelpAutoWidth = true,
        exitCodeListHeading = "%nExit codes:%n",
        exitCodeList = {
            "0:every threshold holds",
            "1:a threshold does not hold; the output says which",
            "2:a wrong argument",
            "8:the machine is too busy for the figures to say anything"
        },
        footerHeading = "%nExamples:%n",
        footer = "  bin/hearth bench plan --quick")
public final class BenchCommand implements Callable<Integer> {

    @Spec
    private CommandSpec spec;

    /** Runs a benchmark and ends the JVM with its exit code. */
    public static void main(String[] args) {
        System.exit(commandLine().execute(args));
    }

    /** The benchmarks as a command line, with exit codes instead of the end of this JVM. */
    public static CommandLine commandLine() {
        return Commands.onCluster(new BenchCommand());
    }

    /** No benchmark was named. */
    @Override
    public Integer call() {
        spec.commandLine().usage(spec.commandLine().getErr());
        return ExitCode.USAGE.code();
    }
}
