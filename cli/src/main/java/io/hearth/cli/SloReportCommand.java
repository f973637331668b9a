// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.cli;

import io.hearth.cli.CommandGroup.HelpOption;
import io.hearth.slo.objective.Objective;
import io.hearth.slo.report.MonthReport;
import io.hearth.slo.report.MonthReportBuilder;
import io.hearth.slo.report.MonthReportPage;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.time.DateTimeException;
import java.time.YearMonth;
import java.time.ZoneOffset;
import java.util.List;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** {@code bin/hearth slo report}: what {@code slo run} found in a month, as a page or as JSON. It asks no cluster. */
@Command(
        name = "report",
        description = {
            "Writes what slo run found in a month.",
            "That is availability by day, a heat map of servers and time, latency beside what Hearth and",
            "others did each day, and the worst ten minutes with what happened then.",
            "It reads the folder of slo run and asks no cluster.",
            ""
        },
        sortOptions = false,
        usageHelpAutoWidth = true,
        exitCodeListHeading = "%nExit codes:%n",
        exitCodeList = {"0:the report is written", "2:a wrong argument, or nothing is stored", "1:it can't be written"},
        footerHeading = "%nExamples:%n",
        footer = {"  bin/hearth slo report --month 2026-10", "  bin/hearth slo report --output json"})
final class SloReportCommand implements Callable<Integer> {

    private static final int MOST_SERVERS = 100;
    private static final int MOST_REPLICAS = 512;

    @Spec
    private CommandSpec spec;

    @Mixin
    @SuppressWarnings("UnusedVariable") // picocli reads it
    private HelpOption help;

    @Mixin
    private SloReadOptions stored;

    @Option(names = "--month", paramLabel = "YYYY-MM", description = "by UTC (default: this month)")
    private @Nullable String month;

    @Option(
            names = "--html",
            paramLabel = "FILE",
            description = "where the page is written (default: slo-YYYY-MM.html)")
    private @Nullable Path html;

    @Option(
            names = "--replication",
            paramLabel = "N",
            description = "how many replicas HBase's files have, 1 to 512: the r of XiaoMi's SLA (default: 3)")
    private int replication = 3;

    @Mixin
    private OutputOptions output;

    SloReportCommand() {}

    @Override
    public Integer call() {
        YearMonth asked = month();
        if (replication < 1 || replication > MOST_REPLICAS) {
            throw stored.problem("--replication is " + replication + "; allowed are 1 to " + MOST_REPLICAS);
        }
        boolean isJson = output.isJson();
        List<Objective> objectives = stored.objectives();
        try {
            MonthReport report =
                    MonthReportBuilder.report(stored.reader(), asked, objectives, replication, MOST_SERVERS);
            if (report.availability().stream().allMatch(row -> row.month().due() == 0)) {
                throw stored.problem("nothing is stored of " + asked + " in " + stored.folder());
            }
            return write(report, isJson);
        } catch (IOException failure) {
            spec.commandLine().getErr().println("hearth slo report: " + Main.localProblem(failure));
            return ExitCode.INCOMPLETE.code();
        }
    }

    private int write(MonthReport report, boolean isJson) throws IOException {
        PrintWriter out = spec.commandLine().getOut();
        if (isJson) {
            out.println(SloReportJson.of(report));
        } else {
            Path file = html == null ? Path.of("slo-" + report.month() + ".html") : html;
            PageFile.write(file, MonthReportPage.html(report));
            out.println("Written to " + file + ".");
        }
        out.flush();
        return ExitCode.DONE.code();
    }

    private YearMonth month() {
        if (month == null) {
            return YearMonth.now(ZoneOffset.UTC);
        }
        try {
            return YearMonth.parse(month);
        } catch (DateTimeException wrong) {
            throw new ParameterException(
                    spec.commandLine(), "--month is " + month + "; it must be a year and a month, like 2026-10", wrong);
        }
    }
}
