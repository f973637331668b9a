package io.hearth.demo.report;

import io.hearth.demo.measure.ClusterReport;
import io.hearth.demo.measure.RegionCounters;
import io.hearth.demo.measure.ServerReport;
import io.hearth.demo.measure.Timeline;
import io.hearth.demo.verdict.Bar;
import io.hearth.demo.verdict.Measurement;
import io.hearth.demo.verdict.Verdict;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** A small report with figures that are easy to find again. */
final class Reports {

    private Reports() {}

    static DemoReport small() {
        Map<Bar, Measurement> measurements = Verdict.measurements();
        measurements.put(Bar.READ_SKEW_BEFORE, Measurement.of(3.31));
        measurements.put(Bar.READ_SKEW_BALANCED, Measurement.of(1.04));
        measurements.put(Bar.CORRUPT_BLOCKS, Measurement.missing("fsck said <nothing> & left"));
        Map<String, String> facts = new LinkedHashMap<>();
        facts.put("Cluster", "2 hosts in 1 rack");
        facts.put("Java", "17 \"tested\" <b>");
        Timeline timeline = new Timeline();
        timeline.add(0, report(0, 0), new TreeMap<>(Map.of("host1", 1.0, "host10", 0.5)));
        timeline.add(2_000, report(2_000, 246), new TreeMap<>(Map.of("host1", 0.25)));
        timeline.mark(1_500, "balancer on </script>");
        return new DemoReport(
                Instant.parse("2026-11-21T09:30:00Z"),
                187_000,
                facts,
                Map.of("host10", "killed"),
                List.of(servers()),
                List.of(new Heal("the crash of host10", 11, 0.41, 1, 37, 24L << 20, 36, 23L << 20, 14_000)),
                timeline.samples(),
                timeline.events(),
                Verdict.of(measurements));
    }

    static ServerTable servers() {
        return new ServerTable(
                "Skewed <on purpose>",
                List.of(
                        new ServerRow("host1", 11, 1_234.4, 56, 37L << 20, 1, 0.999),
                        new ServerRow("host10", 9, 411.5, 56, 35L << 20, 0.414, Double.NaN)));
    }

    private static ClusterReport report(long timeMs, long reads) {
        return ClusterReport.of(List.of(
                new ServerReport("host1", timeMs, Map.of("a", new RegionCounters(reads, 0, 0, 1))),
                new ServerReport("host10", timeMs, Map.of("b", new RegionCounters(0, reads, 0, 1)))));
    }
}
