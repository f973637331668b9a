// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.cli;

import io.hearth.cli.client.PlanClient.NoPlanException;
import io.hearth.healer.hbase.HealerUser.HealerLoginException;
import java.io.IOException;
import java.io.PrintWriter;
import java.net.UnknownHostException;
import java.util.Objects;
import java.util.stream.Stream;
import org.apache.hadoop.hbase.security.AccessDeniedException;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/**
 * The commands that work on a real cluster, behind {@code bin/hearth}, or with both jars and {@code hbase --internal-classpath classpath} on the class
 * path. Whatever goes wrong is one line.
 */
@Command(
        name = "bin/hearth",
        description = "Hearth on a cluster.",
        subcommands = {
            StatusCommand.class,
            TopCommand.class,
            BalancerCommand.class,
            HealerCommand.class,
            DoctorCommand.class,
            CapacityCommand.class,
            SloCommand.class,
            FleetCommand.class,
            InstallCommand.class,
            TableCommand.class,
            SnapshotCommand.class,
            UiCommand.class,
            CompletionCommand.class
        })
public final class Main implements Runnable {

    @Spec
    private CommandSpec spec;

    private Main() {}

    /** Runs the command and ends the JVM with its exit code. */
    public static void main(String[] args) {
        System.exit(commandLine().execute(args));
    }

    /** Runs the command in this JVM with these in the place of the standard streams, and says its exit code. */
    public static int run(PrintWriter out, PrintWriter err, String... args) {
        return commandLine().setOut(out).setErr(err).execute(args);
    }

    static CommandLine commandLine() {
        return new CommandLine(new Main())
                .setParameterExceptionHandler((exception, args) -> {
                    CommandLine command = exception.getCommandLine();
                    command.getErr().println(prefix(command) + oneLine(exception.getMessage()) + help(command));
                    return ExitCode.USAGE.code();
                })
                .setExecutionExceptionHandler((exception, command, parsed) -> {
                    command.getErr().println(prefix(command) + problem(exception));
                    return code(exception).code();
                });
    }

    /** No command was named. */
    @Override
    public void run() {
        throw new ParameterException(
                spec.commandLine(),
                "say what to do: " + String.join(", ", spec.subcommands().keySet()));
    }

    private static String prefix(CommandLine command) {
        return command.getCommandSpec().qualifiedName().replaceFirst("^bin/", "") + ": ";
    }

    private static String help(CommandLine command) {
        return " (" + command.getCommandSpec().qualifiedName() + " --help shows the options)";
    }

    /** What went wrong, in one line. */
    static String problem(Exception exception) {
        if (exception instanceof ParameterException) {
            return oneLine(exception.getMessage());
        }
        String what = oneLine(exception instanceof IOException ? exception.getMessage() : exception.toString());
        if (exception instanceof AccessDeniedException) {
            return "HBase's ADMIN permission is needed: " + what;
        }
        return exception instanceof HealerLoginException || exception instanceof NoPlanException
                ? what
                : "the cluster can't be asked: "
                        + (isBareHost(exception, what) ? "no address is known for the host " : "") + what;
    }

    /** The JDK's exception for an unknown host has its name for a message, and nothing else. */
    private static boolean isBareHost(Throwable exception, String what) {
        return Stream.iterate(exception, Objects::nonNull, Throwable::getCause)
                        .anyMatch(cause -> cause instanceof UnknownHostException)
                && !what.contains(" ");
    }

    static ExitCode code(Exception exception) {
        if (exception instanceof ParameterException) {
            return ExitCode.USAGE;
        }
        if (exception instanceof NoPlanException) {
            return ExitCode.INCOMPLETE;
        }
        return exception instanceof HealerLoginException || exception instanceof AccessDeniedException
                ? ExitCode.NOT_PERMITTED
                : ExitCode.UNREACHABLE;
    }

    /** The first line, without the names of exceptions before it. */
    static String oneLine(@org.jspecify.annotations.Nullable String text) {
        String first = String.valueOf(text).lines().findFirst().orElse("").strip();
        return first.replaceFirst("^(?:(?:[a-z]\\w*\\.)+[A-Z]\\w*(?:Exception|Error): )+", "");
    }
}
