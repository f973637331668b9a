// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.testkit.command;

import io.hearth.cli.ExitCode;
import java.io.IOException;
import picocli.CommandLine;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;

/** What all commands of {@code bin/hearth} on this machine have in common: a wrong argument is one line. Thread-safe. */
public final class Commands {

    private Commands() {}

    /** This command, whose name begins with {@code bin/hearth}: it and its subcommands have {@code --help}, and a wrong argument is one line. */
    public static CommandLine of(Object command) {
        return new CommandLine(command)
                .addMixin("help", new HelpOption())
                .setParameterExceptionHandler((exception, args) -> {
                    CommandLine line = exception.getCommandLine();
                    String message = String.valueOf(exception.getMessage())
                            .replaceAll("\\s*\\R\\s*", " ")
                            // As picocli 4.7 begins what it says of a KEY=VALUE without a value.
                            .replace("for option option", "for option");
                    line.getErr()
                            .println(prefix(line) + message + " ("
                                    + line.getCommandSpec().qualifiedName() + " --help shows the options)");
                    return ExitCode.USAGE.code();
                });
    }

    /** A command that works on a cluster: what goes wrong besides is one line too, and {@link ExitCode#INCOMPLETE}. */
    public static CommandLine onCluster(Object command) {
        return of(command)
                .setCaseInsensitiveEnumValuesAllowed(true)
                .setExecutionExceptionHandler((failure, line, parsed) -> {
                    line.getErr()
                            .println(prefix(line)
                                    + (failure instanceof IOException && failure.getMessage() != null
                                            ? firstLine(failure.getMessage())
                                            : firstLine(failure)));
                    return ExitCode.INCOMPLETE.code();
                });
    }

    private static String prefix(CommandLine line) {
        return line.getCommandSpec().qualifiedName().replaceFirst("^bin/", "") + ": ";
    }

    /** What failed and why, in one line: what HBase throws has the server's whole stack in its message. */
    public static String firstLine(Throwable failure) {
        return firstLine(failure.toString());
    }

    private static String firstLine(String text) {
        return text.lines().findFirst().orElse("");
    }

    /** Ends this JVM with that exit code. What HBase's and HDFS's clients leave running is not waited for. */
    public static void end(int code) {
        System.out.flush();
        Runtime.getRuntime().halt(code);
    }

    /** To be thrown: a wrong argument, and what is allowed. */
    public static ParameterException problem(CommandSpec spec, String message) {
        return new ParameterException(spec.commandLine(), message);
    }

    /** The option {@code --help} of a command and its subcommands. */
    private static final class HelpOption {

        @Option(
                names = {"-h", "--help"},
                usageHelp = true,
                scope = CommandLine.ScopeType.INHERIT,
                description = "print this")
        @SuppressWarnings("UnusedVariable") // picocli sets and reads it
        private boolean help;
    }
}
