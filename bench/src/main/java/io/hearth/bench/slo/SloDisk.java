// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.bench.slo;

import io.hearth.bench.threshold.ThresholdReport;
import io.hearth.slo.probe.ProbeKind;
import io.hearth.slo.probe.ProbeResult;
import io.hearth.slo.probe.ProbeResult.Outcome;
import io.hearth.slo.store.Limits;
import io.hearth.slo.store.SloStore;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.stream.DoubleStream;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/**
 * How much disk the daemon takes that probes many servers: days of probes go through its store, as fast as that takes them.
 *
 * <p>Each server is asked for a get and a put a second and an HDFS write and read a minute; two NameNodes and the registry each second.
 * Latencies are lognormal about a median of each server's own; one in 200 takes twenty times as long, one in a thousand fails, and one
 * server stands still for 20 s each half minute. Immutable.
 *
 * @param days that are played, from midnight (UTC) on
 */
public record SloDisk(int servers, int days) {

    private static final long MIDNIGHT_MS = 1_795_910_400_000L;
    private static final long HALF_MINUTE_MS = SloStore.FLUSH_PERIOD.toMillis();
    private static final int HALF_MINUTE_SECONDS = (int) SloStore.FLUSH_PERIOD.toSeconds();
    private static final int STALL_SECONDS = 20;
    private static final long SEED = 29;

    /** The files of 35 days, and the one that is written. */
    private static final int KEPT_DAYS = 36;

    private static final double MOST_GIGABYTES = 1.5;
    private static final double MEGABYTE = 1e6;
    private static final double GIGABYTE = 1e9;

    /** Drawn once: a thousandth of their mean more or less makes no difference to what is stored. */
    private static final double[] SPREAD = spread();

    private static double[] spread() {
        SplittableRandom random = new SplittableRandom(SEED);
        return DoubleStream.generate(() -> Math.exp(0.5 * random.nextGaussian()))
                .limit(1 << 16)
                .toArray();
    }

    /**
     * Measures it, and prints figures beside the threshold.
     *
     * @param folder for what the daemon keeps
     * @throws IOException also if the store had something to complain of
     */
    public void measure(Path folder, ThresholdReport thresholds, PrintWriter out) throws IOException {
        List<String> problems = new ArrayList<>();
        Map<String, Long> mostBytes = new TreeMap<>();
        long longestNanos = 0;
        try (SloStore store = SloStore.open(folder, "a", Limits.of(ProbeKind.GET, 10_000L, 50_000L), problems::add)) {
            Probes probes = new Probes(store);
            long endMs = MIDNIGHT_MS + TimeUnit.DAYS.toMillis(days);
            for (long fromMs = MIDNIGHT_MS; fromMs < endMs; fromMs += HALF_MINUTE_MS) {
                probes.playHalfAMinute(fromMs);
                long beganNanos = System.nanoTime();
                store.flush(fromMs + HALF_MINUTE_MS - 1);
                longestNanos = Math.max(longestNanos, System.nanoTime() - beganNanos);
                if ((fromMs + HALF_MINUTE_MS) % Duration.ofHours(1).toMillis() == 0) {
                    watch(folder, mostBytes);
                }
                if ((fromMs + HALF_MINUTE_MS) % Duration.ofDays(1).toMillis() == 0) {
                    out.printf(
                            Locale.ROOT,
                            "day %d is played%n",
                            (fromMs - MIDNIGHT_MS) / Duration.ofDays(1).toMillis() + 1);
                    out.flush();
                }
            }
            // The last hour is added up once it has been over for some minutes.
            store.flush(endMs + Duration.ofMinutes(10).toMillis());
            watch(folder, mostBytes);
        }
        if (!problems.isEmpty()) {
            throw new IOException(String.join("; ", problems));
        }
        report(mostBytes, longestNanos, thresholds, out);
    }

    /** The largest that each series was: of minutes all its files together, of others one day's. */
    private static void watch(Path folder, Map<String, Long> mostBytes) throws IOException {
        Map<String, Long> bytes = new TreeMap<>();
        try (Stream<Path> files = Files.list(folder.resolve("a"))) {
            for (Path file : files.toList()) {
                String series = file.getFileName().toString().replaceFirst("-.*", "");
                long size = Files.size(file);
                bytes.merge(series, size, series.equals("minutes") ? Long::sum : Math::max);
                bytes.merge("all", size, Long::sum);
            }
        }
        bytes.forEach((series, size) -> mostBytes.merge(series, size, Math::max));
    }

    private void report(Map<String, Long> mostBytes, long longestNanos, ThresholdReport thresholds, PrintWriter out) {
        long minutes = mostBytes.getOrDefault("minutes", 0L);
        long hours = mostBytes.getOrDefault("hours", 0L);
        long cluster = mostBytes.getOrDefault("cluster", 0L);
        out.println(thresholds.about(
                String.format(Locale.ROOT, "what slo run keeps of %,d servers, %d days played:", servers, days)));
        out.println(thresholds.figure("  latencies of servers by minute, at most", minutes / MEGABYTE, "MB"));
        out.println(thresholds.figure("  latencies of servers by hour, a day", hours / MEGABYTE, "MB"));
        out.println(thresholds.figure("  the cluster, and counts of servers, a day", cluster / MEGABYTE, "MB"));
        out.println(thresholds.figure(
                "  the folder, at most, in these days", mostBytes.getOrDefault("all", 0L) / MEGABYTE, "MB"));
        out.println(thresholds.atMost(
                "  the folder with " + KEPT_DAYS + " such days",
                (minutes + KEPT_DAYS * (hours + cluster)) / GIGABYTE,
                MOST_GIGABYTES,
                "GB"));
        out.println(thresholds.figure("  longest time that writing took", longestNanos / 1e6, "ms"));
        out.flush();
    }

    /** What is asked, and what comes of it. */
    private final class Probes {
        private final SloStore store;
        private final SplittableRandom random = new SplittableRandom(SEED);
        private final List<String> regionServers = names(16_020);
        private final List<String> dataNodes = names(9_866);

        private Probes(SloStore store) {
            this.store = store;
        }

        private List<String> names(int port) {
            return IntStream.range(0, servers)
                    .mapToObj(server -> "host-%04d.example.org:%d".formatted(server, port))
                    .toList();
        }

        private void playHalfAMinute(long fromMs) {
            int stalled = random.nextInt(servers);
            for (int second = 0; second < HALF_MINUTE_SECONDS; second++) {
                long dueAtMs = fromMs + TimeUnit.SECONDS.toMillis(second);
                int ofMinute = (int) (TimeUnit.MILLISECONDS.toSeconds(dueAtMs) % 60);
                for (int server = 0; server < servers; server++) {
                    long stallMicros = server == stalled && second < STALL_SECONDS
                            ? TimeUnit.SECONDS.toMicros(STALL_SECONDS - second)
                            : 0;
                    String regionServer = regionServers.get(server);
                    play(ProbeKind.GET, regionServer, dueAtMs, 1_000 + 5 * server, stallMicros);
                    play(ProbeKind.PUT, regionServer, dueAtMs, 2_000 + 5 * server, stallMicros);
                    if (server % 60 == ofMinute) {
                        play(ProbeKind.HDFS_WRITE, dataNodes.get(server), dueAtMs, 9_000, 0);
                        play(ProbeKind.HDFS_READ, dataNodes.get(server), dueAtMs, 4_000, 0);
                    }
                }
                play(ProbeKind.NAMENODE, "namenode-1:8020", dueAtMs, 700, 0);
                play(ProbeKind.NAMENODE, "namenode-2:8020", dueAtMs, 700, 0);
                play(ProbeKind.REGISTRY, "registry", dueAtMs, 400, 0);
            }
        }

        private void play(ProbeKind kind, String target, long dueAtMs, int medianMicros, long stallMicros) {
            double micros = medianMicros * SPREAD[random.nextInt(SPREAD.length)];
            int slow = random.nextInt(200) == 0 ? 20 : 1;
            Outcome outcome = random.nextInt(1_000) == 0 ? Outcome.FAILED : Outcome.ANSWERED;
            store.accept(new ProbeResult(kind, target, dueAtMs, (long) (micros * slow) + stallMicros, outcome));
        }
    }
}
