// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.ui.hbase;

import static org.assertj.core.api.Assertions.assertThat;

import io.hearth.ui.hbase.HealerStatusCollector.RollingByteRate;
import org.junit.jupiter.api.Test;

class RollingByteRateTest {

    private final RollingByteRate rates = new RollingByteRate();

    @Test
    void theRateIsThatOfTheLastTwoMinutes() {
        rates.add(0, 1_000_000);
        assertThat(rates.bytesPerSecond()).isEmpty();
        rates.add(10_000, 1_000_500);
        assertThat(rates.bytesPerSecond()).hasValue(50);
        rates.add(300_000, 1_000_500);
        rates.add(310_000, 1_000_500);
        rates.add(320_000, 1_001_500);
        assertThat(rates.bytesPerSecond()).hasValue(50);
    }

    @Test
    void aClockThatWasAheadAndIsSetRightBeginsAnew() {
        rates.add(7_200_000, 1_000);
        rates.add(7_210_000, 2_000);
        rates.add(10_000, 3_000);
        assertThat(rates.bytesPerSecond()).isEmpty();
        rates.add(20_000, 4_000);
        assertThat(rates.bytesPerSecond()).hasValue(100);
    }

    @Test
    void aCounterThatWentBackBeginsAnew() {
        rates.add(0, 5_000);
        rates.add(1_000, 10);
        assertThat(rates.bytesPerSecond()).isEmpty();
        rates.add(1_000, 20);
        rates.add(2_000, 30);
        assertThat(rates.bytesPerSecond()).hasValue(20);
    }
}
