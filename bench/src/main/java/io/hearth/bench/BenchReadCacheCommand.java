// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.bench;

import io.hearth.bench.cache.AdmissionBench;
import io.hearth.bench.cache.TraceBench;
import io.hearth.bench.cache.TraceBench.TraceSetup;
import io.hearth.bench.threshold.ThresholdReport;
import io.hearth.testkit.command.Commands;
import io.hearth.testkit.command.OutputOption;
import java.util.EnumSet;
import java.util.Set;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** {@code bin/hearth bench read-cache}: what the DataNode's read cache gains with a few hot blocks, and what it costs. */
@Command(
        name = "read-cache",
        description = {
            "What the DataNode's read cache gains and costs.",
            "Plays reads like those of Uber's DataNodes to it, on simulated time and without disks; then",
            "measures its admission."
        },
        sortOptions = false,
        usageHelpAutoWidth = true,
        footerHeading = "%nExamples:%n",
        footer = "  bin/hearth bench read-cache --part TRACE")
final class BenchReadCacheCommand implements Callable<Integer> {

    private static final int LEAST_HOURS = 2;
    private static final int MOST_HOURS = 100;

    /** What can be asked for alone. */
    private enum Part {
        TRACE,
        ADMISSION
    }

    @Spec
    private CommandSpec spec;

    @Option(
            names = "--part",
            paramLabel = "P",
            description = {
                "TRACE, what is cached of simulated reads; ADMISSION, accesses a second and heap; any number",
                "of times (default all)"
            })
    private Set<Part> parts = EnumSet.allOf(Part.class);

    @Option(names = "--hours", paramLabel = "N", description = "length of the trace, 2 to 100 (default 10)")
    private int hours = 10;

    @Option(names = "--seed", paramLabel = "N", description = "which trace (default 1)")
    private long seed = 1;

    @Mixin
    private OutputOption output;

    @Override
    public Integer call() throws Exception {
        if (hours < LEAST_HOURS || hours > MOST_HOURS) {
            throw Commands.problem(spec, "--hours is " + hours + "; allowed are 2 to 100");
        }
        ThresholdReport thresholds = new ThresholdReport();
        if (parts.contains(Part.TRACE)) {
            new TraceBench(output.forPerson(), thresholds, TraceSetup.of(seed, hours)).run();
        }
        if (parts.contains(Part.ADMISSION)) {
            new AdmissionBench(output.forPerson(), thresholds).run();
        }
        return thresholds.end(output);
    }
}
