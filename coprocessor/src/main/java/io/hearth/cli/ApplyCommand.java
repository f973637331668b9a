package io.hearth.cli;

import io.hearth.operate.client.ClusterEye;
import io.hearth.operate.client.PlanCarrier;
import io.hearth.operate.client.PlanFiles;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import org.apache.hbase.thirdparty.com.google.gson.JsonObject;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code bin/hearth apply}: carries out a plan that {@code bin/hearth plan --out} has written. */
@Command(
        name = "apply",
        description = {
            "Carries out a plan that bin/hearth plan --out has written, by HBase's own",
            "move. It is refused once it is 15 minutes old, was changed by hand, is of",
            "another cluster, or one of its servers serves other regions than it did.",
            ""
        },
        sortOptions = false,
        usageHelpAutoWidth = true,
        exitCodeListHeading = "%nExit codes:%n",
        exitCodeList = {
            "0:every move is made",
            "1:a move failed; the lines say which and why",
            "2:a wrong argument, or a file that is no plan",
            "4:HBase can't be asked",
            "5:a login or HBase's ADMIN permission is missing",
            "7:the plan is of the past, and nothing was moved"
        },
        footerHeading = "%nExamples:%n",
        footer = {"  bin/hearth plan --out plan.json", "  bin/hearth apply plan.json"})
final class ApplyCommand implements Callable<Integer> {

    @Spec
    @SuppressWarnings("NullAway.Init") // picocli sets it
    private CommandSpec spec;

    @Parameters(paramLabel = "FILE", description = "the plan")
    @SuppressWarnings("NullAway.Init") // picocli sets it
    private Path file;

    @Option(names = "--json", description = "a line of JSON for each move, and one for the end")
    private boolean json;

    @Mixin
    @SuppressWarnings("NullAway.Init") // picocli sets it
    private ClusterOptions cluster;

    ApplyCommand() {}

    @Override
    public Integer call() throws IOException {
        PlanFiles.Written written = read();
        try (ClusterEye eye = ClusterEye.open(cluster.site())) {
            PlanCarrier carrier = new PlanCarrier(eye);
            Optional<String> refusal = carrier.refusal(written);
            if (refusal.isPresent()) {
                end(ExitCode.OUT_OF_DATE, file + " is not carried out: " + refusal.get());
                return ExitCode.OUT_OF_DATE.code();
            }
            List<PlanCarrier.Moved> ended = new ArrayList<>();
            carrier.carryOut(written.plan(), moved -> {
                ended.add(moved);
                tell(moved, ended.size(), written.plan().moves().size());
            });
            long failed =
                    ended.stream().filter(moved -> moved.failure().isPresent()).count();
            ExitCode code = failed == 0 ? ExitCode.DONE : ExitCode.INCOMPLETE;
            end(code, ended.size() - failed + " of " + ended.size() + " moves are made");
            return code.code();
        }
    }

    private PlanFiles.Written read() throws IOException {
        if (!Files.isReadable(file) || Files.isDirectory(file)) {
            throw cluster.problem(file + " is no file that can be read");
        }
        try {
            return PlanFiles.read(file);
        } catch (IllegalArgumentException noPlan) {
            throw cluster.problem(file + ": " + noPlan.getMessage());
        }
    }

    private void tell(PlanCarrier.Moved moved, int number, int of) {
        PrintWriter out = spec.commandLine().getOut();
        String move = moved.move().region() + " of " + moved.move().table() + "  "
                + moved.move().from() + " -> " + moved.move().to();
        if (json) {
            JsonObject line = new JsonObject();
            line.addProperty("event", "move");
            line.addProperty("region", moved.move().region());
            line.addProperty("to", moved.move().to());
            line.addProperty("made", moved.failure().isEmpty());
            moved.failure().ifPresent(why -> line.addProperty("why", why));
            out.println(line);
        } else {
            out.println(number + "/" + of + "  " + move
                    + moved.failure().map(why -> "  FAILED: " + why).orElse(""));
        }
        out.flush();
    }

    private void end(ExitCode code, String message) {
        if (json) {
            JsonObject line = new JsonObject();
            line.addProperty("event", "end");
            line.addProperty("exitCode", code.code());
            line.addProperty("message", message);
            spec.commandLine().getOut().println(line);
        } else if (code == ExitCode.DONE) {
            spec.commandLine().getOut().println("Done: " + message);
        } else {
            spec.commandLine().getErr().println("hearth apply: " + message);
        }
        spec.commandLine().getOut().flush();
    }
}
