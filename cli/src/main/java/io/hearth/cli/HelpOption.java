// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.cli;

import picocli.CommandLine.Option;

/** {@code --help}, which every command has. */
class HelpOption {

    @Option(
            names = {"-h", "--help"},
            usageHelp = true,
            description = "print this")
    @SuppressWarnings("UnusedVariable") // picocli sets and reads it
    private boolean help;
}
