package io.hearth.cli;

import io.hearth.operate.rpc.Ask;
import picocli.CommandLine.Command;

/** {@code bin/hearth resume}, as the page's action of that name. */
@Command(
        name = "resume",
        description = {"Lets healing in the master go on after a pause or an alarm.", ""},
        footer = "  bin/hearth resume")
final class ResumeCommand extends MasterAction {

    ResumeCommand() {
        super(Ask.RESUME_HEALING);
    }
}
