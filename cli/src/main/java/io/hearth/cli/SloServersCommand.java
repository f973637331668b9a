// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.cli;

import io.hearth.cli.CommandGroup.HelpOption;
import io.hearth.slo.objective.Objective;
import io.hearth.slo.probe.ProbeKind;
import io.hearth.slo.report.ServerReport;
import io.hearth.slo.report.ServerReport.Row;
import io.hearth.slo.store.SloReader;
import java.io.IOException;
import java.io.PrintWriter;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** {@code bin/hearth slo servers}: how fast each server answered in the last hours. It asks no cluster. */
@Command(
        name = "servers",
        description = {
            "Says how fast each server answered in the last hours, the worst first.",
            "A row for each server and kind of probe: how many were due, and good",
            "(answered within the first of the objectives for it; without one, answered),",
            "within what time half of all and 99 of 100 were answered, and the slowest",
            "answer. It reads the folder of slo run and asks no cluster. Beyond 24 hours it",
            "begins at the start of an hour.",
            ""
        },
        sortOptions = false,
        usageHelpAutoWidth = true,
        exitCodeListHeading = "%nExit codes:%n",
        exitCodeList = {"0:the servers are told", "1:it can't be read", "2:a wrong argument, or nothing is stored"},
        footerHeading = "%nExamples:%n",
        footer = {
            "  bin/hearth slo servers --kind get",
            "  bin/hearth slo servers --hours 24 --server host7 --output json"
        })
final class SloServersCommand implements Callable<Integer> {

    private static final int HOURS_BY_MINUTE = 24;

    /** Of 35 days. */
    private static final int MOST_HOURS = 840;

    private static final int MOST_NAMES = 5;
    private static final long MINUTE_MS = Duration.ofMinutes(1).toMillis();
    private static final long HOUR_MS = Duration.ofHours(1).toMillis();

    @Spec
    private CommandSpec spec;

    @Mixin
    @SuppressWarnings("UnusedVariable") // picocli reads it
    private HelpOption help;

    @Mixin
    private SloReadOptions stored;

    @Option(names = "--hours", paramLabel = "N", description = "up to now, 1 to 840 (default: 1)")
    private int hours = 1;

    @Option(
            names = "--kind",
            paramLabel = "KIND",
            description = "of this kind of probe alone, such as get, put or hdfs-write (default: of all)")
    private @Nullable String kind;

    @Option(
            names = "--server",
            paramLabel = "HOST[:PORT]",
            description = "of this server alone; without a port, of all servers of the host (default: of all)")
    private @Nullable String server;

    @Mixin
    private OutputOptions output;

    SloServersCommand() {}

    @Override
    public Integer call() {
        if (hours < 1 || hours > MOST_HOURS) {
            throw stored.problem("--hours is " + hours + "; allowed are 1 to " + MOST_HOURS);
        }
        Optional<ProbeKind> asked = kind();
        List<Objective> objectives = stored.objectives();
        try {
            ServerReport all = all(stored.reader(), objectives, System.currentTimeMillis());
            List<Row> rows = all.rows().stream()
                    .filter(row -> asked.isEmpty() || row.kind() == asked.get())
                    .toList();
            print(new ServerReport(all.fromMs(), all.toMs(), ofServer(rows)));
            return ExitCode.DONE.code();
        } catch (IOException failure) {
            spec.commandLine().getErr().println("hearth slo servers: " + Main.localProblem(failure));
            return ExitCode.INCOMPLETE.code();
        }
    }

    /** By hours alone older latencies are stored. */
    private ServerReport all(SloReader reader, List<Objective> objectives, long nowMs) throws IOException {
        long stepMs = hours > HOURS_BY_MINUTE ? HOUR_MS : MINUTE_MS;
        long fromMs = (nowMs - hours * HOUR_MS) / stepMs * stepMs;
        return ServerReport.of(reader, objectives, fromMs, nowMs + 1);
    }

    private List<Row> ofServer(List<Row> rows) {
        if (rows.isEmpty()) {
            throw stored.problem((kind == null ? "nothing" : "no probe of the kind " + kind) + " is stored of the last "
                    + (hours == 1 ? "hour" : hours + " hours") + " in " + stored.folder());
        }
        return server == null ? rows : ofServer(server, rows);
    }

    private List<Row> ofServer(String name, List<Row> rows) {
        List<Row> own = rows.stream().filter(row -> row.isOf(name)).toList();
        if (own.isEmpty()) {
            List<String> known =
                    rows.stream().map(Row::server).distinct().sorted().toList();
            throw stored.problem("--server is " + name + ", of which nothing is stored in this time; there are "
                    + known.stream().limit(MOST_NAMES).collect(Collectors.joining(", "))
                    + (known.size() > MOST_NAMES ? " and " + (known.size() - MOST_NAMES) + " more" : ""));
        }
        return own;
    }

    private Optional<ProbeKind> kind() {
        if (kind == null) {
            return Optional.empty();
        }
        List<ProbeKind> kinds = Arrays.asList(ProbeKind.values());
        return Optional.of(kinds.stream()
                .filter(one -> one.toString().equals(kind))
                .findFirst()
                .orElseThrow(() -> stored.problem("--kind is " + kind + "; allowed are "
                        + kinds.stream().map(ProbeKind::toString).collect(Collectors.joining(", ")))));
    }

    private void print(ServerReport report) {
        PrintWriter out = spec.commandLine().getOut();
        switch (output.ofRows()) {
            case JSON -> out.println(SloServersText.json(report));
            case CSV -> SloServersText.table(report).csv().forEach(out::println);
            case TABLE -> SloServersText.lines(report).forEach(out::println);
        }
        out.flush();
    }
}
