// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.slo.probe;

import static io.hearth.slo.probe.ProbeKind.GET;
import static io.hearth.slo.probe.ProbeKind.PUT;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.hearth.slo.probe.ProbeCounts.Event;
import io.hearth.slo.probe.ProbeResult.Outcome;
import io.hearth.slo.probe.ProbeSender.Answer;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.PriorityQueue;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.RejectedExecutionException;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Probes on a clock that the test turns, of targets whose answers take as long as the test says. */
class ProberTest {

    private static final long SEED = 27;
    private static final long MS = 1_000_000;
    private static final long SECOND = 1_000 * MS;
    private static final long WALL_START_MS = 1_700_000_000_000L;

    private final List<ProbeResult> results = new ArrayList<>();
    private final SimulatedTime time = new SimulatedTime();

    /** A monotonic and a wall clock, and what happens by them. */
    private static final class SimulatedTime {

        private record Happening(long nanos, Runnable what) {}

        private final PriorityQueue<Happening> happenings =
                new PriorityQueue<>(Comparator.comparingLong(Happening::nanos));
        private long nanos;
        private long wallOffsetMs = WALL_START_MS;

        void at(long when, Runnable what) {
            happenings.add(new Happening(when, what));
        }

        long wallMs() {
            return wallOffsetMs + nanos / MS;
        }

        /** Time goes on, and what was to happen until then does. */
        void advanceTo(long until) {
            while (!happenings.isEmpty() && happenings.element().nanos() <= until) {
                Happening next = happenings.remove();
                nanos = Math.max(nanos, next.nanos());
                next.what().run();
            }
            nanos = Math.max(nanos, until);
        }
    }

    private Prober prober(Map<ProbeKind, ProbeRate> rates, int maxOutstanding) {
        return new Prober(rates, () -> time.nanos, time::wallMs, SEED, maxOutstanding, results::add);
    }

    private Prober getter(Duration period, Duration limit, ProbeSender sender, String... targets) {
        Prober prober = prober(Map.of(GET, ProbeRate.of(period, limit)), 100_000);
        prober.serve(GET, sender, Set.of(targets));
        return prober;
    }

    private void run(Prober prober, long untilNanos) {
        while (time.nanos < untilNanos) {
            time.advanceTo(Math.min(untilNanos, time.nanos + Math.max(1, prober.turn())));
        }
        prober.turn();
    }

    /** Time passes in which the process does not run: what arrives meanwhile is seen at its end. */
    private void standStill(long nanos) {
        time.nanos += nanos;
        time.advanceTo(time.nanos);
    }

    private CompletableFuture<Answer> answerAfter(long nanos, Answer answer) {
        CompletableFuture<Answer> future = new CompletableFuture<>();
        time.at(time.nanos + nanos, () -> future.complete(answer));
        return future;
    }

    /** Answers after a millisecond, but for a time in which it does nothing. */
    private ProbeSender stalling(long fromNanos, long toNanos) {
        return target -> {
            boolean isStalled = time.nanos >= fromNanos && time.nanos < toNanos;
            return answerAfter(isStalled ? toNanos - time.nanos + MS : MS, Answer.RIGHT);
        };
    }

    private long count(Outcome outcome) {
        return results.stream().filter(result -> result.outcome() == outcome).count();
    }

    /** A closed loop sends the next probe when it has the answer to the one before: twenty seconds are one slow probe of 4,001. */
    @Test
    void aTargetThatStandsStillForTwentySecondsIsSlowTwoThousandTimesAndOnceInAClosedLoop() {
        Prober prober = getter(
                Duration.ofMillis(10), Duration.ofSeconds(60), stalling(20 * SECOND, 40 * SECOND), "host1:16020");

        run(prober, 60 * SECOND + 100 * MS);

        long limitMicros = 50_000;
        long slow = results.stream()
                .filter(result -> result.latencyMicros() > limitMicros)
                .count();
        double availability = 1 - (double) slow / results.size();
        assertThat(slow).isBetween(1_990L, 2_000L);
        assertThat(availability).isCloseTo(1 - 20.0 / 60, within(0.01));
        assertThat(count(Outcome.ANSWERED)).isEqualTo(results.size()).isGreaterThan(5_990);
        assertThat(prober.counts().count(Event.OWN_STALL)).isZero();
        assertThat(slowOfAClosedLoop(limitMicros)).containsExactly(1L, 4_001L);
    }

    /** How many are slow, of how many. */
    private static List<Long> slowOfAClosedLoop(long limitMicros) {
        long slow = 0;
        long probes = 0;
        for (long now = 0; now < 60 * SECOND; ) {
            long answered = (now >= 20 * SECOND && now < 40 * SECOND ? 40 * SECOND : now) + MS;
            slow += (answered - now) / 1_000 > limitMicros ? 1 : 0;
            probes++;
            now = Math.max(now + 10 * MS, answered);
        }
        return List.of(slow, probes);
    }

    @Test
    void aProbeWithoutAnAnswerIsGivenUpAtItsLimitAndAnAnswerThatComesThenCountsNoMore() {
        Prober prober = getter(
                Duration.ofSeconds(1), Duration.ofSeconds(2), target -> answerAfter(3 * SECOND, Answer.RIGHT), "a:1");

        run(prober, 10 * SECOND);

        assertThat(results).hasSizeBetween(7, 8).allSatisfy(result -> {
            assertThat(result.outcome()).isEqualTo(Outcome.TIMED_OUT);
            assertThat(result.latencyMicros()).isBetween(2_000_000L, 2_010_000L);
        });
    }

    @Test
    void whatCanNotBeSentSinceTooManyAreOutIsNotSentForOneTargetAndForAll() {
        CompletableFuture<Answer> never = new CompletableFuture<>();
        Prober few = prober(Map.of(GET, new ProbeRate(10 * MS, SECOND, 3)), 100);
        few.serve(GET, target -> never, Set.of("a:1"));
        run(few, SECOND / 2);
        assertThat(few.counts().count(GET, Event.SENT)).isEqualTo(3);
        assertThat(count(Outcome.NOT_SENT)).isEqualTo(results.size()).isBetween(45L, 48L);

        results.clear();
        Prober all = prober(Map.of(GET, new ProbeRate(10 * MS, SECOND, 3)), 5);
        all.serve(GET, target -> never, Set.of("a:1", "b:1", "c:1"));
        run(all, SECOND);
        assertThat(all.counts().count(GET, Event.SENT)).isEqualTo(5);
    }

    @Test
    void aSenderThatHasNoRoomOrIsBrokenIsTold() {
        Prober prober = prober(
                Map.of(
                        GET, ProbeRate.of(Duration.ofMillis(10), Duration.ofSeconds(1)),
                        PUT, ProbeRate.of(Duration.ofMillis(10), Duration.ofSeconds(1))),
                100);
        prober.serve(
                GET,
                target -> {
                    throw new RejectedExecutionException();
                },
                Set.of("a:1"));
        prober.serve(
                PUT,
                target -> {
                    throw new IllegalStateException("closed");
                },
                Set.of("a:1"));

        run(prober, SECOND);

        assertThat(results).hasSizeGreaterThan(190).allSatisfy(result -> assertThat(result.outcome())
                .isEqualTo(result.kind() == GET ? Outcome.NOT_SENT : Outcome.FAILED));
    }

    @Test
    void wrongAnswersAndErrorsFailAndWhatWasOnAnotherServerCountsNowhere() {
        List<CompletableFuture<Answer>> answers = List.of(
                CompletableFuture.completedFuture(Answer.WRONG),
                CompletableFuture.failedFuture(new IOException("reset")),
                CompletableFuture.completedFuture(Answer.NOT_ON_TARGET),
                CompletableFuture.completedFuture(Answer.RIGHT));
        List<String> sent = new ArrayList<>();
        Prober prober = getter(
                Duration.ofMillis(100),
                Duration.ofSeconds(1),
                target -> {
                    sent.add(target);
                    return answers.get((sent.size() - 1) % 4);
                },
                "a:1");

        run(prober, 4 * SECOND);

        assertThat(sent).hasSize(40);
        assertThat(count(Outcome.FAILED)).isEqualTo(20);
        assertThat(count(Outcome.ANSWERED)).isEqualTo(10);
        assertThat(results).hasSize(30);
        assertThat(prober.counts().count(GET, Event.NOT_ON_TARGET)).isEqualTo(10);
    }

    @Test
    void whileThisProcessStandsStillNoProbeIsDue() {
        Prober prober = getter(
                Duration.ofMillis(10),
                Duration.ofSeconds(1),
                target -> answerAfter(3 * MS, Answer.RIGHT),
                "a:1",
                "b:1");

        run(prober, 10 * SECOND);
        standStill(30 * SECOND);
        run(prober, 50 * SECOND);

        assertThat(results).hasSizeBetween(3_990, 4_004).allSatisfy(result -> {
            assertThat(result.outcome()).isEqualTo(Outcome.ANSWERED);
            assertThat(result.latencyMicros()).isLessThan(30_000L);
        });
        assertThat(prober.counts().count(Event.OWN_STALL)).isBetween(5_990L, 6_004L);
    }

    /** The next probe is due long after it, so that only the time that the sending took shows it. */
    @Test
    void aStallWhileAProbeIsSentIsNotInItsLatency() {
        Prober prober = getter(
                Duration.ofSeconds(1),
                Duration.ofSeconds(10),
                target -> {
                    CompletableFuture<Answer> answer = answerAfter(40 * MS, Answer.RIGHT);
                    if (results.size() == 3) {
                        standStill(300 * MS);
                    }
                    return answer;
                },
                "a:1");

        run(prober, 3 * SECOND + 999 * MS);
        assertThat(results).hasSize(3);
        assertThat(prober.counts().count(Event.OWN_STALL)).isOne();

        results.clear();
        run(prober, 6 * SECOND + 999 * MS);
        assertThat(results).hasSize(3).allSatisfy(result -> assertThat(result.latencyMicros())
                .isBetween(40_000L, 41_000L));
    }

    @Test
    void aStallWhileAnswersAreJudgedIsNotInTheLatencyOfTheNextAnswer() {
        Prober prober = new Prober(
                Map.of(GET, ProbeRate.of(Duration.ofMillis(100), Duration.ofSeconds(1))),
                () -> time.nanos,
                time::wallMs,
                SEED,
                100,
                result -> {
                    results.add(result);
                    if (results.size() == 20) {
                        standStill(300 * MS);
                    }
                });
        prober.serve(GET, target -> answerAfter(150 * MS, Answer.RIGHT), Set.of("a:1", "b:1", "c:1"));

        run(prober, 3 * SECOND);

        assertThat(results).hasSizeGreaterThan(65).allSatisfy(result -> assertThat(result.latencyMicros())
                .isBetween(149_000L, 190_000L));
        assertThat(prober.counts().count(Event.OWN_STALL)).isBetween(8L, 14L);
    }

    @Test
    void whatIsDueInATurnIsNotSentAfterAStallWithinIt() {
        List<String> sent = new ArrayList<>();
        Prober prober = getter(
                Duration.ofMillis(100),
                Duration.ofSeconds(1),
                target -> {
                    sent.add(target);
                    if (sent.size() == 1) {
                        standStill(300 * MS);
                    }
                    return CompletableFuture.completedFuture(Answer.RIGHT);
                },
                IntStream.range(0, 100).mapToObj(host -> "host" + host + ":1").toArray(String[]::new));
        prober.turn();
        time.advanceTo(20 * MS);

        prober.turn();
        assertThat(sent).as("of about 20 that were due, of seed %d", SEED).hasSize(1);
        assertThat(prober.counts().count(Event.OWN_STALL)).isBetween(270L, 300L);

        prober.turn();
        assertThat(sent).hasSizeBetween(15, 40);
        assertThat(results).isEmpty();
        prober.turn();
        assertThat(results).hasSize(sent.size() - 1).allSatisfy(result -> assertThat(result.latencyMicros())
                .isLessThanOrEqualTo(25_000L));
    }

    /** An answer may have come at any time of a stall of 200 ms: a quick probe says nothing, a slow one was at least that slow. */
    @Test
    void anAnswerThatIsSeenAfterAStallCountsToWhereTheStallBeganIfThatIsTheGreaterPartOfItsLatency() {
        Prober prober = getter(
                Duration.ofSeconds(1), Duration.ofSeconds(10), target -> answerAfter(SECOND, Answer.RIGHT), "a:1");
        run(prober, 5 * SECOND);
        long firstDue = (results.get(0).dueAtMs() - WALL_START_MS) % 1_000;
        run(prober, (10_000 + firstDue + 900) * MS);
        results.clear();

        standStill(200 * MS);
        prober.turn();

        assertThat(results).hasSize(1);
        assertThat(results.get(0).latencyMicros()).isBetween(890_000L, 911_000L);
        assertThat(prober.counts().count(Event.OWN_STALL)).isOne();

        results.clear();
        run(prober, (20_000 + firstDue + 100) * MS);
        results.clear();
        standStill(950 * MS);
        prober.turn();
        assertThat(results).isEmpty();
        assertThat(prober.counts().count(Event.OWN_STALL)).isEqualTo(1 + 2);
    }

    /** Its timers ring before the answers are read that wait in its sockets. */
    @Test
    void aProbeWhoseLimitPassesWhileThisProcessStandsStillIsJudgedByItsAnswer() {
        Prober prober = getter(
                Duration.ofSeconds(2), Duration.ofSeconds(5), target -> answerAfter(4 * SECOND, Answer.RIGHT), "a:1");
        run(prober, 10 * SECOND);
        results.clear();
        long sent = prober.counts().count(GET, Event.SENT);

        time.nanos += 30 * SECOND;
        prober.turn();
        assertThat(results).as("what is out may have been answered").isEmpty();
        time.advanceTo(time.nanos + 100 * MS);
        prober.turn();

        assertThat(results).isEmpty();
        assertThat(sent).isEqualTo(5);
        assertThat(prober.counts().count(Event.OWN_STALL)).isBetween(15L + 2, 16L + 2);
    }

    @Test
    void aTargetThatNeverAnswersIsTimedOutAlsoBesideStallsOfThisProcess() {
        Prober prober =
                getter(Duration.ofMillis(100), Duration.ofSeconds(1), target -> new CompletableFuture<>(), "a:1");

        for (int stall = 0; stall < 20; stall++) {
            run(prober, time.nanos + SECOND);
            standStill(50 * MS);
        }
        run(prober, time.nanos + 3 * SECOND);

        assertThat(count(Outcome.TIMED_OUT) + count(Outcome.NOT_SENT)).isGreaterThan(190);
        assertThat(count(Outcome.TIMED_OUT)).isPositive();
        assertThat(prober.counts().count(Event.OWN_STALL)).isLessThanOrEqualTo(20);
    }

    @Test
    void aJumpOfTheWallClockChangesNoLatencyAndExcusesOnlyWhatFailsThen() {
        List<Long> sent = new ArrayList<>();
        Prober prober = getter(
                Duration.ofMillis(100),
                Duration.ofSeconds(10),
                target -> {
                    sent.add(time.nanos);
                    CompletableFuture<Answer> future = new CompletableFuture<>();
                    time.at(time.nanos + 150 * MS, () -> {
                        if (sent.size() % 2 == 0) {
                            future.complete(Answer.RIGHT);
                        } else {
                            future.completeExceptionally(new IOException("reset"));
                        }
                    });
                    return future;
                },
                "a:1");
        run(prober, 10 * SECOND);
        long before = results.size();
        time.wallOffsetMs += 3_600_000;
        run(prober, 20 * SECOND);

        assertThat(results)
                .allSatisfy(result -> assertThat(result.latencyMicros()).isBetween(150_000L, 160_000L));
        assertThat(results.subList((int) before + 2, results.size()))
                .allSatisfy(result -> assertThat(result.dueAtMs()).isGreaterThan(WALL_START_MS + 3_600_000));
        assertThat(prober.counts().count(Event.OWN_STALL)).isEqualTo(1);
        assertThat(prober.counts().count(Event.LATE)).isZero();
    }

    @Test
    void aThousandServersAreAskedAtTimesSpreadOverTheSecond() {
        List<Long> sent = new ArrayList<>();
        Prober prober = prober(Map.of(GET, ProbeRate.of(Duration.ofSeconds(1), Duration.ofSeconds(10))), 100_000);
        Set<String> servers = IntStream.range(0, 1_000)
                .mapToObj(host -> "host" + host + ":16020")
                .collect(Collectors.toSet());
        prober.serve(
                GET,
                target -> {
                    sent.add(time.nanos);
                    return CompletableFuture.completedFuture(Answer.RIGHT);
                },
                servers);

        run(prober, 2 * SECOND);

        Map<Long, Long> byTenMs = sent.stream()
                .filter(nanos -> nanos > SECOND)
                .collect(Collectors.groupingBy(nanos -> nanos / (10 * MS), TreeMap::new, Collectors.counting()));
        assertThat(byTenMs.values())
                .as("of seed %d", SEED)
                .hasSizeGreaterThan(95)
                .allSatisfy(probes -> assertThat(probes).isLessThan(30));
        assertThat(results.stream().map(ProbeResult::target).collect(Collectors.toSet()))
                .isEqualTo(servers);
    }

    @Test
    void targetsComeAndGoAndThoseThatStayKeepTheirTimes() {
        Prober prober = getter(
                Duration.ofSeconds(1), Duration.ofSeconds(1), target -> answerAfter(MS, Answer.RIGHT), "a:1", "b:1");
        run(prober, 5 * SECOND);
        prober.serve(GET, target -> answerAfter(MS, Answer.RIGHT), Set.of("b:1", "c:1"));
        run(prober, 10 * SECOND);

        Map<String, List<Long>> dueByTarget = results.stream()
                .collect(Collectors.groupingBy(
                        ProbeResult::target, Collectors.mapping(ProbeResult::dueAtMs, Collectors.toList())));
        assertThat(dueByTarget.get("a:1")).hasSize(5);
        assertThat(dueByTarget.get("b:1")).hasSize(10);
        assertThat(new HashSet<>(
                        dueByTarget.get("b:1").stream().map(ms -> ms % 1_000).toList()))
                .hasSize(1);
        assertThat(dueByTarget.get("c:1")).hasSize(5);
    }

    @Test
    void aSlowSendMakesTheNextOnesLateAndTheirLatencyCountsFromWhenTheyWereDue() {
        Prober prober = getter(
                Duration.ofMillis(100),
                Duration.ofSeconds(1),
                target -> {
                    time.nanos += 8 * MS;
                    return CompletableFuture.completedFuture(Answer.RIGHT);
                },
                "a:1",
                "b:1",
                "c:1",
                "d:1",
                "e:1",
                "f:1",
                "g:1",
                "h:1");

        run(prober, SECOND);

        assertThat(prober.counts().count(Event.LATE)).isPositive();
        assertThat(results)
                .allSatisfy(result -> assertThat(result.latencyMicros()).isBetween(8_000L, 90_000L));
        assertThat(results)
                .anySatisfy(result -> assertThat(result.latencyMicros()).isGreaterThan(13_000L));
        Map<String, List<Long>> dueByTarget = results.stream()
                .collect(Collectors.groupingBy(
                        ProbeResult::target, Collectors.mapping(ProbeResult::dueAtMs, Collectors.toList())));
        assertThat(dueByTarget.values())
                .as("times that stay 100 ms apart, to a millisecond")
                .allSatisfy(due -> assertThat(due.get(due.size() - 1) - due.get(0))
                        .isCloseTo(100L * (due.size() - 1), within(1L)));
    }
}
