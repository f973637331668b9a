// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.slo.store;

import static org.assertj.core.api.Assertions.assertThat;

import io.hearth.slo.probe.ProbeKind;
import io.hearth.slo.probe.ProbeResult;
import io.hearth.slo.probe.ProbeResult.Outcome;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * How many bytes are stored for each server, with a get and a put a second, an HDFS write and read a minute, and two NameNodes and the
 * registry each second. Latencies are lognormal about a median of each server's own; one in 200 takes twenty times as long, one in a
 * thousand fails, and one server stands still for 20 s each minute.
 */
class StoreSizeTest {

    private static final long NOON = 1_795_953_600_000L;
    private static final long MINUTE = 60_000;
    private static final long MOST_BYTES = 1_500_000_000;

    @TempDir
    private Path folder;

    private final List<String> problems = new ArrayList<>();
    private final Random random = new Random(29);

    /** An hour of 100 servers; what is stored of each server grows with their number, the cluster's latencies do not. */
    @Test
    void aThousandServersFitInOneAndAHalfGigabytes() throws IOException {
        int servers = 100;
        try (SloStore store = open()) {
            long longestNanos = 0;
            for (int half = 0; half < 120; half++) {
                longestNanos = Math.max(longestNanos, writeHalfAMinute(store, servers, half));
            }
            long before = System.nanoTime();
            store.flush(NOON + 65 * MINUTE);
            System.out.printf(
                    "%d servers: half a minute is written in at most %d ms, the hour is added up in %d ms%n",
                    servers, longestNanos / 1_000_000, (System.nanoTime() - before) / 1_000_000);
        }
        double clusterMinute = bytes("cluster") / 60.0;
        double serverMinute = bytes("minutes") / 60.0 / servers;
        double serverHour = (double) bytes("hours") / servers;
        // A file goes as a whole: an hour's, or a day's, is there longer than what is in it has to be.
        double all = Duration.ofDays(36).toMinutes() * clusterMinute * 2
                + 1_000
                        * (Duration.ofHours(25).toMinutes() * serverMinute
                                + Duration.ofDays(36).toHours() * serverHour);
        System.out.printf(
                "%d servers: %.0f bytes a minute of the cluster, %.1f a server and minute, %.0f a server and hour;"
                        + " 1,000 servers by extrapolation %.0f MB%n",
                servers, clusterMinute, serverMinute, serverHour, all / 1e6);

        assertThat(problems).isEmpty();
        assertThat(serverMinute).as("bytes a server and minute").isLessThan(200);
        assertThat(serverHour).as("bytes a server and hour").isLessThan(900);
        assertThat(all).as("bytes of 1,000 servers").isLessThan(MOST_BYTES);
    }

    /** Counts of 1,000 servers, of which hardly any had a failure, are little beside the cluster's histograms. */
    @Test
    void aMinuteOfAThousandServersIsSmall() throws IOException {
        try (SloStore store = open()) {
            writeHalfAMinute(store, 1_000, 0);
            writeHalfAMinute(store, 1_000, 1);
            long clusterBytes = bytes("cluster");
            long serverBytes = bytes("minutes");
            long nanos = writeHalfAMinute(store, 1_000, 2) + writeHalfAMinute(store, 1_000, 3);
            clusterBytes = bytes("cluster") - clusterBytes;
            serverBytes = bytes("minutes") - serverBytes;
            System.out.printf(
                    "1,000 servers: a minute is %d bytes of the cluster and %d of servers, written in %d ms%n",
                    clusterBytes, serverBytes, nanos / 1_000_000);

            assertThat(clusterBytes).isLessThan(8_000);
            assertThat(serverBytes).isLessThan(200_000);
        }
    }

    private SloStore open() throws IOException {
        return SloStore.open(folder, "a", Limits.of(ProbeKind.GET, 10_000L, 50_000L), problems::add);
    }

    private long writeHalfAMinute(SloStore store, int servers, int half) {
        long fromMs = NOON + half * MINUTE / 2;
        probeHalfAMinute(store, servers, fromMs);
        long before = System.nanoTime();
        store.flush(fromMs + MINUTE / 2 - 1);
        return System.nanoTime() - before;
    }

    private void probeHalfAMinute(SloStore store, int servers, long fromMs) {
        int stalled = random.nextInt(servers);
        for (int second = 0; second < 30; second++) {
            long dueAtMs = fromMs + second * 1_000L;
            for (int server = 0; server < servers; server++) {
                long stallMicros = server == stalled && second < 20 ? (20 - second) * 1_000_000L : 0;
                String target = "regionserver-%04d.example.org:16020".formatted(server);
                store.accept(result(ProbeKind.GET, target, dueAtMs, 1_000 + 5 * server, stallMicros));
                store.accept(result(ProbeKind.PUT, target, dueAtMs, 2_000 + 5 * server, stallMicros));
                if (server % 60 == second + fromMs / 1_000 % 60) {
                    String dataNode = "regionserver-%04d.example.org:9866".formatted(server);
                    store.accept(result(ProbeKind.HDFS_WRITE, dataNode, dueAtMs, 9_000, 0));
                    store.accept(result(ProbeKind.HDFS_READ, dataNode, dueAtMs, 4_000, 0));
                }
            }
            for (String nameNode : List.of("namenode-1:8020", "namenode-2:8020")) {
                store.accept(result(ProbeKind.NAMENODE, nameNode, dueAtMs, 700, 0));
            }
            store.accept(result(ProbeKind.REGISTRY, "registry", dueAtMs, 400, 0));
        }
    }

    private ProbeResult result(ProbeKind kind, String target, long dueAtMs, double medianMicros, long stallMicros) {
        double micros = medianMicros * Math.exp(0.5 * random.nextGaussian());
        long slow = random.nextInt(200) == 0 ? 20 : 1;
        Outcome outcome = random.nextInt(1_000) == 0 ? Outcome.FAILED : Outcome.ANSWERED;
        return new ProbeResult(kind, target, dueAtMs, (long) (micros * slow) + stallMicros, outcome);
    }

    private long bytes(String series) throws IOException {
        long sum = 0;
        try (Stream<Path> files = Files.list(folder.resolve("a"))) {
            for (Path file : files.toList()) {
                sum += file.getFileName().toString().startsWith(series + "-") ? Files.size(file) : 0;
            }
        }
        return sum;
    }
}
