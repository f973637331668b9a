// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.cli;

import picocli.CommandLine.Command;

/** {@code bin/hearth slo}: the commands that say what share of requests a cluster serves, and how fast. */
@Command(
        name = "slo",
        description = {"Says what share of requests the cluster serves, and how fast.", ""},
        subcommands = {SloRunCommand.class, SloReportCommand.class, SloServersCommand.class, SloRulesCommand.class},
        usageHelpAutoWidth = true,
        footerHeading = "%nExamples:%n",
        footer = {
            "  bin/hearth slo run",
            "  bin/hearth slo report --month 2026-10",
            "  bin/hearth slo servers --hours 24"
        })
final class SloCommand extends CommandGroup {

    SloCommand() {}
}
