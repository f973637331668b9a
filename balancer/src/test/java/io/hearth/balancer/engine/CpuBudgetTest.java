// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.balancer.engine;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class CpuBudgetTest {

    private static final double SHARE = 0.05;
    private static final int DAY_MINUTES = 1_440;

    private final CpuBudget budget = new CpuBudget();
    private final Map<MasterWork, Long> nanosByWork = new EnumMap<>(MasterWork.class);
    private final List<String> lines = new ArrayList<>();
    private long nowMs = 7_000;

    /** Minutes of loops that would take so many cores if they ran as often as set. */
    private void live(int minutes, double healing, double page) {
        for (int minute = 0; minute < minutes; minute++) {
            look();
            use(MasterWork.HEALING, 60 * healing / budget.stretch());
            use(MasterWork.PAGE, 60 * page / budget.stretch());
            nowMs += 60_000;
        }
        look();
    }

    private void use(MasterWork work, double seconds) {
        nanosByWork.merge(work, Math.round(seconds * 1e9), Long::sum);
    }

    private void look() {
        budget.look(nanosByWork, SHARE, nowMs).ifPresent(lines::add);
    }

    @Test
    void belowTheShareNothingIsStretchedAndNothingSaid() {
        live(3 * DAY_MINUTES, 0.03, 0.019);

        assertThat(budget.stretch()).isEqualTo(1);
        assertThat(budget.timesStretched()).isZero();
        assertThat(lines).isEmpty();
        assertThat(budget.share()).isBetween(0.0489, 0.0491);
    }

    @Test
    void aStartMayTakeWhatTenMinutesAllow() {
        live(1, 0.45, 0);
        live(10, 0.04, 0);

        assertThat(budget.stretch()).isEqualTo(1);
        assertThat(lines).isEmpty();
    }

    @Test
    void aboveTheShareLoopsRunHalfAsOftenAndStayThereWhereTwiceAsOftenWouldBeTooMuch() {
        live(14, 0.06, 0.02);
        assertThat(budget.stretch()).isEqualTo(1);

        live(1, 0.06, 0.02);
        assertThat(budget.stretch()).isEqualTo(2);
        live(DAY_MINUTES, 0.06, 0.02);

        assertThat(budget.stretch()).isEqualTo(2);
        assertThat(budget.timesStretched()).isEqualTo(1);
        assertThat(budget.share()).isBetween(0.0399, 0.0401);
        assertThat(lines)
                .containsExactly(
                        "Hearth has used 8.0 % of one core in 10 min, more than hearth.master.cpu.share = 0.05 allows"
                                + " (healing 6.0 %, page 2.0 %): its polls, page, doctor, saving of state and look-ups of blocks come"
                                + " 2 times less often than set.");
    }

    @Test
    void withLessToDoLoopsRunAsOftenAsSetAgain() {
        live(30, 0.06, 0.02);
        lines.clear();

        live(5, 0.026, 0);
        assertThat(budget.stretch()).isEqualTo(2);
        live(1, 0.026, 0);

        assertThat(budget.stretch()).isEqualTo(1);
        assertThat(lines)
                .containsExactly(
                        "Hearth has used 2.4 % of one core in 10 min (hearth.master.cpu.share = 0.05): its loops run as"
                                + " often as set again.");
        live(DAY_MINUTES, 0.026, 0);
        assertThat(lines).hasSize(1);
    }

    @Test
    void thereIsAnEndToStretching() {
        live(DAY_MINUTES, 3, 0);

        assertThat(budget.stretch()).isEqualTo(CpuBudget.MAX_STRETCH);
        assertThat(lines).hasSize(4);
        assertThat(lines.get(3)).contains(" 16 times less often");
    }

    @Test
    void looksWithinAMinuteAreOne() {
        live(1, 0.01, 0);
        use(MasterWork.HEALING, 1_000);
        nowMs += CpuBudget.LOOK_EVERY_MS - 1;
        look();
        assertThat(lines).isEmpty();

        nowMs++;
        look();
        assertThat(lines).hasSize(1);
    }

    /** Loops that would take so many cores, and a plan every five minutes; returns how often the stretch has changed. */
    private int liveWithPlans(int minutes, double loops, double secondsOfPlan) {
        int changes = 0;
        for (int minute = 0; minute < minutes; minute++) {
            int before = budget.stretch();
            use(MasterWork.HEALING, 60 * loops / budget.stretch());
            use(MasterWork.PLANS, minute % 5 == 0 ? secondsOfPlan : 0);
            nowMs += 60_000;
            look();
            changes += before == budget.stretch() ? 0 : 1;
        }
        return changes;
    }

    /**
     * Plans of 9 s take 0.03 cores, and all together 0.042 of 0.05. Broken (a stretch is halved at half of the share, and each minute with a
     * plan is reason enough to double it): 16 in the 16th minute and for three days, at 0.031.
     */
    @Test
    void whatIsNotStretchedKeepsNoLoopStretched() {
        look();
        use(MasterWork.HEALING, 40);

        assertThat(liveWithPlans(10, 0.012, 9)).isEqualTo(2);
        assertThat(budget.stretch()).isEqualTo(4);
        assertThat(liveWithPlans(5, 0.012, 9)).isEqualTo(2);
        assertThat(budget.stretch()).isEqualTo(1);
        assertThat(liveWithPlans(3 * DAY_MINUTES, 0.012, 9)).isZero();

        assertThat(budget.share()).isBetween(0.0419, 0.0421);
        assertThat(lines).hasSize(3);
    }

    /**
     * Half a core for twenty minutes, at any stretch. Broken (all of it is to be paid for, and each minute with a plan doubles the stretch
     * meanwhile): 148 changes in a day.
     */
    @Test
    void aBurstIsForgottenAndTheStretchDoesNotSwing() {
        look();
        int changes = 0;
        for (int minute = 0; minute < 20; minute++) {
            int before = budget.stretch();
            use(MasterWork.PLANS, 30 + (minute % 5 == 0 ? 4 : 0));
            use(MasterWork.HEALING, 1.2 / budget.stretch());
            nowMs += 60_000;
            look();
            changes += before == budget.stretch() ? 0 : 1;
        }
        assertThat(changes).isEqualTo(4);
        assertThat(budget.stretch()).isEqualTo(16);

        assertThat(liveWithPlans(15, 0.02, 4)).isEqualTo(4);
        assertThat(budget.stretch()).isEqualTo(1);
        assertThat(liveWithPlans(DAY_MINUTES, 0.02, 4)).isZero();
        assertThat(budget.timesStretched()).isEqualTo(4);
    }

    /**
     * A burst has stretched loops to 16 that keep to the share at 4. Broken (what was used at 16 counts as if it had been at the stretch of
     * now): 1 in the 33rd minute, which is said, and 0.18 cores until the 35th.
     */
    @Test
    void afterABurstTheStretchGoesBackToWhatLoopsNeed() {
        look();
        int least = CpuBudget.MAX_STRETCH;
        for (int minute = 0; minute < 120; minute++) {
            use(MasterWork.PLANS, minute < 20 ? 30 : 0);
            use(MasterWork.HEALING, 60 * 0.18 / budget.stretch());
            nowMs += 60_000;
            look();
            least = minute < 20 ? CpuBudget.MAX_STRETCH : Math.min(least, budget.stretch());
        }
        assertThat(least).isEqualTo(4);
        assertThat(budget.stretch()).isEqualTo(4);
        assertThat(budget.timesStretched()).isEqualTo(4);
    }

    /** Reports are read four times less often at most. */
    @Test
    void howOftenEachKindOfWorkIsPutOff() {
        assertThat(MasterWork.REPORTS.mostStretched()).isEqualTo(4);
        assertThat(MasterWork.STATE.mostStretched()).isEqualTo(4);
        assertThat(MasterWork.PLANS.mostStretched()).isEqualTo(1);
    }

    static LongStream seeds() {
        return LongStream.rangeClosed(1, 200);
    }

    /** Loops whose load changes from hour to hour, each at most sixteen times the share: it is kept over any day. */
    @ParameterizedTest
    @MethodSource("seeds")
    void theShareIsKeptWhateverTheLoad(long seed) {
        Random random = new Random(seed);
        for (int hour = 0; hour < 24; hour++) {
            live(60, SHARE * Math.pow(2, 8 * random.nextDouble() - 4), 0);
        }
        double cores = seconds() / (DAY_MINUTES * 60.0);

        // A bucketful, and what comes until the stretch has grown to the load: four doublings.
        double most = SHARE + (SHARE * 600 + 60 * SHARE * (16 + 8 + 4 + 2) * 24) / (DAY_MINUTES * 60.0);
        assertThat(cores).as("cores, seed %d", seed).isLessThan(most);
    }

    private double seconds() {
        return nanosByWork.values().stream().mapToLong(Long::longValue).sum() / 1e9;
    }

    @Test
    void threadsAreKnownByTheirNames() {
        assertThat(MasterWork.ofThread("hearth-healer-host1,16000,1700000000000"))
                .isEqualTo(MasterWork.HEALING);
        assertThat(MasterWork.ofThread("hearth-healer-host1,16000,1700000000000-move-17"))
                .isEqualTo(MasterWork.HEALING);
        assertThat(MasterWork.ofThread("hearth-locality-start-2")).isEqualTo(MasterWork.LOCALITY);
        assertThat(MasterWork.ofThread("hearth-page")).isEqualTo(MasterWork.PAGE);
        assertThat(MasterWork.ofThread("hearth-page-doctor")).isEqualTo(MasterWork.DOCTOR);
        assertThat(MasterWork.ofThread("hearth-http")).isEqualTo(MasterWork.DOCTOR);
        assertThat(MasterWork.ofThread("hearth-heat-keeper")).isEqualTo(MasterWork.STATE);
        assertThat(MasterWork.ofThread("hearth-something-new")).isEqualTo(MasterWork.OTHER);
    }
}
