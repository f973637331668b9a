// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.demo;

import io.hearth.demo.DemoContext.DemoOptions;
import io.hearth.demo.report.DemoReport;
import io.hearth.demo.report.DemoReport.HealSummary;
import io.hearth.demo.report.ServerTable;
import io.hearth.demo.threshold.Threshold;
import io.hearth.demo.threshold.Threshold.Unit;
import io.hearth.demo.threshold.ThresholdResults;
import io.hearth.demo.threshold.ThresholdResults.Measurement;
import io.hearth.testkit.measure.KeySpace;
import io.hearth.testkit.measure.ProcessMemory;
import io.hearth.testkit.measure.Timeline;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalDouble;
import java.util.TreeMap;
import org.apache.hadoop.hbase.util.VersionInfo;

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

    /** What ran, and on what: the small print of the report. */
    void addRunInfo(DemoOptions options, KeySpace keys) {
        fact(
                "Cluster",
                "%d hosts in %d racks, each with a DataNode and a RegionServer under one address; one JVM"
                        .formatted(options.hosts(), options.racks()));
        fact(
                "Table",
                "%d regions, %s loaded, blocks of 1 MB, 3 replicas, compactions off so that nothing but healing restores locality"
                        .formatted(
                                options.regions(), Unit.MEGABYTES.format(Unit.megabytes(DemoTable.loadedBytes(keys)))));
        fact(
                "Clients",
                "%,d reads/s and %,d writes/s, sent when they are due, with the stock client's retries; seed %d"
                        .formatted(ClientLoad.READS_PER_SECOND, ClientLoad.WRITES_PER_SECOND, options.seed()));
        fact("HBase", VersionInfo.getVersion());
        fact("Hadoop", org.apache.hadoop.util.VersionInfo.getVersion());
        fact(
                "Machine",
                "%d processors, Java %s, %s"
                        .formatted(
                                Runtime.getRuntime().availableProcessors(),
                                System.getProperty("java.version"),
                                System.getProperty("os.name")));
        fact(
                "Time",
                "reports every second, balancer and healer run every second: shorter than an operator's settings, "
                        + "so that the run takes minutes");
    }

    /** What is only known at the end; left out where there is no Linux kernel to ask. */
    void addMemory() {
        ProcessMemory.peakBytes()
                .ifPresent(bytes -> fact("Memory", Unit.MEGABYTES.format(Unit.megabytes(bytes)) + " resident at most"));
    }
}
