// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.common.model;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.Arrays;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class QuantilesTest {

    private static final Quantiles FIVE = Quantiles.of(0.95, 0.4, 1, 0.9, 0.8);

    @ParameterizedTest
    @CsvSource({"0, 0.4", "0.2, 0.4", "0.21, 0.8", "0.25, 0.8", "0.5, 0.9", "0.6, 0.9", "0.8, 0.95", "0.81, 1", "1, 1"})
    void aQuantileIsOneOfTheValues(double share, double quantile) {
        assertThat(FIVE.quantile(share)).hasValue(quantile);
    }

    @Test
    void thoseBelowALimitAreCounted() {
        assertThat(FIVE.below(0.8)).isEqualTo(1);
        assertThat(FIVE.below(0.81)).isEqualTo(2);
        assertThat(FIVE.below(2)).isEqualTo(5);
        assertThat(FIVE.count()).isEqualTo(5);
        assertThat(FIVE.min()).hasValue(0.4);
    }

    @Test
    void ofNoValueNothingIsKnown() {
        assertThat(Quantiles.of().quantile(0.5)).isEmpty();
        assertThat(Quantiles.of().min()).isEmpty();
        assertThat(Quantiles.of().below(1)).isZero();
    }

    @Test
    void whatIsNoNumberIsRefused() {
        assertThatThrownBy(() -> Quantiles.of(1, Double.NaN))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("A value is no number: [1.0, NaN]");
        assertThatThrownBy(() -> FIVE.quantile(1.01))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("A share is 1.01; it must be from 0 to 1.");
    }

    /** By the definition: the smallest value that at least this share of all do not exceed, in whole hundredths. */
    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10})
    void itIsWhatTheDefinitionSays(long seed) {
        Random random = new Random(seed);
        double[] values = random.doubles(1 + random.nextInt(60)).toArray();
        for (int percent = 0; percent <= 100; percent++) {
            int hundredths = percent;
            double expected = Arrays.stream(values)
                    .filter(value -> 100L
                                    * Arrays.stream(values)
                                            .filter(other -> other <= value)
                                            .count()
                            >= (long) hundredths * values.length)
                    .min()
                    .orElseThrow();
            assertThat(Quantiles.of(values).quantile(percent / 100.0))
                    .as("seed " + seed + ", " + percent + " % of " + Arrays.toString(values))
                    .hasValue(expected);
        }
    }
}
