// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.bench;

import io.hearth.bench.slo.SloDisk;
import io.hearth.bench.slo.SloLoad;
import io.hearth.bench.slo.SloStall;
import io.hearth.bench.threshold.ThresholdReport;
import io.hearth.testkit.command.Commands;
import io.hearth.testkit.command.OutputOption;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.Callable;
import org.apache.hadoop.fs.FileUtil;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** {@code bin/hearth bench slo}: what the daemon of {@code bin/hearth slo run} takes of a machine on a cluster of a thousand servers. */
@Command(
        name = "slo",
        description = {
            "What slo run takes of a machine on a large cluster.",
            "Starts RegionServers that answer each get and put at once, each with an address of its own",
            "on loopback, and an HMaster that reports their regions; then slo run as a process, with a",
            "get and a put a second of each. After a minute, in which it begins, it is measured: its",
            "processor time, its memory, and the share of its probes that were late or left out.",
            "STALL makes a cluster of processes instead, stops a RegionServer for 20 s by SIGSTOP, and",
            "compares what slo run and HBase's CanaryTool say of it with the truth. It takes five minutes.",
            "DISK writes days of such probes with a clock of their own, and measures the folder; of 35 days",
            "it writes two and multiplies, or as many as it is told."
        },
        sortOptions = false,
        usageHelpAutoWidth = true,
        footerHeading = "%nExamples:%n",
        footer = "  bin/hearth bench slo --seconds 60")
final class BenchSloCommand implements Callable<Integer> {

    @Spec
    private CommandSpec spec;

    /** What is measured. */
    enum Part {
        LOAD,
        STALL,
        DISK
    }

    @Option(names = "--part", paramLabel = "PART", description = "${COMPLETION-CANDIDATES} (default LOAD)")
    private Part part = Part.LOAD;

    @Option(names = "--servers", paramLabel = "N", description = "RegionServers, 1 to 10000 (default 1000)")
    private int servers = 1_000;

    @Option(names = "--regions", paramLabel = "N", description = "regions that each reports, 0 to 1000 (default 100)")
    private int regions = 100;

    @Option(names = "--seconds", paramLabel = "N", description = "how long it is measured, 5 to 86400 (default 300)")
    private int seconds = 300;

    @Option(names = "--days", paramLabel = "N", description = "DISK: how many days are written, 1 to 60 (default 2)")
    private int days = 2;

    @Option(
            names = "--heap",
            paramLabel = "SIZE",
            description = "the daemon's -Xmx (default 640m, as bin/hearth has it)")
    private String heap = "640m";

    @Mixin
    private OutputOption output;

    @Override
    public Integer call() throws IOException, InterruptedException {
        requireInRange("--servers", servers, 1, 10_000);
        requireInRange("--regions", regions, 0, 1_000);
        requireInRange("--seconds", seconds, 5, 86_400);
        requireInRange("--days", days, 1, 60);
        if (!heap.matches("\\d{1,6}[kmgKMG]")) {
            throw Commands.problem(spec, "--heap is " + heap + "; it must be a size like 512m");
        }
        ThresholdReport thresholds = new ThresholdReport();
        Path folder = Files.createTempDirectory("hearth-bench-slo");
        try {
            switch (part) {
                case LOAD ->
                    new SloLoad(servers, regions, seconds, heap).measure(folder, thresholds, output.forPerson());
                case STALL -> measureStall(folder, thresholds);
                case DISK -> new SloDisk(servers, days).measure(folder, thresholds, output.forPerson());
            }
        } finally {
            FileUtil.fullyDelete(folder.toFile());
        }
        return thresholds.end(output);
    }

    private void measureStall(Path folder, ThresholdReport thresholds) throws IOException, InterruptedException {
        Path cluster = folder.resolve("cluster");
        // Before any name is looked up: the names of the cluster's hosts are known nowhere else.
        System.setProperty("jdk.net.hosts.file", cluster.resolve("conf/hosts").toString());
        SloStall.measure(cluster, folder, thresholds, output.forPerson());
    }

    private void requireInRange(String name, int value, int least, int most) {
        if (value < least || value > most) {
            throw Commands.problem(spec, name + " is " + value + "; allowed are " + least + " to " + most);
        }
    }
}
