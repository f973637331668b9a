// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.balancer.share;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.hearth.balancer.share.Skew.IncrementalVariation;
import java.util.Arrays;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class SkewTest {

    @Test
    void knownPictures() {
        assertThat(Skew.coefficientOfVariation(new double[] {4, 0, 0, 0})).isCloseTo(Math.sqrt(3), within(1e-12));
        assertThat(Skew.asCost(Math.sqrt(3))).isCloseTo(0.634, within(0.001));
        assertThat(Skew.coefficientOfVariation(new double[] {2, 2})).isZero();
        assertThat(Skew.coefficientOfVariation(new double[0])).isZero();
    }

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8})
    void isFreeOfScaleAndOfOrder(long seed) {
        Random random = new Random(seed);
        double[] loads = random.doubles(1 + random.nextInt(200), 0, 1000).toArray();
        double scale = Math.pow(10, random.nextInt(19) - 9);
        double[] scaled = Arrays.stream(loads).map(load -> load * scale).toArray();
        double[] sorted = Arrays.stream(loads).sorted().toArray();

        assertThat(Skew.coefficientOfVariation(scaled))
                .as("seed %d", seed)
                .isCloseTo(Skew.coefficientOfVariation(loads), within(1e-9));
        assertThat(Skew.coefficientOfVariation(sorted))
                .as("seed %d", seed)
                .isCloseTo(Skew.coefficientOfVariation(loads), within(1e-9));
    }

    @ParameterizedTest
    @ValueSource(longs = {11, 12, 13, 14, 15, 16, 17, 18, 19, 20})
    void theIncrementalOneAgreesWithTheNaiveOneAfterAnyMoves(long seed) {
        Random random = new Random(seed);
        double[] loads = random.doubles(2 + random.nextInt(50), 0, 1000).toArray();
        IncrementalVariation incremental = new IncrementalVariation(loads);
        for (int step = 0; step < 500; step++) {
            int from = random.nextInt(loads.length);
            int to = random.nextInt(loads.length);
            double load = random.nextDouble() * loads[from];
            loads[from] -= load;
            loads[to] += load;
            incremental.move(from, to, load);
            if (step % 7 == 0) {
                double more = random.nextDouble() * 10;
                loads[to] += more;
                incremental.add(to, more);
            }
            assertThat(incremental.coefficientOfVariation())
                    .as("seed %d step %d", seed, step)
                    .isCloseTo(Skew.coefficientOfVariation(loads), within(1e-6));
        }
    }
}
