// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.cli;

import io.hearth.admin.rpc.AdminCall;
import java.io.IOException;
import java.util.concurrent.Callable;
import org.apache.hbase.thirdparty.com.google.gson.JsonObject;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/** {@code bin/hearth healer}: the commands that make data local to its region's server. */
@Command(
        name = "healer",
        description = {"Makes data local to its region's server by moving replicas of blocks.", ""},
        subcommands = {
            HealerCommand.Status.class,
            HealerRunCommand.class,
            HealerDaemonCommand.class,
            HealerCommand.Pause.class,
            HealerCommand.Resume.class
        },
        usageHelpAutoWidth = true,
        footerHeading = "%nExamples:%n",
        footer = {"  bin/hearth healer status", "  bin/hearth healer run --dry-run"})
final class HealerCommand extends CommandGroup {

    HealerCommand() {}

    /** {@code status}: the part of {@code bin/hearth status} that is about healing. */
    @Command(
            name = "status",
            description = {
                "Says how much data is local, whether healing works, and what is left.",
                "Asks Hearth in the master, or observes the cluster for a few seconds.",
                ""
            },
            footer = {"  bin/hearth healer status", "  bin/hearth healer status --output json"})
    static final class Status extends StatusCommand {

        Status() {
            super(View.HEALER);
        }
    }

    /** {@code pause}, as the page's action of that name. */
    @Command(
            name = "pause",
            description = {
                "Starts no more moves of blocks, until bin/hearth healer resume.",
                "Neither in this master nor in the next one.",
                ""
            },
            footer = "  bin/hearth healer pause")
    static final class Pause extends SwitchCommand {

        Pause() {
            super(AdminCall.PAUSE_HEALING);
        }
    }

    /** {@code resume}, as the page's action of that name. */
    @Command(
            name = "resume",
            description = {
                "Lets healing in the master go on after a pause or an alarm.",
                "Puts back what a healer run that was killed has raised at DataNodes.",
                ""
            },
            footer = "  bin/hearth healer resume")
    static final class Resume extends SwitchCommand {

        Resume() {
            super(AdminCall.RESUME_HEALING);
        }
    }

    /** What pause and resume have in common. */
    @Command(
            sortOptions = false,
            usageHelpAutoWidth = true,
            exitCodeListHeading = "%nExit codes:%n",
            exitCodeList = {
                "0:it is done, or the line says what else holds",
                "2:a wrong argument, or the master has no healer",
                "4:HBase can't be asked",
                "5:a login or HBase's ADMIN permission is missing",
                "6:Hearth's endpoint is not in the master"
            },
            footerHeading = "%nExamples:%n")
    private abstract static class SwitchCommand implements Callable<Integer> {

        private final AdminCall call;

        @Spec
        private CommandSpec spec;

        @Mixin
        private AdminCallMixin master;

        SwitchCommand(AdminCall call) {
            this.call = call;
        }

        @Override
        public final Integer call() throws IOException {
            return master.ask(call, new JsonObject(), spec);
        }
    }
}
