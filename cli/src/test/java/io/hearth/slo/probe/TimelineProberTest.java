// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.slo.probe;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.hearth.slo.probe.TimelineRead.Answer;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.RejectedExecutionException;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Timeline-consistent reads on a clock that the test turns. */
class TimelineProberTest {

    private static final long SEED = 27;
    private static final long MS = 1_000_000;
    private static final long SECOND = 1_000 * MS;
    private static final long WALL_START_MS = 1_700_000_000_000L;
    private static final Duration LIMIT = Duration.ofSeconds(10);

    private record Sent(String server, int timeoutMs, long nanos, CompletableFuture<Optional<Boolean>> answer) {}

    private final List<TimelineRead> results = new ArrayList<>();
    private final List<Sent> sent = new ArrayList<>();
    private long nanos;

    private TimelineProber prober(TimelineProber.Source source, Integer... timeoutsMs) {
        return new TimelineProber(
                List.of(timeoutsMs), source, LIMIT, () -> nanos, () -> WALL_START_MS + nanos / MS, SEED, results::add);
    }

    /** Answers when the test says so. */
    private CompletableFuture<Optional<Boolean>> later(String server, int timeoutMs) {
        Sent read = new Sent(server, timeoutMs, nanos, new CompletableFuture<>());
        sent.add(read);
        return read.answer();
    }

    private void run(TimelineProber prober, long untilNanos) {
        while (nanos < untilNanos) {
            long pauseNanos = Math.max(1, prober.turn());
            nanos = Math.max(nanos, Math.min(untilNanos, nanos + pauseNanos));
        }
        prober.turn();
    }

    private static CompletableFuture<Optional<Boolean>> now(boolean isStale) {
        return CompletableFuture.completedFuture(Optional.of(isStale));
    }

    @Test
    void eachServerIsReadOnceASecondInTurnWithEachTimeout() {
        TimelineProber prober = prober(this::later, 10, 100, 1_000);
        prober.serve(Set.of("a", "b"));

        run(prober, 9 * SECOND);

        Map<String, List<Sent>> byServer = sent.stream().collect(Collectors.groupingBy(Sent::server));
        assertThat(byServer.keySet()).containsExactlyInAnyOrder("a", "b");
        byServer.forEach((server, reads) -> {
            assertThat(reads)
                    .extracting(Sent::timeoutMs)
                    .containsExactly(10, 100, 1_000, 10, 100, 1_000, 10, 100, 1_000);
            for (int read = 1; read < reads.size(); read++) {
                assertThat(reads.get(read).nanos() - reads.get(read - 1).nanos())
                        .as("%s, read %d", server, read)
                        .isEqualTo(SECOND);
            }
        });
    }

    @Test
    void aReadCountsFromWhenItWasDueAndSaysWhoAnswered() {
        TimelineProber prober = prober(this::later, 10);
        prober.serve(Set.of("a"));
        run(prober, 3 * SECOND);

        sent.get(0).answer().complete(Optional.of(false));
        sent.get(1).answer().complete(Optional.of(true));
        sent.get(2).answer().completeExceptionally(new IOException("refused"));
        prober.turn();

        assertThat(results).containsExactly(read(0, Answer.FRESH), read(1, Answer.STALE), read(2, Answer.NONE));
    }

    private TimelineRead read(int number, Answer answer) {
        long dueNanos = sent.get(number).nanos();
        return new TimelineRead(10, WALL_START_MS + dueNanos / MS, (3 * SECOND - dueNanos) / 1_000, answer);
    }

    @Test
    void aServerWithoutSuchARegionSaysNothing() {
        TimelineProber prober = prober((server, timeoutMs) -> CompletableFuture.completedFuture(Optional.empty()), 10);
        prober.serve(Set.of("a"));

        run(prober, 5 * SECOND);

        assertThat(results).isEmpty();
    }

    /** 17 are under way at a time; none is hidden by those before it. */
    @Test
    void whatCanNotBeSentCountsAsNotAnswered() {
        TimelineProber prober = prober(this::later, 10);
        prober.serve(Set.of("a"));

        run(prober, 20 * SECOND);

        assertThat(sent).hasSize(17);
        assertThat(results).hasSize(3).extracting(TimelineRead::answer).containsOnly(Answer.NONE);

        results.clear();
        TimelineProber full = prober(
                (server, timeoutMs) -> {
                    throw new RejectedExecutionException("closed");
                },
                10);
        full.serve(Set.of("a"));
        run(full, nanos + 2 * SECOND);
        assertThat(results).hasSize(2).extracting(TimelineRead::answer).containsOnly(Answer.NONE);
    }

    /** A client that stands still for 300 ms takes each primary for one that is slower than 10 ms. */
    @Test
    void whatEndedOrWasDueWhileThisProcessStoodStillIsNotCounted() {
        TimelineProber prober = prober(this::later, 10);
        prober.serve(Set.of("a"));
        run(prober, SECOND);
        assertThat(sent).hasSize(1);

        nanos += 2_300 * MS;
        sent.get(0).answer().complete(Optional.of(true));
        prober.turn();
        assertThat(results).isEmpty();
        assertThat(sent).as("those that were due meanwhile").hasSize(1);

        run(prober, nanos + 4 * SECOND);
        sent.get(sent.size() - 1).answer().complete(Optional.of(true));
        prober.turn();
        assertThat(results).extracting(TimelineRead::answer).containsExactly(Answer.STALE);
    }

    /** The next read is due long after it, so that only the time that the sending took shows it. */
    @Test
    void whatEndedWhileThisProcessStoodStillAsItSentAReadIsNotCounted() {
        TimelineProber prober = prober(
                (server, timeoutMs) -> {
                    CompletableFuture<Optional<Boolean>> answer = later(server, timeoutMs);
                    if (sent.size() == 1) {
                        nanos += 300 * MS;
                        answer.complete(Optional.of(true));
                    }
                    return answer;
                },
                10);
        prober.serve(Set.of("a"));

        run(prober, SECOND);
        assertThat(sent).hasSize(1);
        prober.turn();
        assertThat(results).isEmpty();

        run(prober, nanos + SECOND);
        sent.get(1).answer().complete(Optional.of(false));
        prober.turn();
        assertThat(results).extracting(TimelineRead::answer).containsExactly(Answer.FRESH);
    }

    @Test
    void whatIsDueInATurnIsNotReadAfterAStallWithinIt() {
        TimelineProber prober = prober(
                (server, timeoutMs) -> {
                    if (sent.isEmpty()) {
                        nanos += 300 * MS;
                    }
                    return later(server, timeoutMs);
                },
                10);
        prober.serve(IntStream.range(0, 1_000).mapToObj(host -> "host" + host).collect(Collectors.toSet()));
        prober.turn();
        nanos += 20 * MS;

        prober.turn();

        assertThat(sent).as("of about 20 that were due, of seed %d", SEED).hasSize(1);
    }

    @Test
    void aServerThatIsGoneIsReadNoMore() {
        Map<String, Integer> reads = new HashMap<>();
        TimelineProber prober = prober(
                (server, timeoutMs) -> {
                    reads.merge(server, 1, Integer::sum);
                    return now(false);
                },
                10);
        prober.serve(Set.of("a", "b"));
        run(prober, 3 * SECOND);
        prober.serve(Set.of("b"));
        run(prober, 6 * SECOND);

        assertThat(reads).isEqualTo(Map.of("a", 3, "b", 6));
        assertThat(results).hasSize(9);
    }

    @Test
    void aReadIsNeitherWithoutATimeoutNorOfBefore() {
        assertThatThrownBy(() -> new TimelineRead(0, 0, 0, Answer.NONE))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("timeout of 0 ms, latency of 0 us");
        assertThatThrownBy(() -> new TimelineRead(10, 0, -1, Answer.NONE))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("timeout of 10 ms, latency of -1 us");
    }
}
