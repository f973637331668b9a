// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.cli;

import io.hearth.admin.rpc.AdminCall;
import io.hearth.cli.client.ClusterSummaryReader;
import io.hearth.cli.view.ClusterSummary;
import io.hearth.cli.view.PinsText;
import java.io.IOException;
import java.io.PrintWriter;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import org.apache.hbase.thirdparty.com.google.gson.JsonObject;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code bin/hearth balancer pins}: the regions that are not to be moved now, and {@code pins remove} for one of a manual move. */
@Command(
        name = "pins",
        subcommands = PinsCommand.Remove.class,
        description = {
            "Lists the regions that Hearth does not move now.",
            "Each with who is the cause, why, and until when. The list is up to ten seconds old.",
            ""
        },
        sortOptions = false,
        usageHelpAutoWidth = true,
        exitCodeListHeading = "%nExit codes:%n",
        exitCodeList = {
            "0:the list is told; the pin is removed",
            "2:a wrong argument, or the region is not pinned by a manual move",
            "4:HBase can't be asked",
            "5:a login or HBase's ADMIN permission is missing",
            "6:Hearth's endpoint is not in the master"
        },
        footerHeading = "%nExamples:%n",
        footer = {"  bin/hearth balancer pins", "  bin/hearth balancer pins remove 1588230740"})
final class PinsCommand implements Callable<Integer> {

    @Spec
    private CommandSpec spec;

    @Mixin
    private AdminCallMixin master;

    PinsCommand() {}

    @Override
    public Integer call() throws IOException {
        Optional<JsonObject> page = master.statusFromMaster();
        if (page.isEmpty()) {
            return master.notInstalled(spec).code();
        }
        PrintWriter out = spec.commandLine().getOut();
        ClusterSummary cluster = ClusterSummaryReader.read(page.get());
        List<ClusterSummary.Pin> pins = cluster.pins();
        switch (master.output().ofRows()) {
            case JSON -> out.println(page.get().getAsJsonObject("plans").get("pins"));
            case CSV -> PinsText.table(pins).csv().forEach(out::println);
            case TABLE -> PinsText.of(pins).forEach(out::println);
        }
        out.flush();
        PinsText.leftOut(cluster.pinsLeftOut())
                .ifPresent(more -> spec.commandLine().getErr().println("hearth balancer pins: " + more));
        return ExitCode.DONE.code();
    }

    /** {@code bin/hearth balancer pins remove}. */
    @Command(
            name = "remove",
            description = {"Removes the pin of a region that somebody moved manually.", ""},
            sortOptions = false,
            usageHelpAutoWidth = true,
            exitCodeListHeading = "%nExit codes:%n",
            exitCodeList = {
                "0:the pin is removed",
                "2:a wrong argument, or the region is not pinned by a manual move",
                "4:HBase can't be asked",
                "5:a login or HBase's ADMIN permission is missing",
                "6:Hearth's endpoint is not in the master"
            },
            footerHeading = "%nExamples:%n",
            footer = "  bin/hearth balancer pins remove 1588230740")
    static final class Remove implements Callable<Integer> {

        @Spec
        private CommandSpec spec;

        @Parameters(paramLabel = "REGION", description = "the region's encoded name")
        private String region;

        @Mixin
        private AdminCallMixin master;

        Remove() {}

        @Override
        public Integer call() throws IOException {
            JsonObject parameters = new JsonObject();
            parameters.addProperty("region", region);
            return master.ask(AdminCall.REMOVE_PIN, parameters, spec);
        }
    }
}
