// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.healer.throttle;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.hearth.healer.spi.NameNodeUsage;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class NameNodeBudgetTest {

    private final NameNodeUsage usage = new NameNodeUsage();
    private final NameNodeBudget budget = new NameNodeBudget(usage);

    @Test
    void callsAreLimitedByTheTimeThatTheyTake() {
        budget.set(0.02, 500);
        assertThat(callsIn(100, 1_000))
                .as("20 ms a second, 1 ms each, and a second saved up")
                .isBetween(2_000, 2_021);
        assertThat(budget.callsPerSecond()).isEqualTo(20);
    }

    @Test
    void quickCallsAreLimitedByTheirNumber() {
        budget.set(0.02, 500);
        assertThat(callsIn(10, 10)).isBetween(5_000, 5_501);
        assertThat(budget.callsPerSecond()).isEqualTo(500);
    }

    @Test
    void oneSlowCallIsPaidForAfterwards() {
        budget.set(0.02, 500);
        assertThat(budget.mayCall(0)).isTrue();
        usage.called(90_000);
        assertThat(budget.mayCall(0)).isFalse();
        assertThat(budget.mayCall(3_500)).isFalse();
        assertThat(budget.mayCall(3_501))
                .as("20 ms were saved up, 70 are paid off")
                .isTrue();
    }

    /** A client tries for half a minute while NameNodes fail over: no handler had anything to do with that. */
    @Test
    void aCallThatWaitedForANameNodeHoldsHealingUpForSecondsOnly() {
        budget.set(0.02, 500);
        assertThat(budget.mayCall(0)).isTrue();
        usage.called(25_000_000);
        assertThat(budget.mayCall(0)).isFalse();
        assertThat(budget.mayCall(4_000)).isFalse();
        assertThat(budget.mayCall(4_001)).isTrue();
    }

    /** Whoever calls, and whether or not it asked first: a listing of a region makes several calls. */
    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4, 5})
    void overAnyLongerTimeTheShareIsKept(long seed) {
        Random random = new Random(seed);
        budget.set(0.05, 1_000_000);
        long nowMs = 0;
        while (nowMs < 1_000_000) {
            nowMs += random.nextInt(50);
            if (budget.mayCall(nowMs)) {
                for (int calls = random.nextInt(5); calls >= 0; calls--) {
                    usage.called(1 + random.nextInt(20_000));
                }
            }
        }
        assertThat((double) usage.micros() / (nowMs * 1_000))
                .as("seed %d", seed)
                .isBetween(0.049, 0.0512);
    }

    @Test
    void whatWasUsedBeforeDoesNotCount() {
        usage.called(1_000_000_000);
        NameNodeBudget later = new NameNodeBudget(usage);
        later.set(0.02, 500);
        assertThat(later.mayCall(0)).isTrue();
        assertThat(later.callsPerSecond()).isEqualTo(500);
    }

    @Test
    void theLongestCallIsToldOnce() {
        usage.called(7_500);
        usage.called(2_000);
        assertThat(budget.takeLongestMs()).isEqualTo(7);
        assertThat(budget.takeLongestMs()).isZero();
    }

    /** 100 microseconds, then one call of 1,100, then two: each has a twentieth of what the ones before it have. */
    @Test
    void whatACallTakesIsAMeanOfSomeTensOfCalls() {
        budget.set(0.02, 500);
        usage.called(100);
        assertThat(budget.mayCall(0)).isTrue();
        usage.called(1_100);
        assertThat(budget.mayCall(0)).isTrue();
        assertThat(budget.callsPerSecond()).isCloseTo(20_000 / 150.0, within(1e-9));
        usage.called(1_000);
        usage.called(1_300);
        assertThat(budget.mayCall(0)).isTrue();
        assertThat(budget.callsPerSecond()).isCloseTo(20_000 / 247.5, within(1e-9));
    }

    private int callsIn(int seconds, long micros) {
        int calls = 0;
        for (long nowMs = 0; nowMs < seconds * 1_000L; nowMs++) {
            while (budget.mayCall(nowMs)) {
                calls++;
                usage.called(micros);
            }
        }
        return calls;
    }
}
