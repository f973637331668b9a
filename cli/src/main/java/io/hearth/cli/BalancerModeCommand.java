// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.cli;

import io.hearth.admin.rpc.AdminCall;
import io.hearth.cli.client.ClusterSummaryReader;
import io.hearth.cli.view.ClusterSummary;
import io.hearth.cli.view.StatusText;
import java.io.IOException;
import java.util.Optional;
import java.util.concurrent.Callable;
import org.apache.hbase.thirdparty.com.google.gson.JsonObject;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code bin/hearth balancer mode}: says whether plans are carried out, and changes it as the page's actions do. */
@Command(
        name = "mode",
        description = {
            "Prints or changes the mode of the balancer in the master.",
            "With act, its plans are carried out again after advise, or after mispredicted runs; it",
            "can't overrule the key hearth.balancer.mode, and says so. With advise, its plans are",
            "advice only from the next run on, until act or the next master: the stock balancer plans",
            "and acts as without Hearth. hearth.balancer.mode does the same for all masters, and",
            "alone sets off.",
            ""
        },
        sortOptions = false,
        usageHelpAutoWidth = true,
        exitCodeListHeading = "%nExit codes:%n",
        exitCodeList = {
            "0:the mode is told; it is set, or the line says what else holds",
            "2:a wrong argument, or the master's balancer is another",
            "4:HBase can't be asked",
            "5:a login or HBase's ADMIN permission is missing",
            "6:Hearth's endpoint is not in the master"
        },
        footerHeading = "%nExamples:%n",
        footer = {"  bin/hearth balancer mode", "  bin/hearth balancer mode advise", "  bin/hearth balancer mode act"})
final class BalancerModeCommand implements Callable<Integer> {

    @Spec
    private CommandSpec spec;

    @Parameters(arity = "0..1", paramLabel = "MODE", description = "act or advise (default: only print the mode)")
    private @Nullable String mode;

    @Mixin
    private AdminCallMixin master;

    BalancerModeCommand() {}

    @Override
    public Integer call() throws IOException {
        if (mode == null) {
            return print();
        }
        return master.ask(
                switch (mode) {
                    case "act" -> AdminCall.ACT;
                    case "advise" -> AdminCall.ADVISE;
                    case "off" ->
                        throw problem("off is set by the key alone: hearth.balancer.mode = off in hbase-site.xml of the"
                                + " HMasters, then update_all_config");
                    default -> throw problem("MODE is " + mode + "; allowed are act and advise");
                },
                new JsonObject(),
                spec);
    }

    private int print() throws IOException {
        boolean isJson = master.output().isJson();
        Optional<JsonObject> page = master.statusFromMaster();
        if (page.isEmpty()) {
            return master.notInstalled(spec).code();
        }
        ClusterSummary.BalancerState balancer =
                ClusterSummaryReader.read(page.get()).balancer();
        String word = StatusText.balancerMode(balancer);
        if (isJson) {
            JsonObject json = new JsonObject();
            json.addProperty("mode", word);
            balancer.adviseOnly().ifPresent(why -> json.addProperty("why", why));
            spec.commandLine().getOut().println(json);
        } else {
            String why =
                    balancer.adviseOnly().map(reason -> ", because " + reason).orElse("");
            spec.commandLine().getOut().println(word + why);
        }
        spec.commandLine().getOut().flush();
        return ExitCode.DONE.code();
    }

    private ParameterException problem(String message) {
        return new ParameterException(spec.commandLine(), message);
    }
}
