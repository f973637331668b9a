// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.balancer.planner;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.hearth.balancer.planner.ServerLoads.LoadPrefixSums;
import java.util.Arrays;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** How many regions it takes, beside taking one after the other. */
class LoadPrefixSumsTest {

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8})
    void asManyAsTakingOneAfterTheOther(long seed) {
        Random random = new Random(seed);
        double[] loads =
                random.ints(random.nextInt(8), 0, 6).mapToDouble(load -> load).toArray();
        double[] hottestFirst = Arrays.stream(loads)
                .filter(load -> load > 0)
                .map(load -> -load)
                .sorted()
                .map(load -> -load)
                .toArray();
        LoadPrefixSums sums = new LoadPrefixSums(loads);
        String where = "seed %d: %s".formatted(seed, Arrays.toString(loads));

        assertThat(sums.size()).as(where).isEqualTo(hottestFirst.length);
        assertThat(sums.total()).as(where).isEqualTo(Arrays.stream(loads).sum());
        for (int place = 0; place < hottestFirst.length; place++) {
            assertThat(sums.load(place)).as(where).isEqualTo(hottestFirst[place]);
        }
        assertThat(sums.largerThan(3).toArray())
                .as(where)
                .isEqualTo(Arrays.stream(hottestFirst).filter(load -> load > 3).toArray());
        for (int without = 0; without <= hottestFirst.length; without++) {
            for (double excess = -1; excess < sums.total() + 2; excess += 0.5) {
                assertThat(sums.fewest(without, excess))
                        .as("%s, %d, %s", where, without, excess)
                        .isEqualTo(fewest(hottestFirst, without, excess));
                assertThat(sums.fewestInParts(without, excess))
                        .as("%s, %d, %s", where, without, excess)
                        .isEqualTo(fewestInParts(hottestFirst, without, excess), within(1e-6));
            }
        }
    }

    private static double fewest(double[] hottestFirst, int without, double excess) {
        double left = excess;
        int taken = 0;
        while (left > 1e-9) {
            if (without + taken == hottestFirst.length) {
                return Double.POSITIVE_INFINITY;
            }
            left -= hottestFirst[without + taken++];
        }
        return taken;
    }

    private static double fewestInParts(double[] hottestFirst, int without, double excess) {
        double left = excess;
        double taken = 0;
        for (int place = without; left > 1e-9; place++) {
            if (place == hottestFirst.length) {
                return Double.POSITIVE_INFINITY;
            }
            taken += Math.min(1, left / hottestFirst[place]);
            left -= hottestFirst[place];
        }
        return taken;
    }

    /** The sums of loads that went in and out are as exact as a billionth. */
    @Test
    void aHairIsNothing() {
        LoadPrefixSums sums = new LoadPrefixSums(new double[] {0.5, 0.25});

        assertThat(sums.fewest(0, 1e-9)).isZero();
        assertThat(sums.fewest(0, 3e-9)).isEqualTo(1);
        assertThat(sums.fewest(0, 0.5 + 1e-10)).isEqualTo(1);
        assertThat(sums.fewest(0, 0.5 + 1e-8)).isEqualTo(2);
        assertThat(sums.fewest(1, 0.25 + 1e-10)).isEqualTo(1);
        assertThat(sums.fewestInParts(0, 1e-9)).isZero();
        assertThat(sums.fewestInParts(0, 0.5 + 1e-10)).isLessThanOrEqualTo(1);
        assertThat(sums.fewestInParts(0, 0.625)).isCloseTo(1.5, within(1e-6));
    }
}
