// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.slo.objective;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.hearth.slo.objective.BurnAlert.Urgency;
import io.hearth.slo.objective.ObjectiveStatus.State;
import io.hearth.slo.probe.ProbeKind;
import io.hearth.slo.probe.ProbeResult;
import io.hearth.slo.probe.ProbeResult.Outcome;
import io.hearth.slo.store.Limits;
import io.hearth.slo.store.SloReader;
import io.hearth.slo.store.SloStore;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.LongPredicate;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class ObjectiveTrackerTest {

    private static final long MINUTE = 60_000;
    private static final long HOUR = 60 * MINUTE;
    private static final long DAY = 24 * HOUR;

    /** 29 November 2026, 12:00 UTC. */
    private static final long NOON = 1_795_953_600_000L;

    private static final Objective GETS = ObjectivesFile.parse("99.95 % of gets under 50 ms, 30 days", "")
            .objectives()
            .get(0);

    private final ObjectiveTracker tracker = new ObjectiveTracker(List.of(GETS));

    /** Beside a list of all probes, which is searched for each window. */
    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10})
    void windowsCountTheirMinutes(long seed) {
        Random random = new Random(seed);
        List<Objective> objectives = ObjectivesFile.parse(
                        """
                        99 % of gets under 50 ms, 30 days
                        90 % of gets under 5 ms, 1 day
                        50 % of puts under 20 ms, 2 days
                        """,
                        "")
                .objectives();
        ObjectiveTracker all = new ObjectiveTracker(objectives);
        List<ProbeResult> probes = new ArrayList<>();
        for (int probe = 0; probe < 3_000; probe++) {
            ProbeResult result = new ProbeResult(
                    random.nextBoolean() ? ProbeKind.GET : ProbeKind.PUT,
                    "h",
                    NOON - (long) (random.nextDouble() * random.nextDouble() * random.nextDouble() * 40 * DAY),
                    random.nextInt(60_000),
                    random.nextInt(20) == 0 ? Outcome.FAILED : Outcome.ANSWERED);
            probes.add(result);
            all.accept(result);
        }

        List<ObjectiveStatus> status = all.status(NOON);

        for (int place = 0; place < objectives.size(); place++) {
            Objective objective = objectives.get(place);
            ObjectiveStatus one = status.get(place);
            assertThat(one.window())
                    .as("seed %d, %s", seed, objective)
                    .isEqualTo(naive(probes, objective, objective.window().toMinutes()));
            for (BurnAlert alert : BurnAlert.values()) {
                WindowCounts longer =
                        naive(probes, objective, alert.longWindow().toMinutes());
                WindowCounts shorter =
                        naive(probes, objective, alert.shortWindow().toMinutes());
                assertThat(one.alert(alert).longBurnRate())
                        .as("seed %d, %s, %s", seed, objective, alert)
                        .isEqualTo(longer.burnRate(objective));
                assertThat(one.alert(alert).shortBurnRate()).isEqualTo(shorter.burnRate(objective));
            }
        }
    }

    private static WindowCounts naive(List<ProbeResult> probes, Objective objective, long minutes) {
        long last = NOON / MINUTE;
        List<ProbeResult> inside = probes.stream()
                .filter(objective::concerns)
                .filter(probe -> probe.dueAtMs() / MINUTE <= last && probe.dueAtMs() / MINUTE > last - minutes)
                .toList();
        return new WindowCounts(
                inside.size(), inside.stream().filter(objective::isGood).count(), (int) inside.stream()
                        .map(probe -> probe.dueAtMs() / MINUTE)
                        .distinct()
                        .count());
    }

    /** Once a second; those are bad of whose due time in seconds this holds. */
    private void probe(long fromMs, long toMs, LongPredicate isBad) {
        for (long dueAtMs = fromMs; dueAtMs < toMs; dueAtMs += 1_000) {
            tracker.accept(new ProbeResult(
                    ProbeKind.GET,
                    "h",
                    dueAtMs,
                    1_000,
                    isBad.test(dueAtMs / 1_000) ? Outcome.TIMED_OUT : Outcome.ANSWERED));
        }
    }

    private ObjectiveStatus status(long nowMs) {
        return tracker.status(nowMs).get(0);
    }

    @Test
    void anOutageFiresTheFastAlertUntilFiveMinutesAreGood() {
        probe(NOON - 2 * HOUR, NOON, second -> false);
        assertThat(burnsFast(status(NOON - 1))).isFalse();

        // 14.4 times 0.05 % of an hour is 26 s.
        probe(NOON, NOON + 25_000, second -> true);
        assertThat(burnsFast(status(NOON + 24_000))).isFalse();
        probe(NOON + 25_000, NOON + 2 * MINUTE, second -> true);
        ObjectiveStatus burning = status(NOON + 2 * MINUTE - 1);
        assertThat(burnsFast(burning)).isTrue();
        assertThat(burning.firing(Urgency.PAGE)).containsExactly(BurnAlert.FAST, BurnAlert.MEDIUM);
        assertThat(burning.alert(BurnAlert.FAST).longBurnRate().getAsDouble())
                .isCloseTo(120.0 / 3_600 / 0.0005, within(1e-9));
        assertThat(burning.alert(BurnAlert.FAST).shortBurnRate().getAsDouble())
                .isCloseTo(120.0 / 300 / 0.0005, within(1e-9));

        probe(NOON + 2 * MINUTE, NOON + 7 * MINUTE, second -> false);
        assertThat(burnsFast(status(NOON + 6 * MINUTE - 1))).isTrue();
        assertThat(burnsFast(status(NOON + 7 * MINUTE - 1))).isFalse();
        assertThat(status(NOON + 7 * MINUTE - 1)
                        .alert(BurnAlert.FAST)
                        .longBurnRate()
                        .getAsDouble())
                .isGreaterThan(14.4);
    }

    /** One in 1,000 is twice the allowed rate: no page, but a ticket. */
    @Test
    void aSlowBurnIsATicket() {
        probe(NOON - 3 * DAY, NOON, second -> second % 1_000 == 0);

        ObjectiveStatus slow = status(NOON - 1);

        assertThat(slow.firing(Urgency.PAGE)).isEmpty();
        assertThat(slow.firing(Urgency.TICKET)).containsExactly(BurnAlert.SLOW);
        assertThat(slow.alert(BurnAlert.SLOW).longBurnRate().getAsDouble()).isCloseTo(2, within(0.01));
    }

    @Test
    void withinTheBudgetNothingFires() {
        probe(NOON - 3 * DAY, NOON, second -> second % 2_500 == 0);

        assertThat(status(NOON - 1).alerts().values()).allMatch(alert -> alert.state() == State.QUIET);
    }

    /** A long window is known when as much of it is known as the short one is long. */
    @Test
    void whatIsNotKnownYetIsNeitherOnNorOff() {
        assertThat(status(NOON).alerts().values()).allMatch(alert -> alert.state() == State.UNKNOWN);
        probe(NOON, NOON + 4 * MINUTE, second -> true);
        assertThat(status(NOON + 4 * MINUTE - 1).alert(BurnAlert.FAST).state()).isEqualTo(State.UNKNOWN);
        assertThat(burnsFast(status(NOON + 4 * MINUTE - 1))).isFalse();

        probe(NOON + 4 * MINUTE, NOON + 5 * MINUTE, second -> true);
        assertThat(status(NOON + 5 * MINUTE - 1).alert(BurnAlert.FAST).state()).isEqualTo(State.FIRING);
        assertThat(status(NOON + 5 * MINUTE - 1).alert(BurnAlert.MEDIUM).state())
                .isEqualTo(State.UNKNOWN);
        assertThat(status(NOON + 11 * MINUTE).alert(BurnAlert.FAST).state())
                .as("no probe in five minutes")
                .isEqualTo(State.UNKNOWN);
    }

    /** 43,200 s, of which 0.05 % is 21.6; 10.8 bad ones would be half of it. */
    @Test
    void theBudgetIsInProbesAndInMinutesOfFullOutage() {
        assertThat(status(NOON).budgetLeftShare()).isEmpty();
        assertThat(status(NOON).budgetLeftMinutes()).isEmpty();
        probe(NOON - 12 * HOUR, NOON, second -> second >= NOON / 1_000 - 9);

        ObjectiveStatus half = status(NOON - 1);

        assertThat(half.window()).isEqualTo(new WindowCounts(43_200, 43_191, 720));
        assertThat(half.window().goodShare()).hasValue(43_191.0 / 43_200);
        assertThat(half.budget()).isCloseTo(21.6, within(1e-9));
        assertThat(half.budgetLeft()).isCloseTo(12.6, within(1e-9));
        assertThat(half.budgetLeftShare().getAsDouble()).isCloseTo(12.6 / 21.6, within(1e-9));
        assertThat(half.budgetLeftMinutes().getAsDouble()).isCloseTo(12.6 / 60, within(1e-9));
    }

    /** The hour counts twice as many probes, and each of them once. */
    @Test
    void aClockThatIsSetBackCountsEachProbeOnce() {
        probe(NOON, NOON + HOUR, second -> false);
        probe(NOON, NOON + HOUR, second -> true);

        assertThat(status(NOON + HOUR - 1).window()).isEqualTo(new WindowCounts(7_200, 3_600, 60));
        assertThat(status(NOON + 30 * MINUTE - 1).window())
                .as("minutes after now are in no window")
                .isEqualTo(new WindowCounts(3_600, 1_800, 30));
    }

    /** With 35 days known a status takes longer than a probe may be late; the thread that counts is the one that sends. */
    @Test
    void aProbeIsCountedWhileSomebodyReadsTheStatus() throws Exception {
        Thread prober = new Thread(() -> probe(NOON, NOON + MINUTE, second -> false));
        synchronized (tracker) {
            prober.start();
            prober.join(10_000);
        }

        assertThat(prober.isAlive()).isFalse();
        assertThat(status(NOON).window()).isEqualTo(new WindowCounts(60, 60, 1));
    }

    /** Broken (good ones are counted, and read before those that were due): some readings have a bad one. */
    @Test
    void aProbeThatComesMeanwhileIsNotBad() throws Exception {
        AtomicBoolean isOver = new AtomicBoolean();
        Thread prober = new Thread(() -> {
            while (!isOver.get()) {
                probe(NOON, NOON + 1_000, second -> false);
            }
        });
        prober.start();
        long bad = 0;
        for (int reading = 0; reading < 100_000; reading++) {
            bad += status(NOON).window().bad();
        }
        isOver.set(true);
        prober.join();

        assertThat(bad).isZero();
    }

    @Test
    void whoFiresIsAsTheStatusSays() {
        probe(NOON - HOUR, NOON, second -> second % 2 == 0);

        assertThat(tracker.firing(BurnAlert.FAST, NOON - 1))
                .isEqualTo(Map.of(GETS, status(NOON - 1).alert(BurnAlert.FAST)));
        assertThat(tracker.firing(BurnAlert.FAST, NOON + HOUR)).isEmpty();
    }

    @Test
    void whatIsStoredIsCountedAsIfItHadJustCome(@TempDir Path folder) throws Exception {
        try (SloStore store = SloStore.open(folder, "a", Limits.of(ProbeKind.GET, GETS.limitMicros()), problem -> {})) {
            for (long second = 0; second < 600; second++) {
                ProbeResult result =
                        new ProbeResult(ProbeKind.GET, "h", NOON + second * 1_000, second * 100, Outcome.ANSWERED);
                store.accept(result);
                tracker.accept(result);
            }
        }
        ObjectiveTracker restarted = new ObjectiveTracker(List.of(GETS));
        SloReader.of(folder, List.of("a"), problem -> {})
                .clusterMinutes(NOON - 35 * DAY, NOON + DAY, restarted::accept);

        assertThat(restarted.status(NOON + 10 * MINUTE)).isEqualTo(tracker.status(NOON + 10 * MINUTE));
        assertThat(restarted.status(NOON + 10 * MINUTE).get(0).window()).isEqualTo(new WindowCounts(600, 501, 10));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "1| 100 %",
                "0.9999| 99 %",
                "0.29| 29 %",
                "0| 0 %",
                "-0.04| spent 1.04 times",
                "-1.5| spent 2.50 times",
                "-30.45| spent 31 times",
                "-187.24| spent 188 times"
            })
    void aSpentBudgetSaysHowOften(double leftShare, String text) {
        assertThat(ObjectiveStatus.budgetText(leftShare)).isEqualTo(text);
    }

    private static boolean burnsFast(ObjectiveStatus status) {
        return status.alert(BurnAlert.FAST).state() == State.FIRING;
    }
}
