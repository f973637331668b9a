package io.hearth.demo;

import io.hearth.demo.measure.Timeline;
import io.hearth.demo.report.DemoReport;
import io.hearth.demo.report.Heal;
import io.hearth.demo.report.ServerTable;
import io.hearth.demo.verdict.Bar;
import io.hearth.demo.verdict.Measurement;
import io.hearth.demo.verdict.Verdict;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalDouble;
import java.util.TreeMap;

/** What a run has found out so far; the phases add to it, one after another on one thread. */
final class Findings {
    private final Instant startedAt = Instant.now();
    private final Stopwatch stopwatch = new Stopwatch();
    private final Timeline timeline = new Timeline();
    private final Map<Bar, Measurement> measurements = Verdict.measurements();
    private final Map<String, String> facts = new LinkedHashMap<>();
    private final Map<String, String> rolesByHost = new TreeMap<>();
    private final List<ServerTable> tables = new ArrayList<>();
    private final List<Heal> heals = new ArrayList<>();

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

    void measured(Bar bar, double value) {
        measurements.put(bar, Measurement.of(value));
    }

    void measured(Bar bar, OptionalDouble value, String reasonIfAbsent) {
        measurements.put(bar, Measurement.of(value, reasonIfAbsent));
    }

    void unmeasured(Bar bar, String reason) {
        measurements.put(bar, Measurement.missing(reason));
    }

    void fact(String name, String text) {
        facts.put(name, text);
    }

    void role(String host, String role) {
        rolesByHost.merge(host, role, (a, b) -> a + ", " + b);
    }

    void add(ServerTable table) {
        tables.add(table);
    }

    void add(Heal heal) {
        heals.add(heal);
    }

    DemoReport report() {
        return new DemoReport(
                startedAt,
                elapsedMs(),
                facts,
                rolesByHost,
                tables,
                heals,
                timeline.samples(),
                timeline.events(),
                Verdict.of(measurements));
    }
}
