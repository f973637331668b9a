// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.demo.report;

import io.hearth.demo.report.DemoReport.HealSummary;
import io.hearth.demo.report.ServerTable.ServerTableRow;
import io.hearth.demo.threshold.Threshold;
import io.hearth.demo.threshold.ThresholdResults;
import io.hearth.demo.threshold.ThresholdResults.Measurement;
import io.hearth.testkit.measure.ClusterLoadReport;
import io.hearth.testkit.measure.ClusterLoadReport.RegionLoadReport;
import io.hearth.testkit.measure.ClusterLoadReport.ServerLoadReport;
import io.hearth.testkit.measure.Timeline;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** A small report with figures that are easy to find again. */
final class SampleReports {

    private SampleReports() {}

    static DemoReport small() {
        Map<Threshold, Measurement> measurements = ThresholdResults.measurements();
        measurements.put(Threshold.READ_SKEW_BEFORE, Measurement.of(3.31));
        measurements.put(Threshold.READ_SKEW_BALANCED, Measurement.of(1.04));
        measurements.put(Threshold.CORRUPT_BLOCKS, Measurement.missing("fsck said <nothing> & left"));
        Map<String, String> runInfo = new LinkedHashMap<>();
        runInfo.put("Cluster", "2 hosts in 1 rack");
        runInfo.put("Java", "17 \"tested\" <b>");
        Timeline timeline = new Timeline();
        timeline.add(0, report(0, 0), new TreeMap<>(Map.of("host1", 1.0, "host10", 0.5)));
        timeline.add(2_000, report(2_000, 246), new TreeMap<>(Map.of("host1", 0.25)));
        timeline.mark(1_500, "balancer on </script>");
        return new DemoReport(
                Instant.parse("2026-11-21T09:30:00Z"),
                187_000,
                runInfo,
                Map.of("host10", "killed"),
                List.of(servers()),
                List.of(new HealSummary("the crash of host10", 11, 0.41, 1, 37, 24L << 20, 36, 23L << 20, 14_000)),
                timeline.samples(),
                timeline.events(),
                ThresholdResults.of(measurements));
    }

    static ServerTable servers() {
        return new ServerTable(
                "Skewed <on purpose>",
                List.of(
                        new ServerTableRow("host1", 11, 1_234.4, 56, 37L << 20, 1, 0.999),
                        new ServerTableRow("host10", 9, 411.5, 56, 35L << 20, 0.414, Double.NaN)));
    }

    private static ClusterLoadReport report(long timeMs, long reads) {
        return ClusterLoadReport.of(List.of(
                new ServerLoadReport("host1", timeMs, Map.of("a", new RegionLoadReport(reads, 0, 0, 1))),
                new ServerLoadReport("host10", timeMs, Map.of("b", new RegionLoadReport(0, reads, 0, 1)))));
    }
}
