package io.hearth.bench;

import java.util.concurrent.Callable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/**
 * {@code bin/hearth bench}: the benchmarks, each a subcommand that prints its figures beside the bars.
 *
 * <p>Exit codes are the same for all of them: 0 where every bar holds, 1 where one does not, 2 for a wrong argument.
 */
@Command(
        name = "bin/hearth bench",
        description = "Measures what Hearth costs on this machine and prints it beside the bars.",
        subcommands = {BenchHeatCommand.class, BenchPlanCommand.class, BenchHealCommand.class, BenchReadersCommand.class
        },
        synopsisSubcommandLabel = "<benchmark>",
        commandListHeading = "%nBenchmarks:%n",
        usageHelpAutoWidth = true,
        exitCodeListHeading = "%nExit codes:%n",
        exitCodeList = {"0:every bar holds", "1:a bar does not hold; the output says which", "2:a wrong argument"})
public final class BenchCommand implements Callable<Integer> {

    static final int HOLDS = 0;
    static final int MISSED = 1;
    static final int WRONG_ARGUMENT = 2;

    @Spec
    private CommandSpec spec;

    @Option(
            names = {"-h", "--help"},
            usageHelp = true,
            scope = CommandLine.ScopeType.INHERIT,
            description = "print this")
    @SuppressWarnings("UnusedVariable") // picocli sets and reads it
    private boolean help;

    /** Runs a benchmark and ends the JVM with its exit code. */
    public static void main(String[] args) {
        System.exit(commandLine().execute(args));
    }

    static CommandLine commandLine() {
        return new CommandLine(new BenchCommand()).setParameterExceptionHandler((exception, args) -> {
            exception.getCommandLine().getErr().println("hearth bench: " + oneLine(exception.getMessage()));
            return WRONG_ARGUMENT;
        });
    }

    /** No benchmark was named. */
    @Override
    public Integer call() {
        spec.commandLine().usage(spec.commandLine().getErr());
        return WRONG_ARGUMENT;
    }

    private static String oneLine(String message) {
        return message.replaceAll("\\s*\\R\\s*", " ") + " (bin/hearth bench --help shows the benchmarks)";
    }
}
