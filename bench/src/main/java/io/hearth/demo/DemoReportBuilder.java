// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.demo;

import io.hearth.demo.report.DemoReport;
import io.hearth.demo.report.HealSummary;
import io.hearth.demo.report.ServerTable;
import io.hearth.demo.threshold.Measurement;
import io.hearth.demo.threshold.Threshold;
import io.hearth.demo.threshold.ThresholdResults;
import io.hearth.testkit.measure.Timeline;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalDouble;
import java.util.TreeMap;

/** What a run has found out so far; the phases add to it, one after another on one thread. */
final class DemoReportBuilder {
    private final Instant startedAt = Instant.now();
    private final Stopwatch stopwatch = new Stopwatch();
    private final Timeline timeline = new Timeline();
    private final Map<Threshold, Measurement> measurements = ThresholdResults.measurements();
    private final Map<String, String> runInfo = new LinkedHashMap<>();
    private final Map<String, String> rolesByHost = new TreeMap<>();
    private final List<ServerTable> tables = new ArrayList<>();
    private final List<HealSummary> heals = new ArrayList<>();

    long elapsedMs() {
        return stopwatch.elapsedMs();
    }

    /** Safe to write from the sampler's thread. */
    Timeline timeline() {
        return timeline;
    }

    void event(String label) {
        timeline.mark(elapsedMs(), label);
    }

    void measured(Threshold threshold, double value) {
        measurements.put(threshold, Measurement.of(value));
    }

    void measured(Threshold threshold, OptionalDouble value, String reasonIfAbsent) {
        measurements.put(threshold, Measurement.of(value, reasonIfAbsent));
    }

    void unmeasured(Threshold threshold, String reason) {
        measurements.put(threshold, Measurement.missing(reason));
    }

    void fact(String name, String text) {
        runInfo.put(name, text);
    }

    void role(String host, String role) {
        rolesByHost.merge(host, role, (a, b) -> a + ", " + b);
    }

    void add(ServerTable table) {
        tables.add(table);
    }

    void add(HealSummary heal) {
        heals.add(heal);
    }

    DemoReport report() {
        return new DemoReport(
                startedAt,
                elapsedMs(),
                runInfo,
                rolesByHost,
                tables,
                heals,
                timeline.samples(),
                timeline.events(),
                ThresholdResults.of(measurements));
    }
}
