package io.hearth.cli;

import io.hearth.admin.rpc.AdminCall;
import picocli.CommandLine.Command;

/** {@code bin/hearth advise}, as the page's action of that name. */
@Command(
        name = "advise",
        description = {
            "Makes plans of the balancer in the master advice only, from its next run on,",
            "until bin/hearth act or the next master: they are made and shown beside those of the",
            "stock balancer, which plans and acts as without Hearth. hearth.balancer.mode =",
            "advise does it for all masters.",
            ""
        },
        footer = "  bin/hearth advise")
final class AdviseCommand extends AdminActionCommand {

    AdviseCommand() {
        super(AdminCall.ADVISE);
    }
}
