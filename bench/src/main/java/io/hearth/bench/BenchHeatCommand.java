package io.hearth.bench;

import io.hearth.testkit.command.Commands;
import java.io.PrintWriter;
import java.util.Locale;
import java.util.concurrent.Callable;
import org.openjdk.jmh.runner.RunnerException;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/** {@code bin/hearth bench heat}: what one update of the heat of 100,000 regions costs in time and in heap. */
@Command(name = "heat", description = "time and heap of one update of the heat of 100,000 regions on 1,000 servers")
final class BenchHeatCommand implements Callable<Integer> {

    /** The most that one update may take, median, in milliseconds. */
    private static final double UPDATE_THRESHOLD_MS = 100;

    /** The most that the placement of 1,000 regions may take, median, in milliseconds. */
    private static final double PLACEMENT_THRESHOLD_MS = 20;

    /** The most heap that the heat of one region may take, in bytes. */
    private static final double HEAP_THRESHOLD_BYTES = 250;

    @Spec
    private CommandSpec spec;

    @Override
    public Integer call() throws RunnerException {
        PrintWriter out = spec.commandLine().getOut();
        double updateMs = MedianMillis.of(HeatUpdateBenchmark.class, "update");
        double heapBytes = HeatModelFootprint.bytesPerRegion();
        double placementMs = MedianMillis.of(PlacementBenchmark.class, "place");
        boolean updateHolds = print(out, "one update of 100,000 regions", updateMs, UPDATE_THRESHOLD_MS, "ms");
        boolean placementHolds = print(out, "a place for 1,000 regions", placementMs, PLACEMENT_THRESHOLD_MS, "ms");
        boolean heapHolds = print(out, "heap of one region", heapBytes, HEAP_THRESHOLD_BYTES, "bytes");
        return updateHolds && placementHolds && heapHolds ? Commands.OK : Commands.FAILED;
    }

    private static boolean print(PrintWriter out, String what, double value, double threshold, String unit) {
        boolean holds = value <= threshold;
        out.printf(
                Locale.ROOT,
                "%-30s %8.1f %-5s  threshold %6.0f %-5s  %s%n",
                what,
                value,
                unit,
                threshold,
                unit,
                holds ? "holds" : "MISSED");
        out.flush();
        return holds;
    }
}
