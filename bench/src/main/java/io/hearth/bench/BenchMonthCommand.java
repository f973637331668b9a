// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.bench;

import io.hearth.bench.month.MasterMonth;
import io.hearth.bench.month.MasterMonth.MonthSize;
import io.hearth.bench.threshold.ThresholdReport;
import io.hearth.testkit.command.OutputOption;
import java.io.IOException;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** {@code bin/hearth bench month}: what Hearth takes of an HMaster in a month, beside the stock balancer. */
@Command(
        name = "month",
        description = {
            "What Hearth takes of an HMaster in a month.",
            "A synthetic cluster on simulated time: its load changes each day, a server dies each day, and",
            "the balancer that ships moves regions. Only some points of each day are lived through. The",
            "processor time of each kind of work is measured there and multiplied by how often the work",
            "comes in a month; heap is measured after a collection at the end of each day. HDFS's client,",
            "the doctor and collections of garbage are not in the processor time. The stock balancer is",
            "run on the same cluster beside it."
        },
        sortOptions = false,
        usageHelpAutoWidth = true,
        footerHeading = "%nExamples:%n",
        footer = "  bin/hearth bench month --servers 100 --regions 10000 --days 5")
final class BenchMonthCommand implements Callable<Integer> {

    @Spec
    private CommandSpec spec;

    @Option(names = "--servers", paramLabel = "N", description = "servers, 3 to 10000 (default 1000)")
    private int servers = 1_000;

    @Option(names = "--regions", paramLabel = "N", description = "regions, 100 to 1000000 (default 100000)")
    private int regions = 100_000;

    @Option(names = "--days", paramLabel = "N", description = "days that are lived through, 3 to 31 (default 30)")
    private int days = 30;

    @Option(names = "--points", paramLabel = "N", description = "points of each day, 1 to 24 (default 2)")
    private int points = 2;

    @Option(
            names = "--stock-runs",
            paramLabel = "N",
            description = "runs of the stock balancer, of 30 s each, 0 to 100 (default 2)")
    private int stockRuns = 2;

    @Mixin
    private OutputOption output;

    @Override
    public Integer call() throws IOException, InterruptedException {
        requireInRange("--servers", servers, 3, 10_000);
        requireInRange("--regions", regions, 100, 1_000_000);
        requireInRange("--days", days, 3, 31);
        requireInRange("--points", points, 1, 24);
        requireInRange("--stock-runs", stockRuns, 0, 100);
        ThresholdReport thresholds = new ThresholdReport();
        new MasterMonth(new MonthSize(servers, regions, days, points, stockRuns), output.forPerson(), thresholds).run();
        return thresholds.end(output);
    }

    private void requireInRange(String name, int value, int least, int most) {
        if (value < least || value > most) {
            throw new ParameterException(
                    spec.commandLine(), name + " is " + value + "; allowed are " + least + " to " + most);
        }
    }
}
