// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.bench;

import io.hearth.bench.cache.AdmissionBench;
import io.hearth.bench.cache.DataNodeBench;
import io.hearth.bench.cache.DataNodeBench.NodeSetup;
import io.hearth.bench.cache.SenderBench;
import io.hearth.bench.cache.SenderBench.SenderSetup;
import io.hearth.bench.cache.TraceBench;
import io.hearth.bench.cache.TraceBench.TraceSetup;
import io.hearth.bench.threshold.ThresholdReport;
import io.hearth.testkit.command.Commands;
import io.hearth.testkit.command.OutputOption;
import java.time.Duration;
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
            "Plays reads like those of Uber's DataNodes to it, on simulated time and without disks;",
            "measures its admission and its sender; and reads from a DataNode in this JVM, whose disk and",
            "SSD take the time of emulated ones, with the cache off and on. All of it takes about a",
            "quarter of an hour."
        },
        sortOptions = false,
        usageHelpAutoWidth = true,
        footerHeading = "%nExamples:%n",
        footer = "  bin/hearth bench read-cache --part TRACE")
final class BenchReadCacheCommand implements Callable<Integer> {

    private static final int LEAST_HOURS = 2;
    private static final int MOST_HOURS = 100;
    private static final int LEAST_SECONDS = 2;
    private static final int MOST_SECONDS = 600;
    private static final int MOST_REPETITIONS = 20;

    /** What can be asked for alone. */
    private enum Part {
        TRACE,
        ADMISSION,
        DATANODE,
        SENDER
    }

    @Spec
    private CommandSpec spec;

    @Option(
            names = "--part",
            paramLabel = "P",
            description = {
                "TRACE, what is cached of simulated reads; ADMISSION, accesses a second and heap; DATANODE,",
                "what clients get; SENDER, what sending costs; any number of times (default all)"
            })
    private Set<Part> parts = EnumSet.allOf(Part.class);

    @Option(names = "--hours", paramLabel = "N", description = "length of the trace, 2 to 100 (default 10)")
    private int hours = 10;

    @Option(names = "--seed", paramLabel = "N", description = "which trace (default 1)")
    private long seed = 1;

    @Option(
            names = "--seconds",
            paramLabel = "N",
            description = "length of a phase with the DataNode, 2 to 600 (default 30)")
    private int seconds = 30;

    @Option(
            names = "--repetitions",
            paramLabel = "N",
            description = "phases with the cache off, and as many with it on, 1 to 20 (default 3)")
    private int repetitions = 3;

    @Mixin
    private OutputOption output;

    @Override
    public Integer call() throws Exception {
        if (hours < LEAST_HOURS || hours > MOST_HOURS) {
            throw Commands.problem(spec, "--hours is " + hours + "; allowed are 2 to 100");
        }
        if (seconds < LEAST_SECONDS || seconds > MOST_SECONDS) {
            throw Commands.problem(spec, "--seconds is " + seconds + "; allowed are 2 to 600");
        }
        if (repetitions < 1 || repetitions > MOST_REPETITIONS) {
            throw Commands.problem(spec, "--repetitions is " + repetitions + "; allowed are 1 to 20");
        }
        ThresholdReport thresholds = new ThresholdReport();
        if (parts.contains(Part.TRACE)) {
            new TraceBench(output.forPerson(), thresholds, TraceSetup.of(seed, hours)).run();
        }
        if (parts.contains(Part.ADMISSION)) {
            new AdmissionBench(output.forPerson(), thresholds).run();
        }
        if (parts.contains(Part.DATANODE)) {
            NodeSetup setup = NodeSetup.of(Duration.ofSeconds(seconds), repetitions);
            new DataNodeBench(output.forPerson(), thresholds, setup).run();
        }
        if (parts.contains(Part.SENDER)) {
            new SenderBench(output.forPerson(), thresholds, SenderSetup.USUAL).run();
        }
        return thresholds.end(output);
    }
}
