package io.hearth.cli;

import io.hearth.operate.rpc.Ask;
import java.io.IOException;
import java.util.concurrent.Callable;
import org.apache.hbase.thirdparty.com.google.gson.JsonObject;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/** {@code bin/hearth pause}, as the page's action of that name. */
@Command(
        name = "pause",
        description = {
            "Starts no more moves of blocks, in the master, until bin/hearth resume.",
            "The next master knows nothing of it.",
            ""
        },
        sortOptions = false,
        usageHelpAutoWidth = true,
        exitCodeListHeading = "%nExit codes:%n",
        exitCodeList = {
            "0:no further move starts",
            "2:a wrong argument, or there is no healer in the master",
            "4:HBase can't be asked",
            "5:a login or HBase's ADMIN permission is missing",
            "6:Hearth's endpoint is not in the master"
        },
        footerHeading = "%nExamples:%n",
        footer = "  bin/hearth pause")
final class PauseCommand implements Callable<Integer> {

    @Spec
    @SuppressWarnings("NullAway.Init") // picocli sets it
    private CommandSpec spec;

    @Mixin
    @SuppressWarnings("NullAway.Init") // picocli sets it
    private MasterCall master;

    PauseCommand() {}

    @Override
    public Integer call() throws IOException {
        return master.ask(Ask.PAUSE_HEALING, new JsonObject(), spec);
    }
}
