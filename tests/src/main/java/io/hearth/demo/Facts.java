package io.hearth.demo;

import io.hearth.demo.verdict.Unit;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.apache.hadoop.hbase.util.VersionInfo;

/** What ran, and on what: the small print of the report. */
final class Facts {

    private Facts() {}

    static void add(Stage stage) {
        DemoOptions options = stage.options();
        Findings findings = stage.findings();
        findings.fact(
                "Cluster",
                "%d hosts in %d racks, each with a DataNode and a RegionServer under one address; one JVM"
                        .formatted(options.hosts(), options.racks()));
        findings.fact(
                "Table",
                "%d regions, %s loaded, blocks of 1 MB, 3 replicas, compactions off so that nothing but healing brings data home"
                        .formatted(
                                options.regions(),
                                Unit.MEGABYTES.format(Unit.megabytes(DemoTable.loadedBytes(stage.keys())))));
        findings.fact(
                "Clients",
                "%,d reads/s and %,d writes/s, sent when they are due, with the stock client's retries; seed %d"
                        .formatted(ClientLoad.READS_PER_SECOND, ClientLoad.WRITES_PER_SECOND, options.seed()));
        findings.fact("HBase", VersionInfo.getVersion());
        findings.fact("Hadoop", org.apache.hadoop.util.VersionInfo.getVersion());
        findings.fact(
                "Machine",
                "%d processors, Java %s, %s"
                        .formatted(
                                Runtime.getRuntime().availableProcessors(),
                                System.getProperty("java.version"),
                                System.getProperty("os.name")));
        findings.fact(
                "Time",
                "reports every second, balancer and healer look every second: shorter than an operator's settings, "
                        + "so that the story takes minutes");
    }

    /** What is only known at the end. */
    static void addAtEnd(Findings findings) {
        try {
            Files.readAllLines(Path.of("/proc/self/status")).stream()
                    .filter(line -> line.startsWith("VmHWM:"))
                    .mapToLong(line -> Long.parseLong(line.replaceAll("\\D", "")) * 1024)
                    .forEach(bytes -> findings.fact(
                            "Memory", Unit.MEGABYTES.format(Unit.megabytes(bytes)) + " resident at most"));
        } catch (IOException e) {
            // Not Linux: the fact is left out.
        }
    }
}
