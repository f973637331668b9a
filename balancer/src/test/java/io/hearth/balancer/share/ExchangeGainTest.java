// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.balancer.share;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.Random;
import java.util.function.ToDoubleFunction;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ExchangeGainTest {

    private static final int SERVERS = 5;
    private static final int DIMENSIONS = 4;

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8})
    void isTheSumOfTheGainsOfBothServers(long seed) {
        assertThatItIsTheSumOfTheGains(seed, 4, any -> ExchangeGain.ROUNDING);
    }

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8})
    void isTheSumBesideRegionsOfThousandsOfFairShares(long seed) {
        assertThatItIsTheSumOfTheGains(seed, 100_000, ExchangeGain::rounding);
    }

    private static void assertThatItIsTheSumOfTheGains(
            long seed, double mostShare, ToDoubleFunction<ExchangeGain> rounding) {
        Random random = new Random(seed);
        ServerShares shares = new ServerShares(
                random.doubles(SERVERS * DIMENSIONS, 0, mostShare).toArray(),
                random.doubles(SERVERS, 0.25, 3).toArray(),
                new double[] {1, 0, random.nextDouble(), 0.2},
                random.doubles(DIMENSIONS, 1, 1.3).toArray());
        double[] loads = random.doubles(50L * DIMENSIONS, 0, 1.5).toArray();
        ExchangeGain exchangeGain = new ExchangeGain(shares);

        for (int given = 0; given < loads.length; given += DIMENSIONS) {
            int giver = random.nextInt(SERVERS);
            int taker = (giver + 1 + random.nextInt(SERVERS - 1)) % SERVERS;
            exchangeGain.give(loads, given, giver, taker);
            for (int taken = 0; taken < loads.length; taken += DIMENSIONS) {
                double sum = 0;
                for (int dimension = 0; dimension < DIMENSIONS; dimension++) {
                    double load = loads[given + dimension] - loads[taken + dimension];
                    sum += shares.gain(giver, dimension, -load) + shares.gain(taker, dimension, load);
                }
                assertThat(exchangeGain.of(loads, taken))
                        .as("seed %s, load %s for %s", seed, given, taken)
                        .isCloseTo(sum, within(rounding.applyAsDouble(exchangeGain) / 1_000));
            }
            shares.add(giver, random.nextInt(DIMENSIONS), random.nextDouble());
        }
    }
}
