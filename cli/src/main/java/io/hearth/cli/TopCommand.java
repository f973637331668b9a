// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.cli;

import io.hearth.cli.client.ClusterClient;
import io.hearth.cli.client.ClusterSummaryReader;
import io.hearth.cli.client.Terminal;
import io.hearth.cli.view.ClusterSummary;
import io.hearth.cli.view.TopScreen;
import java.io.IOException;
import java.io.PrintWriter;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** {@code bin/hearth top}: the cluster on one screen that is drawn again and again. */
@Command(
        name = "top",
        description = {
            "Shows servers by what they have to do, each with a bar against what is fair",
            "for it (the mark is the fair share), the hottest regions and why each is",
            "where it is, and healing. On a terminal the screen is drawn again, and q ends",
            "it; elsewhere each poll is printed.",
            ""
        },
        sortOptions = false,
        usageHelpAutoWidth = true,
        exitCodeListHeading = "%nExit codes:%n",
        exitCodeList = {
            "0:ended by q, or all of --times is told",
            "2:a wrong argument",
            "4:HBase can't be asked",
            "5:a login or HBase's ADMIN permission is missing",
            "130:stopped by Ctrl-C"
        },
        footerHeading = "%nExamples:%n",
        footer = {"  bin/hearth top", "  bin/hearth top --every 5 --times 12 > minute.txt"})
final class TopCommand implements Callable<Integer> {

    private static final int SECONDS = 2;
    private static final int MAX_EVERY = 3_600;
    private static final int PLAIN_WIDTH = 200;
    private static final int PLAIN_HEIGHT = 50;

    @Spec
    private CommandSpec spec;

    @Option(
            names = "--every",
            paramLabel = "N",
            defaultValue = "2",
            description = "seconds between two polls, 1 to 3600 (default: 2)")
    private int every;

    @Option(names = "--times", paramLabel = "N", description = "end after so many polls (default: never)")
    private int times;

    @Mixin
    private ObserveOptions options;

    TopCommand() {}

    @Override
    public Integer call() throws IOException {
        if (every < 1 || every > MAX_EVERY) {
            throw options.cluster().problem("--every is " + every + "; allowed are 1 to " + MAX_EVERY);
        }
        if (times < 0) {
            throw options.cluster().problem("--times is " + times + "; allowed are 0 (never) and more");
        }
        int seconds = options.seconds(SECONDS);
        try (ClusterClient client = ClusterClient.open(options.cluster().site());
                Terminal terminal = Terminal.open(Boolean.getBoolean("hearth.terminal"))) {
            for (int look = 1; times == 0 || look <= times; look++) {
                show(client.observe(seconds), terminal);
                if (look != times && terminal.isQuitWithin(every * 1_000L)) {
                    break;
                }
            }
        }
        return ExitCode.DONE.code();
    }

    private void show(ClusterClient.Observation observation, Terminal terminal) throws IOException {
        PrintWriter out = spec.commandLine().getOut();
        ClusterSummary cluster = ClusterSummaryReader.read(observation.page());
        String source = ObserveOptions.source(observation, cluster.master());
        if (terminal.isDrawn()) {
            Terminal.Size size = terminal.size();
            terminal.draw(TopScreen.of(cluster, source, size.columns(), size.lines()), out);
        } else {
            List<String> lines = TopScreen.of(cluster, source, PLAIN_WIDTH, PLAIN_HEIGHT);
            lines.forEach(out::println);
            out.println();
            out.flush();
        }
    }
}
