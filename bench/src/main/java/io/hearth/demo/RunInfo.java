// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.demo;

import io.hearth.demo.threshold.Unit;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.apache.hadoop.hbase.util.VersionInfo;

/** What ran, and on what: the small print of the report. */
final class RunInfo {

    private RunInfo() {}

    static void add(DemoContext context) {
        DemoOptions options = context.options();
        DemoReportBuilder reportBuilder = context.reportBuilder();
        reportBuilder.fact(
                "Cluster",
                "%d hosts in %d racks, each with a DataNode and a RegionServer under one address; one JVM"
                        .formatted(options.hosts(), options.racks()));
        reportBuilder.fact(
                "Table",
                "%d regions, %s loaded, blocks of 1 MB, 3 replicas, compactions off so that nothing but healing brings data home"
                        .formatted(
                                options.regions(),
                                Unit.MEGABYTES.format(Unit.megabytes(DemoTable.loadedBytes(context.keys())))));
        reportBuilder.fact(
                "Clients",
                "%,d reads/s and %,d writes/s, sent when they are due, with the stock client's retries; seed %d"
                        .formatted(ClientLoad.READS_PER_SECOND, ClientLoad.WRITES_PER_SECOND, options.seed()));
        reportBuilder.fact("HBase", VersionInfo.getVersion());
        reportBuilder.fact("Hadoop", org.apache.hadoop.util.VersionInfo.getVersion());
        reportBuilder.fact(
                "Machine",
                "%d processors, Java %s, %s"
                        .formatted(
                                Runtime.getRuntime().availableProcessors(),
                                System.getProperty("java.version"),
                                System.getProperty("os.name")));
        reportBuilder.fact(
                "Time",
                "reports every second, balancer and healer look every second: shorter than an operator's settings, "
                        + "so that the story takes minutes");
    }

    /** What is only known at the end. */
    static void addAtEnd(DemoReportBuilder reportBuilder) {
        try {
            Files.readAllLines(Path.of("/proc/self/status")).stream()
                    .filter(line -> line.startsWith("VmHWM:"))
                    .mapToLong(line -> Long.parseLong(line.replaceAll("\\D", "")) * 1024)
                    .forEach(bytes -> reportBuilder.fact(
                            "Memory", Unit.MEGABYTES.format(Unit.megabytes(bytes)) + " resident at most"));
        } catch (IOException e) {
            // Not Linux: the fact is left out.
        }
    }
}
