// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.bench;

import io.hearth.bench.crash.CrashResult;
import io.hearth.bench.crash.CrashRun;
import io.hearth.testkit.command.Commands;
import io.hearth.testkit.command.OutputOption;
import java.io.PrintWriter;
import java.util.Locale;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** {@code bin/hearth bench crash}: how long it takes until the data of a dead server is local again, against the bandwidth. */
@Command(
        name = "crash",
        description = {
            "Bytes and time of a heal after a crash.",
            "Kills one RegionServer of six under a table that is local, on a cluster in this JVM, and",
            "holds the bytes that the healer moves and the time that it takes to what was remote and",
            "to what the bandwidth allows. Takes about five minutes."
        },
        sortOptions = false,
        usageHelpAutoWidth = true,
        footerHeading = "%nExamples:%n",
        footer = "  bin/hearth bench crash")
public final class BenchCrashCommand implements Callable<Integer> {

    @Spec
    private CommandSpec spec;

    @Option(
            names = "--data-mb",
            paramLabel = "N",
            defaultValue = "300",
            description = "megabytes in the table, 60 to 4000 (default 300)")
    private int megabytes;

    @Option(
            names = "--bandwidth",
            paramLabel = "BYTES",
            defaultValue = "250000",
            description = "hearth.heal.cluster.bandwidth in bytes per second, 50000 to 1000000000 (default 250000)")
    private long bandwidth;

    @Mixin
    private OutputOption output;

    @Override
    public Integer call() throws Exception {
        if (megabytes < 60 || megabytes > 4_000) {
            throw Commands.problem(spec, "--data-mb is " + megabytes + ", allowed are 60 to 4000");
        }
        if (bandwidth < 50_000 || bandwidth > 1_000_000_000) {
            throw Commands.problem(spec, "--bandwidth is " + bandwidth + ", allowed are 50000 to 1000000000");
        }
        return report(CrashRun.run(megabytes, bandwidth, output::say), output);
    }

    /** Prints what it came to, and returns how the command ends. */
    static int report(CrashResult result, OutputOption output) {
        PrintWriter out = output.forPerson();
        out.printf(
                Locale.ROOT,
                "locality 1 again after %.1f s = %.2f x bytes / bandwidth (threshold 1.3);"
                        + " verified %,d of %,d bytes = %.3f x (threshold 1.02)%n",
                result.healMs() / 1_000.0,
                result.timeRatio(),
                result.verifiedBytes(),
                result.nonLocalBytes(),
                result.bytesRatio());
        out.printf(
                Locale.ROOT,
                "fsck %s; %d blocks compared: %d span fewer racks, %d have not exactly their replication%n",
                result.fsck().healthy() ? "HEALTHY" : "NOT HEALTHY",
                result.blocks().kept(),
                result.blocks().racksLost(),
                result.blocks().notAtReplication());
        return result.thresholds().end(output);
    }
}
