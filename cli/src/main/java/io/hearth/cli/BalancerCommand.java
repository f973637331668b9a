// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.cli;

import picocli.CommandLine.Command;

/** {@code bin/hearth balancer}: the commands about where regions are served. */
@Command(
        name = "balancer",
        description = {"Spreads the load of regions evenly over the RegionServers.", ""},
        subcommands = {
            BalancerCommand.Status.class,
            PlanCommand.class,
            ApplyCommand.class,
            BalancerModeCommand.class,
            PinsCommand.class
        },
        usageHelpAutoWidth = true,
        footerHeading = "%nExamples:%n",
        footer = {"  bin/hearth balancer status", "  bin/hearth balancer plan --explain"})
final class BalancerCommand extends CommandGroup {

    BalancerCommand() {}

    /** {@code status}: the part of {@code bin/hearth status} that is about load. */
    @Command(
            name = "status",
            description = {
                "Shows how even load is over the servers, the balancer's mode and the last plan.",
                "Asks Hearth in the master, or observes the cluster for a few seconds.",
                ""
            },
            footer = {"  bin/hearth balancer status", "  bin/hearth balancer status --output csv"})
    static final class Status extends StatusCommand {

        Status() {
            super(View.BALANCER);
        }
    }
}
