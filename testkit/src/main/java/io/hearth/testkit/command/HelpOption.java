// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.testkit.command;

import picocli.CommandLine;
import picocli.CommandLine.Option;

/** The option {@code --help} of a command and its subcommands. */
final class HelpOption {

    @Option(
            names = {"-h", "--help"},
            usageHelp = true,
            scope = CommandLine.ScopeType.INHERIT,
            description = "print this")
    @SuppressWarnings("UnusedVariable") // picocli sets and reads it
    private boolean help;
}
