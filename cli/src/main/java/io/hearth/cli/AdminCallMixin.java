// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.cli;

import io.hearth.admin.rpc.AdminCall;
import io.hearth.cli.client.ClusterClient;
import io.hearth.ui.hbase.ApiResponse;
import java.io.IOException;
import java.util.Optional;
import org.apache.hbase.thirdparty.com.google.gson.JsonObject;
import org.apache.hbase.thirdparty.com.google.gson.JsonParser;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;

/** Has Hearth in the master do something, and says what came of it: what all commands of that kind have in common. */
final class AdminCallMixin {

    private static final String NOT_INSTALLED = "Hearth's endpoint is not in the master: add"
            + " io.hearth.admin.rpc.HearthAdminEndpoint to hbase.coprocessor.master.classes (docs/install.md)";

    @Mixin
    private OutputOptions output;

    @Mixin
    private ClusterOptions cluster;

    AdminCallMixin() {}

    /** Asks for this, and says what is answered. */
    int ask(AdminCall ask, JsonObject parameters, CommandSpec spec) throws IOException {
        boolean isJson = output.isJson();
        try (ClusterClient client = ClusterClient.open(cluster.site())) {
            return ask(client, ask, parameters, isJson, spec).code();
        }
    }

    private ExitCode ask(ClusterClient client, AdminCall ask, JsonObject parameters, boolean isJson, CommandSpec spec)
            throws IOException {
        Optional<ApiResponse> answer = client.ask(ask, parameters);
        if (answer.isEmpty()) {
            return notInstalled(spec);
        }
        JsonObject said = JsonParser.parseString(answer.get().body()).getAsJsonObject();
        if (answer.get().status() == ApiResponse.OK) {
            spec.commandLine()
                    .getOut()
                    .println(isJson ? said.toString() : said.get("done").getAsString());
            spec.commandLine().getOut().flush();
            return ExitCode.DONE;
        }
        return problem(said.get("problem").getAsString(), ExitCode.USAGE, spec);
    }

    /** The status by the master; empty where Hearth is not in it. */
    Optional<JsonObject> statusFromMaster() throws IOException {
        try (ClusterClient client = ClusterClient.open(cluster.site())) {
            return client.statusFromMaster();
        }
    }

    OutputOptions output() {
        return output;
    }

    ExitCode notInstalled(CommandSpec spec) {
        return problem(NOT_INSTALLED, ExitCode.NOT_INSTALLED, spec);
    }

    private static ExitCode problem(String what, ExitCode code, CommandSpec spec) {
        spec.commandLine().getErr().println(spec.qualifiedName().replaceFirst("^bin/", "") + ": " + what);
        return code;
    }
}
