package io.hearth.cli;

import io.hearth.admin.rpc.AdminCall;
import picocli.CommandLine.Command;

/** {@code bin/hearth resume}, as the page's action of that name. */
@Command(
        name = "resume",
        description = {"Lets healing in the master go on after a pause or an alarm.", ""},
        footer = "  bin/hearth resume")
final class ResumeCommand extends AdminActionCommand {

    ResumeCommand() {
        super(AdminCall.RESUME_HEALING);
    }
}
