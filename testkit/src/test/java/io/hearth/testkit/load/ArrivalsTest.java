// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.testkit.load;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.hearth.testkit.load.Arrivals.Spacing;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

class ArrivalsTest {

    private static long[] first(int count, Arrivals arrivals) {
        long[] due = new long[count];
        for (int number = 0; number < count; number++) {
            due[number] = arrivals.getAsLong();
        }
        assertThat(due).isSorted();
        return due;
    }

    @Test
    void requestsAreDueAtARateThatNothingChanges() {
        long[] due = first(3_000_001, Arrivals.of(300, Spacing.STEADY, 1));

        assertThat(due[0]).isZero();
        assertThat(due[3_000_000]).isEqualTo(TimeUnit.SECONDS.toNanos(10_000));
    }

    /** The times between requests are exponential: their mean and their deviation are one over the rate. */
    @Test
    void requestsOfManyClientsComeByChance() {
        long[] due = first(200_001, Arrivals.of(500, Spacing.POISSON, 1));
        double squares = 0;
        int belowMedian = 0;
        for (int number = 1; number < due.length; number++) {
            double ms = (due[number] - due[number - 1]) / 1e6;
            squares += ms * ms;
            belowMedian += ms < 2 * Math.log(2) ? 1 : 0;
        }

        double mean = due[200_000] / 1e6 / 200_000;
        assertThat(mean).isCloseTo(2, within(0.02));
        assertThat(Math.sqrt(squares / 200_000 - mean * mean)).isCloseTo(2, within(0.04));
        assertThat(belowMedian).as("half are below the median").isBetween(99_000, 101_000);
        assertThat(first(10, Arrivals.of(500, Spacing.POISSON, 1)))
                .isEqualTo(first(10, Arrivals.of(500, Spacing.POISSON, 1)))
                .isNotEqualTo(first(10, Arrivals.of(500, Spacing.POISSON, 2)));
    }

    /** Beside the naive computation: the rate of each second, and how many requests came in it. */
    @ParameterizedTest
    @CsvSource({"100, 1100, 10", "1100, 100, 10", "500, 500, 10", "1, 2000, 7"})
    void aRampGrowsInAStraightLineAndStays(double from, double to, int seconds) {
        for (Spacing spacing : Spacing.values()) {
            Arrivals arrivals = Arrivals.ramp(from, to, seconds, spacing, 3);
            int[] inSecond = new int[seconds + 3];
            for (long due = arrivals.getAsLong(); due < (seconds + 3) * 1_000_000_000L; due = arrivals.getAsLong()) {
                inSecond[(int) (due / 1_000_000_000L)]++;
            }
            for (int second = 0; second < inSecond.length; second++) {
                double rate = second < seconds ? from + (to - from) * (second + 0.5) / seconds : to;
                double tolerance = spacing == Spacing.STEADY ? 1.01 : 5 * Math.sqrt(rate) + 1;
                assertThat((double) inSecond[second])
                        .as("%s, second %d", spacing, second)
                        .isCloseTo(rate, within(tolerance));
            }
        }
    }

    @ParameterizedTest
    @EnumSource
    void aRampOfNoTimeIsAConstantRate(Spacing spacing) {
        assertThat(first(1_000, Arrivals.ramp(1, 700, 0, spacing, 5)))
                .isEqualTo(first(1_000, Arrivals.of(700, spacing, 5)));
    }
}
