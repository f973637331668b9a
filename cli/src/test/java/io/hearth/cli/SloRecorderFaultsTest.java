// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.hearth.slo.objective.ObjectivesFile;
import io.hearth.slo.probe.MinuteSummary;
import io.hearth.slo.probe.ProbeCounts.Event;
import io.hearth.slo.probe.ProbeKind;
import io.hearth.slo.probe.ProbeRate;
import io.hearth.slo.probe.ProbeSender.Answer;
import io.hearth.slo.probe.Prober;
import io.hearth.slo.store.FullDisk;
import io.hearth.slo.store.SloReader;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The prober, the minute's line and the recorder as the daemon has them, on a clock that the test turns. */
class SloRecorderFaultsTest {

    /** 15 November 2026, 12:00 UTC. */
    private static final long NOON = 1_794_744_000_000L;

    private static final long SECOND_NANOS = 1_000_000_000;
    private static final long HOUR_MS = 3_600_000;
    private static final long FLUSH_SECONDS = 30;
    private static final Set<String> SERVERS = IntStream.range(0, 10)
            .mapToObj(server -> "host" + server + ":16020")
            .collect(Collectors.toSet());
    private static final ObjectivesFile OBJECTIVES =
            ObjectivesFile.parse("gets: 99.9 % of gets under 50 ms, 30 days", "objectives");

    @TempDir
    private Path folder;

    private final List<String> problems = new ArrayList<>();
    private final FullDisk disk = new FullDisk();
    private final MinuteSummary summary = new MinuteSummary();
    private long nanos;
    private long wallMs = NOON;
    private long sent;
    private long failed;
    private boolean isFailing;
    private SloRecorder recorder;
    private Prober prober;

    @BeforeEach
    void start() throws IOException {
        recorder = open("a");
        prober = new Prober(
                Map.of(ProbeKind.GET, ProbeRate.of(Duration.ofSeconds(1), Duration.ofSeconds(10))),
                () -> nanos,
                () -> wallMs,
                1,
                1_000,
                summary.andThen(result -> recorder.accept(result)));
        prober.serve(ProbeKind.GET, this::send, SERVERS);
    }

    private SloRecorder open(String instance) throws IOException {
        return SloRecorder.open(
                disk.openStore(folder, instance, OBJECTIVES.limits(), problems::add),
                folder,
                instance,
                OBJECTIVES,
                wallMs,
                problems::add);
    }

    private CompletableFuture<Answer> send(String server) {
        sent++;
        if (isFailing && server.equals("host0:16020")) {
            failed++;
            return CompletableFuture.failedFuture(new IOException("down"));
        }
        return CompletableFuture.completedFuture(Answer.RIGHT);
    }

    /** Both clocks go on; what was sent is judged by the next turn. */
    private void run(long seconds) {
        long endNanos = nanos + seconds * SECOND_NANOS;
        long flushNanos = nanos + FLUSH_SECONDS * SECOND_NANOS;
        while (nanos < endNanos) {
            long pause = (Math.max(1_000_000, prober.turn()) + 999_999) / 1_000_000;
            nanos += pause * 1_000_000;
            wallMs += pause;
            if (nanos >= flushNanos) {
                recorder.flush(wallMs);
                flushNanos += FLUSH_SECONDS * SECOND_NANOS;
                assertThat(recorder.reasonToBrake(wallMs)).isEmpty();
            }
        }
        // What one sends the next one judges.
        prober.turn();
        prober.turn();
        recorder.flush(wallMs);
    }

    /** Due and bad gets by minute. */
    private Map<Long, long[]> stored(String instance) throws IOException {
        Map<Long, long[]> byMinute = new TreeMap<>();
        SloReader.of(folder, List.of(instance), problems::add).clusterMinutes(0, Long.MAX_VALUE, part -> {
            long[] counts = byMinute.computeIfAbsent(part.startMs(), start -> new long[2]);
            counts[0] += part.due(ProbeKind.GET);
            counts[1] += part.due(ProbeKind.GET) - part.good(ProbeKind.GET, 50_000);
        });
        return byMinute;
    }

    private static long sum(Map<Long, long[]> byMinute, int place) {
        return byMinute.values().stream().mapToLong(counts -> counts[place]).sum();
    }

    private void failFor(long seconds) {
        isFailing = true;
        run(seconds);
        isFailing = false;
    }

    @ParameterizedTest
    @ValueSource(longs = {HOUR_MS, -HOUR_MS})
    void aClockThatIsSetByAnHourWhileTheDiskIsFullLosesNoProbe(long jumpMs) throws IOException {
        run(300);
        failFor(15);
        run(45);
        disk.freeBytes(200);
        run(300);
        wallMs += jumpMs;
        run(300);
        disk.freeBytes(Long.MAX_VALUE);
        run(300);

        Map<Long, long[]> byMinute = stored("a");
        assertThat(failed).isEqualTo(15);
        assertThat(sum(byMinute, 0)).isEqualTo(sent);
        assertThat(sum(byMinute, 1)).isEqualTo(failed);
        assertThat(byMinute.values()).as("none has more than ten a second").allMatch(counts -> counts[0] <= 600);
        assertThat(byMinute.keySet())
                .as("11 minutes before and 10 after the clock was set, by the clock at the time")
                .allMatch(start -> start < NOON + 11 * 60_000 || start >= NOON + 11 * 60_000 + jumpMs)
                .hasSize(21);
        assertThat(prober.counts().count(Event.OWN_STALL)).isZero();
        assertThat(problems)
                .containsExactly(
                        folder.resolve("a")
                                + ": nothing can be written (No space left on device). Probes are counted in"
                                + " memory, and written once that is possible.",
                        folder.resolve("a") + ": written again; nothing is missing");
        assertThat(summary.take()).startsWith("get " + String.format("%,d", sent - failed) + " of ");
    }

    /** What kill -9 leaves in the folder is copied, since this process holds the lock of the first. */
    @Test
    void killLosesAtMostAMinuteAndTheNextProcessSaysTheSame() throws IOException {
        run(300);
        failFor(15);
        long flushedAtLatest = sent;
        for (long second = 0; second < 20; second++) {
            nanos += SECOND_NANOS / 50;
            wallMs += 20;
            prober.turn();
        }
        Path killed = Files.createDirectories(folder.resolve("killed"));
        try (Stream<Path> files = Files.list(folder.resolve("a"))) {
            for (Path file : files.filter(file -> !file.endsWith("lock")).toList()) {
                Files.copy(file, killed.resolve(file.getFileName()));
            }
        }
        try (SloRecorder next = open("killed")) {
            assertThat(sum(stored("killed"), 0)).isEqualTo(flushedAtLatest);
            assertThat(sum(stored("killed"), 1)).isEqualTo(failed);
            assertThat(next.objectives(wallMs))
                    .isEqualTo(recorder.objectives(wallMs))
                    .isPresent();
        }
        assertThat(problems).isEmpty();
    }
}
