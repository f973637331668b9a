// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.cli;

import io.hearth.cli.CommandGroup.HelpOption;
import io.hearth.cli.client.FleetClient;
import io.hearth.cli.view.OutputFormat;
import io.hearth.cli.view.Table;
import io.hearth.fleet.model.ClustersFile;
import io.hearth.fleet.model.FleetRow;
import io.hearth.fleet.report.FleetPage;
import io.hearth.fleet.report.FleetTable;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** {@code bin/hearth fleet}: several clusters in one table and on one page. */
@Command(
        name = "fleet",
        description = {
            "Says of many clusters how local and how even each is, in a row for each.",
            "That is locality over servers, max/mean of load, the error budget left, and the",
            "worst finding of the doctor. All are asked at once; one that does not answer in",
            "time is a row that says so.",
            ""
        },
        sortOptions = false,
        usageHelpAutoWidth = true,
        exitCodeListHeading = "%nExit codes:%n",
        exitCodeList = {
            "0:every cluster has answered, good or bad",
            "1:a cluster did not answer, or the page can't be written",
            "2:a wrong argument, or no line of FILE can be used"
        },
        footerHeading = "%nExamples:%n",
        footer = {
            "  bin/hearth fleet --clusters clusters.txt --html fleet.html",
            "  bin/hearth fleet --clusters clusters.txt --examine --deadline 60 --output json"
        })
final class FleetCommand implements Callable<Integer> {

    private static final int MAX_SECONDS = 600;

    @Spec
    private CommandSpec spec;

    @Mixin
    @SuppressWarnings("UnusedVariable") // picocli reads it
    private HelpOption help;

    @Option(
            names = "--clusters",
            paramLabel = "FILE",
            required = true,
            description = {
                "a cluster a line: its name, the folder of its configuration, and if slo run",
                "watches it the URL of its metrics, or its folder and the file of its objectives"
            })
    private Path clusters;

    @Option(
            names = "--deadline",
            paramLabel = "N",
            description = "seconds within which a cluster has to answer, 1 to 600 (default: 8)")
    private int deadline = (int) FleetReader.DEFAULT_DEADLINE.toSeconds();

    @Option(
            names = "--examine",
            description = {
                "have a doctor here examine each cluster, and not only tell what the one in its",
                "master found last"
            })
    private boolean examine;

    @Option(names = "--html", paramLabel = "FILE", description = "write the page there too (default: nowhere)")
    private @Nullable Path html;

    @Mixin
    private OutputOptions output;

    FleetCommand() {}

    @Override
    public Integer call() {
        if (deadline < 1 || deadline > MAX_SECONDS) {
            throw problem("--deadline is " + deadline + "; allowed are 1 to " + MAX_SECONDS, null);
        }
        ClustersFile file = clusters();
        Duration time = Duration.ofSeconds(deadline);
        FleetClient client = FleetClient.of(file.clusters(), time, System::currentTimeMillis);
        long nowMs = System.currentTimeMillis();
        List<FleetRow> rows = new FleetReader(client, time, examine).read(file.clusters());
        print(rows);
        boolean isWritten = html == null || write(html, FleetPage.html(rows, nowMs));
        boolean allAnswered =
                rows.stream().allMatch(row -> row.health().ifKnown().isPresent());
        return isWritten && allAnswered ? ExitCode.DONE.code() : ExitCode.INCOMPLETE.code();
    }

    /** The clusters; a line that can't be used is said, and left out. */
    private ClustersFile clusters() {
        String text;
        try {
            text = Files.readString(clusters);
        } catch (IOException unreadable) {
            throw problem("--clusters is " + clusters + "; it must be a text in UTF-8 that can be read", unreadable);
        }
        ClustersFile file = ClustersFile.parse(text, clusters);
        file.problems().forEach(spec.commandLine().getErr()::println);
        if (file.clusters().isEmpty()) {
            throw problem("--clusters is " + clusters + ", which has none", null);
        }
        return file;
    }

    private void print(List<FleetRow> rows) {
        PrintWriter out = spec.commandLine().getOut();
        OutputFormat format = output.ofRows();
        Table table = FleetTable.of(rows);
        switch (format) {
            case JSON -> out.println(FleetJson.of(rows));
            case CSV -> table.csv().forEach(out::println);
            case TABLE -> {
                table.lines("").forEach(out::println);
                out.println();
                out.println(FleetTable.summary(rows) + ".");
            }
        }
        out.flush();
    }

    private boolean write(Path file, String page) {
        try {
            PageFile.write(file, page);
            return true;
        } catch (IOException failure) {
            spec.commandLine().getErr().println("hearth fleet: " + file + " can't be written: " + failure);
            return false;
        }
    }

    private ParameterException problem(String message, @Nullable Throwable cause) {
        return new ParameterException(spec.commandLine(), message, cause);
    }
}
