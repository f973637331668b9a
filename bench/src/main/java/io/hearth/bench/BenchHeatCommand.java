// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.bench;

import io.hearth.balancer.heat.HeatModel;
import io.hearth.bench.threshold.ThresholdReport;
import io.hearth.testkit.command.OutputOption;
import java.util.concurrent.Callable;
import org.apache.hadoop.hbase.master.balancer.LocationSnapshotBenchmark;
import org.openjdk.jmh.runner.Runner;
import org.openjdk.jmh.runner.RunnerException;
import org.openjdk.jmh.runner.options.OptionsBuilder;
import org.openjdk.jmh.runner.options.VerboseMode;
import org.openjdk.jol.info.GraphLayout;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** {@code bin/hearth bench heat}: what an update of the heat and a snapshot of 100,000 regions cost in time and in heap. */
@Command(
        name = "heat",
        description = {
            "Time and heap of one update of the heat of 100,000 regions.",
            "They are on 1,000 servers; then the regions of one that died are placed, in this JVM."
        },
        footerHeading = "%nExamples:%n",
        footer = "  bin/hearth bench heat")
final class BenchHeatCommand implements Callable<Integer> {

    /** The most that one update may take, median, in milliseconds. */
    private static final double UPDATE_THRESHOLD_MS = 100;

    /** The most that the placement of 1,000 regions may take, median, in milliseconds. */
    private static final double PLACEMENT_THRESHOLD_MS = 20;

    /** The most heap that the heat of one region may take, in bytes. */
    private static final double HEAP_THRESHOLD_BYTES = 250;

    /** The most that the block locations of a second snapshot may take, median, in milliseconds. */
    private static final double SNAPSHOT_THRESHOLD_MS = 100;

    /** The most heap that they may take besides the first snapshot's, in MB: a reference for each region, and no copy. */
    private static final double SNAPSHOT_THRESHOLD_MB = 2;

    private static final double MEBIBYTE = 1 << 20;

    @Mixin
    private OutputOption output;

    @Override
    public Integer call() throws RunnerException {
        ThresholdReport thresholds = new ThresholdReport();
        double updateMs = medianMillis(HeatUpdateBenchmark.class, "update");
        output.say(thresholds.atMost("one update of 100,000 regions", updateMs, UPDATE_THRESHOLD_MS, "ms"));
        double placementMs = medianMillis(PlacementBenchmark.class, "place");
        output.say(thresholds.atMost("a place for 1,000 regions", placementMs, PLACEMENT_THRESHOLD_MS, "ms"));
        output.say(thresholds.atMost("heap of one region", bytesPerRegion(), HEAP_THRESHOLD_BYTES, "bytes"));
        output.say(thresholds.about("second snapshot, 100,000 regions x 79 hosts:"));
        double snapshotMs = medianMillis(LocationSnapshotBenchmark.class, "snapshot");
        output.say(thresholds.atMost("  its block locations", snapshotMs, SNAPSHOT_THRESHOLD_MS, "ms"));
        double snapshotMb = LocationSnapshotBenchmark.bytesOfSecondSnapshot() / MEBIBYTE;
        output.say(thresholds.atMost("  heap besides the first's", snapshotMb, SNAPSHOT_THRESHOLD_MB, "MB"));
        return thresholds.end(output);
    }

    /** The heap that the heat model holds, in bytes for each region after a few updates, everything that the model keeps alive included. */
    private static double bytesPerRegion() {
        SyntheticServerReports reports =
                new SyntheticServerReports(SyntheticServerReports.SERVERS, SyntheticServerReports.REGIONS);
        HeatModel model = HeatUpdateBenchmark.newModel();
        for (int update = 0; update < 3; update++) {
            model.update(reports.next(), reports.nowMs());
        }
        return (double) GraphLayout.parseInstance(model).totalSize() / model.size();
    }

    /**
     * The median time of one call of a benchmark, in milliseconds, over fresh JVMs; by JMH.
     *
     * @param method the benchmark's method; its time unit is the millisecond
     */
    private static double medianMillis(Class<?> benchmark, String method) throws RunnerException {
        return new Runner(new OptionsBuilder()
                        .include(benchmark.getName() + "." + method)
                        .verbosity(VerboseMode.SILENT)
                        .build())
                .runSingle()
                .getPrimaryResult()
                .getStatistics()
                .getPercentile(50);
    }
}
