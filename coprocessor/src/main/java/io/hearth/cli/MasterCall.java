package io.hearth.cli;

import io.hearth.operate.client.ClusterEye;
import io.hearth.operate.rpc.Ask;
import io.hearth.web.hbase.Answer;
import java.io.IOException;
import java.util.Optional;
import org.apache.hbase.thirdparty.com.google.gson.JsonObject;
import org.apache.hbase.thirdparty.com.google.gson.JsonParser;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;

/** Has Hearth in the master do something, and says what came of it: what all commands of that kind have in common. */
final class MasterCall {

    private static final String NOT_INSTALLED = "Hearth's endpoint is not in the master: add"
            + " io.hearth.operate.rpc.OperatorEndpoint to hbase.coprocessor.master.classes (docs/install.md)";

    @Option(names = "--json", description = "print the answer as JSON")
    private boolean json;

    @Mixin
    @SuppressWarnings("NullAway.Init") // picocli sets it
    private ClusterOptions cluster;

    MasterCall() {}

    /** Asks for this, and says what is answered. */
    int ask(Ask ask, JsonObject wish, CommandSpec spec) throws IOException {
        try (ClusterEye eye = ClusterEye.open(cluster.site())) {
            return ask(eye, ask, wish, spec).code();
        }
    }

    private ExitCode ask(ClusterEye eye, Ask ask, JsonObject wish, CommandSpec spec) throws IOException {
        Optional<Answer> answer = eye.ask(ask, wish);
        if (answer.isEmpty()) {
            return notInstalled(spec);
        }
        JsonObject said = JsonParser.parseString(answer.get().body()).getAsJsonObject();
        if (answer.get().status() == Answer.OK) {
            spec.commandLine()
                    .getOut()
                    .println(json ? said.toString() : said.get("done").getAsString());
            spec.commandLine().getOut().flush();
            return ExitCode.DONE;
        }
        return problem(said.get("problem").getAsString(), ExitCode.WRONG_ARGUMENT, spec);
    }

    /** How things stand by the master's word; empty where Hearth is not in it. */
    Optional<JsonObject> look() throws IOException {
        try (ClusterEye eye = ClusterEye.open(cluster.site())) {
            return eye.lookInMaster();
        }
    }

    boolean json() {
        return json;
    }

    ExitCode notInstalled(CommandSpec spec) {
        return problem(NOT_INSTALLED, ExitCode.NOT_INSTALLED, spec);
    }

    private static ExitCode problem(String what, ExitCode code, CommandSpec spec) {
        spec.commandLine().getErr().println(spec.qualifiedName().replaceFirst("^bin/", "") + ": " + what);
        return code;
    }
}
