package io.hearth.cli;

import io.hearth.admin.rpc.AdminCall;
import picocli.CommandLine.Command;

/** {@code bin/hearth pause}, as the page's action of that name. */
@Command(
        name = "pause",
        description = {
            "Starts no more moves of blocks, in the master and in the next one, until",
            "bin/hearth resume.",
            ""
        },
        footer = "  bin/hearth pause")
final class PauseCommand extends AdminActionCommand {

    PauseCommand() {
        super(AdminCall.PAUSE_HEALING);
    }
}
