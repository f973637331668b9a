package io.hearth.cli;

import io.hearth.operate.rpc.Ask;
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
final class PauseCommand extends MasterAction {

    PauseCommand() {
        super(Ask.PAUSE_HEALING);
    }
}
