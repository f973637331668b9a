// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.cli;

import java.util.concurrent.Callable;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** A command that does nothing by itself: it has to be said which of its subcommands is meant. */
abstract class CommandGroup implements Callable<Integer> {

    @Spec
    private CommandSpec spec;

    @Mixin
    @SuppressWarnings("UnusedVariable") // picocli reads it
    private HelpOption help;

    /** No subcommand was named. */
    @Override
    public final Integer call() {
        throw new ParameterException(
                spec.commandLine(),
                "say what to do: " + String.join(", ", spec.subcommands().keySet()));
    }

    /** {@code --help}, which every command has. */
    static class HelpOption {

        @Option(
                names = {"-h", "--help"},
                usageHelp = true,
                description = "print this")
        @SuppressWarnings("UnusedVariable") // picocli sets and reads it
        private boolean help;
    }
}
