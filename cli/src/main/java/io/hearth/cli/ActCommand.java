package io.hearth.cli;

import io.hearth.admin.rpc.AdminCall;
import picocli.CommandLine.Command;

/** {@code bin/hearth act}, as the page's action of that name. */
@Command(
        name = "act",
        description = {
            "Has the balancer in the master carry its plans out again, after bin/hearth",
            "advise or after runs that came out otherwise than planned. It can't overrule",
            "hearth.balancer.mode = advise, and says so.",
            ""
        },
        footer = "  bin/hearth act")
final class ActCommand extends AdminActionCommand {

    ActCommand() {
        super(AdminCall.ACT);
    }
}
