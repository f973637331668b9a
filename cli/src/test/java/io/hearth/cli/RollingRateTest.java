// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.cli;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class RollingRateTest {

    private final RollingRate rate = new RollingRate();

    @Test
    void nothingIsKnownBeforeTwoSamples() {
        assertThat(rate.bytesPerSecond()).isZero();
        rate.add(500, 0);
        assertThat(rate.bytesPerSecond()).isZero();
        assertThat(rate.secondsFor(1)).isEmpty();
    }

    @Test
    void itIsThatOfTheLastMinute() {
        for (long second = 0; second <= 300; second++) {
            long bytes = second <= 200 ? second * 100 : 20_000 + (second - 200) * 10;
            rate.add(bytes, second * 1_000);
        }
        assertThat(rate.bytesPerSecond()).isEqualTo(10);
        assertThat(rate.secondsFor(95)).hasValue(10);
        assertThat(rate.secondsFor(0)).hasValue(0);
    }
}
