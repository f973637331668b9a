// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.chaos;

import static org.assertj.core.api.Assertions.assertThat;

import io.hearth.chaos.SoakJournal.Step;
import io.hearth.chaos.SoakLoad.OutsideFaults;
import io.hearth.chaos.SoakLoad.Totals;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.IntToDoubleFunction;
import org.junit.jupiter.api.Test;

class SoakResultTest {

    private static final Totals WELL = new Totals(1_000, 0, 0, 0, 7, new OutsideFaults(600, 0));

    /** Four hours with a step every five minutes. */
    private static List<Step> steps(IntToDoubleFunction heapOfStep) {
        List<Step> steps = new ArrayList<>();
        for (int step = 1; step <= 48; step++) {
            steps.add(new Step(
                    step * 300,
                    "master-killed",
                    step,
                    List.of(),
                    WELL,
                    Map.of("master heap", heapOfStep.applyAsDouble(step), "datanode threads", 50.0)));
        }
        return steps;
    }

    @Test
    void whatGrowsInTheFirstHourOnlyIsFlat() {
        SoakResult result = SoakResult.of(steps(step -> Math.min(step, 12) * 1_000_000));

        assertThat(result.violations()).isEmpty();
        assertThat(result.load().requests()).isEqualTo(48_000);
        assertThat(result.load().unsent()).isEqualTo(48 * 7);
        assertThat(result.resources())
                .extracting(SoakResult.Resource::name)
                .containsExactly("datanode threads", "master heap");
    }

    /** 1.2 MB an hour are 11 % of 22 MB in the two hours between, and 360 kB are 3 %. */
    @Test
    void whatGoesOnGrowingIsSaid() {
        assertThat(SoakResult.of(steps(step -> 20e6 + step * 100_000)).violations())
                .containsExactly(
                        "master heap: 24250000 in the last quarter, 11.0 % more than the 21850000 of the second;"
                                + " allowed are 5 %");
        assertThat(SoakResult.of(steps(step -> 20e6 + step * 30_000)).violations())
                .as("3.6 %")
                .isEmpty();
        assertThat(SoakResult.of(steps(step -> 20e6 - step * 100_000)).violations())
                .as("less")
                .isEmpty();
    }

    /** Half of the last hour's samples more: as after a leak, and not as after one busy moment. */
    @Test
    void oneBusyMomentIsNoGrowth() {
        assertThat(SoakResult.of(steps(step -> step == 47 ? 90e6 : 20e6)).violations())
                .isEmpty();
        assertThat(SoakResult.of(steps(step -> step > 42 ? 90e6 : 20e6)).violations())
                .hasSize(1);
    }

    /** The state of the master is written for the first time in the first minutes. */
    @Test
    void inLessThanTwoHoursNothingIsSaidToGrow() {
        SoakResult half = SoakResult.of(steps(step -> step * 1e6).subList(0, 23));
        SoakResult whole = SoakResult.of(steps(step -> step * 1e6).subList(0, 24));

        assertThat(half.areResourcesJudged()).isFalse();
        assertThat(half.violations()).isEmpty();
        assertThat(half.resources()).hasSize(2);
        assertThat(whole.areResourcesJudged()).isTrue();
        assertThat(whole.violations()).hasSize(1);
    }

    @Test
    void whatIsLostIsSaidWithTheFaultsThatDidHarm() {
        List<Step> steps = List.of(
                new Step(300, "disk-full", 4, List.of("3 blocks are corrupt"), WELL, Map.of()),
                new Step(600, "none", 5, List.of(), new Totals(1, 2, 3, 4, 5, new OutsideFaults(0, 0)), Map.of()));

        assertThat(SoakResult.of(steps).violations())
                .containsExactly(
                        "disk-full with seed 4: 3 blocks are corrupt",
                        "2 reads found less than was acknowledged",
                        "3 reads found what nobody wrote",
                        "4 requests failed");
    }

    private static Step step(Totals load) {
        return new Step(300, "rack-cut", 4, List.of(), load, Map.of());
    }

    /** In a fault nothing may be answered for a while, and then no more is sent. */
    @Test
    void whatIsNotSentWhileNothingIsBrokenIsSaid() {
        Step well = step(new Totals(1_000, 0, 0, 0, 900, new OutsideFaults(600, 18)));
        Step ill = step(new Totals(1_000, 0, 0, 0, 900, new OutsideFaults(600, 19)));

        assertThat(SoakResult.of(List.of(well)).violations()).isEmpty();
        assertThat(SoakResult.of(List.of(ill)).violations())
                .containsExactly("19 requests were not sent while nothing was broken, as too many had no answer;"
                        + " allowed are 3 % of the 600 that were answered then");
    }

    @Test
    void aStepWithoutAnAnswerIsSaid() {
        assertThat(SoakResult.of(List.of(step(WELL), step(Totals.NONE))).violations())
                .containsExactly("rack-cut with seed 4: no request was answered");
    }

    @Test
    void ofNoStepNoRequestWasAnswered() {
        assertThat(SoakResult.of(List.of()).violations()).containsExactly("no request was answered");
        assertThat(SoakResult.of(List.of()).resources()).isEmpty();
    }
}
