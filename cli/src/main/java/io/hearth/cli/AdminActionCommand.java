package io.hearth.cli;

import io.hearth.admin.rpc.AdminCall;
import java.io.IOException;
import java.util.concurrent.Callable;
import org.apache.hbase.thirdparty.com.google.gson.JsonObject;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/** A command that has Hearth in the master do one thing, as the page's action of that name, and says what came of it. */
@Command(
        sortOptions = false,
        usageHelpAutoWidth = true,
        exitCodeListHeading = "%nExit codes:%n",
        exitCodeList = {
            "0:it is done, or the line says what else holds",
            "2:a wrong argument, or the master has no healer, or another balancer",
            "4:HBase can't be asked",
            "5:a login or HBase's ADMIN permission is missing",
            "6:Hearth's endpoint is not in the master"
        },
        footerHeading = "%nExamples:%n")
abstract class AdminActionCommand implements Callable<Integer> {

    private final AdminCall ask;

    @Spec
    @SuppressWarnings("NullAway.Init") // picocli sets it
    private CommandSpec spec;

    @Mixin
    @SuppressWarnings("NullAway.Init") // picocli sets it
    private AdminCallMixin master;

    AdminActionCommand(AdminCall ask) {
        this.ask = ask;
    }

    @Override
    public final Integer call() throws IOException {
        return master.ask(ask, new JsonObject(), spec);
    }
}
