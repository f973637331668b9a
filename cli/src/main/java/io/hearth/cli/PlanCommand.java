// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.cli;

import io.hearth.balancer.hbase.DecisionJson;
import io.hearth.balancer.plan.RegionReason;
import io.hearth.cli.client.ClusterClient;
import io.hearth.cli.client.PlanClient;
import io.hearth.cli.client.PlanFiles;
import io.hearth.cli.view.RegionReasonTable;
import io.hearth.cli.view.Table;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.stream.Stream;
import org.apache.hbase.thirdparty.com.google.gson.JsonObject;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** {@code bin/hearth balancer plan}: what Hearth would move on a live cluster; moves nothing. */
@Command(
        name = "plan",
        description = {
            "Says what would be moved, and moves nothing.",
            "Where Hearth plans in the master it is a dry run of HBase's balancer; elsewhere the",
            "cluster is observed and the plan is made here. With --snapshot FILE it plans on a",
            "snapshot file instead, the stock balancer beside it, which needs the source of Hearth:",
            "bin/hearth balancer plan --snapshot FILE --help shows those options.",
            ""
        },
        sortOptions = false,
        usageHelpAutoWidth = true,
        exitCodeListHeading = "%nExit codes:%n",
        exitCodeList = {
            "0:there is a plan, be it to move nothing",
            "1:there can be no plan now; the line says why",
            "2:a wrong argument",
            "4:HBase can't be asked",
            "5:a login or HBase's ADMIN permission is missing"
        },
        footerHeading = "%nExamples:%n",
        footer = {
            "  bin/hearth balancer plan",
            "  bin/hearth balancer plan --explain",
            "  bin/hearth balancer plan --why 1588230740",
            "  bin/hearth balancer plan --out plan.json",
            "  bin/hearth balancer apply plan.json"
        })
final class PlanCommand implements Callable<Integer> {

    private static final int SECONDS = 30;

    @Spec
    private CommandSpec spec;

    @Option(names = "--explain", description = "say why of every move, and of every hot region that stays")
    private boolean explain;

    @Option(
            names = "--why",
            paramLabel = "REGION",
            description = "say why this region is moved or is not, by its name or its encoded name; may be repeated")
    private List<String> why = List.of();

    @Option(
            names = "--out",
            paramLabel = "FILE",
            description = "write the plan to a file for bin/hearth balancer apply")
    private @Nullable Path out;

    @Option(names = "--no-blocks", description = "do not ask the NameNode where the blocks are, when planning here")
    private boolean noBlocks;

    @Mixin
    private ObserveOptions options;

    @Mixin
    private OutputOptions output;

    PlanCommand() {}

    @Override
    public Integer call() throws IOException {
        int seconds = options.seconds(SECONDS);
        if (out != null) {
            options.cluster().checkWritable("--out", out);
        }
        if (out != null && !why.isEmpty()) {
            throw options.cluster().problem("--why says why and makes no file; leave out --out");
        }
        try (ClusterClient client = ClusterClient.open(options.cluster().site())) {
            PlanClient planClient = new PlanClient(client);
            if (!why.isEmpty()) {
                return printReasons(planClient, seconds);
            }
            PlanClient.PlanResult made = planClient.build(seconds, !noBlocks);
            JsonObject json = PlanFiles.json(planClient.toSavedPlan(made), made);
            if (out != null) {
                PlanFiles.write(out, json);
            }
            PrintWriter printer = spec.commandLine().getOut();
            switch (output.ofRows()) {
                case JSON -> printer.println(json);
                case CSV -> table(made).csv().forEach(printer::println);
                case TABLE -> print(printer, made, json);
            }
            printer.flush();
            return ExitCode.DONE.code();
        }
    }

    private int printReasons(PlanClient planClient, int seconds) throws IOException {
        List<RegionReason> reasons;
        try {
            reasons = planClient.reasons(why, seconds, !noBlocks);
        } catch (PlanClient.UnknownRegionException wrong) {
            throw options.cluster().problem("--why: " + wrong.getMessage());
        }
        PrintWriter printer = spec.commandLine().getOut();
        switch (output.ofRows()) {
            case JSON -> printer.println(DecisionJson.reasons(reasons));
            case CSV -> RegionReasonTable.of(reasons).csv().forEach(printer::println);
            case TABLE -> reasons.forEach(one -> printer.println(one.text() + "."));
        }
        printer.flush();
        return ExitCode.DONE.code();
    }

    private static Table table(PlanClient.PlanResult made) {
        return new Table(
                List.of(
                        Table.Column.ofText("region", "REGION"),
                        Table.Column.ofText("table", "TABLE"),
                        Table.Column.ofText("from", "FROM"),
                        Table.Column.ofText("to", "TO")),
                made.moves().stream()
                        .map(move -> Stream.of(move.region(), move.table(), move.from(), move.to())
                                .map(Table.Cell::of)
                                .toList())
                        .toList());
    }

    private void print(PrintWriter printer, PlanClient.PlanResult made, JsonObject json) {
        List<String> words = PlanClient.explain(made);
        boolean isEmpty = made.moves().isEmpty();
        if (made.decisions().isEmpty()) {
            printer.println("Nothing is to be moved for heat.");
        } else if (explain) {
            words.forEach(printer::println);
        } else {
            made.decisions()
                    .forEach(one ->
                            printer.println(one.getAsJsonObject().get("summary").getAsString()));
            if (!isEmpty) {
                table(made).lines("  ").forEach(printer::println);
            }
        }
        made.notPlanned().ifPresent(why -> printer.println(why + "."));
        printer.println("Planned " + (made.byMaster() ? "by Hearth in the master" : "here, from outside")
                + "; nothing was moved."
                + (isEmpty || explain ? "" : " --explain says why of each."));
        if (out != null && !isEmpty) {
            printer.println(out + " can be carried out by bin/hearth balancer apply until "
                    + Instant.ofEpochMilli(json.get("expiresAtMs").getAsLong()).truncatedTo(ChronoUnit.SECONDS)
                    + ", while its servers serve what they do now.");
        }
    }
}
