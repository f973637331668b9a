// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.bench.slo;

import io.hearth.bench.threshold.ThresholdReport;
import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Locale;
import java.util.Map;
import java.util.OptionalLong;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.conf.Configuration;

/**
 * What the daemon costs that probes many RegionServers, after a minute in which it begins. Immutable.
 *
 * @param regionsPerServer that each reports
 * @param seconds that are measured
 * @param heap of the daemon, as {@code -Xmx} has it
 */
public record SloLoad(int servers, int regionsPerServer, int seconds, String heap) {

    private static final double MOST_CORES = 1;
    private static final double MOST_MEGABYTES = 1_024;
    private static final double MOST_LATE_PERCENT = 1;
    private static final double LEAST_GOOD_PERCENT = 99.9;

    /** Of a get and a put a second of each. */
    private static final double LEAST_OF_RATE = 0.98;

    private static final double MEGABYTE = 1 << 20;

    /**
     * Measures it, and prints figures beside thresholds.
     *
     * @param folder for what the daemon keeps
     */
    public void measure(Path folder, ThresholdReport thresholds, PrintWriter out)
            throws IOException, InterruptedException {
        try (StubRegionServers servers = StubRegionServers.start(this.servers, regionsPerServer);
                SloDaemonProcess daemon = SloDaemonProcess.start(folder, conf(folder, servers.site()), heap)) {
            int begun = daemon.awaitFirstMinute();
            Duration before = daemon.processorTime();
            long beginNanos = System.nanoTime();
            long answeredBefore = servers.answered();
            Thread.sleep(TimeUnit.SECONDS.toMillis(seconds));
            double cores =
                    (daemon.processorTime().toNanos() - before.toNanos()) / (double) (System.nanoTime() - beginNanos);
            long answered = servers.answered() - answeredBefore;
            OptionalLong resident = daemon.peakResidentBytes();
            daemon.close();
            SloMinute sum = daemon.lines().stream()
                    .skip(begun)
                    .flatMap(line -> SloMinute.parse(line).stream())
                    .reduce(new SloMinute(0, 0, 0, 0), SloMinute::plus);
            out.println(thresholds.about(String.format(
                    Locale.ROOT,
                    "slo run, %,d RegionServers, %,d regions each, %d s:",
                    this.servers,
                    regionsPerServer,
                    seconds)));
            out.println(thresholds.atMost("  CPU of the daemon", cores, MOST_CORES, "cores"));
            out.println(thresholds.atMost(
                    "  resident, at most", resident.orElse(Long.MAX_VALUE) / MEGABYTE, MOST_MEGABYTES, "MB"));
            daemon.mostHeapBytes()
                    .ifPresent(bytes -> out.println(
                            thresholds.figure("  heap after a collection, at most", bytes / MEGABYTE, "MB")));
            reportProbes(sum, answered, thresholds, out);
        }
    }

    private static Path conf(Path folder, Map<String, String> site) throws IOException {
        Path conf = Files.createDirectories(folder.resolve("conf"));
        try (OutputStream out = Files.newOutputStream(conf.resolve("hbase-site.xml"))) {
            Configuration properties = new Configuration(false);
            site.forEach(properties::set);
            properties.writeXml(out);
        }
        return conf;
    }

    private void reportProbes(SloMinute sum, long answered, ThresholdReport thresholds, PrintWriter out) {
        double perSecond = (double) answered / seconds;
        out.println(thresholds.atLeast("  answered a second", perSecond, LEAST_OF_RATE * 2 * servers, ""));
        out.println(thresholds.atLeast("  good probes", 100.0 * sum.good() / sum.due(), LEAST_GOOD_PERCENT, "%"));
        out.println(thresholds.atMost("  late probes", 100 * sum.lateShare(), MOST_LATE_PERCENT, "%"));
        out.flush();
    }
}
