// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.balancer.heat;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import io.hearth.balancer.heat.RateDecays.ExponentialDecay;
import org.junit.jupiter.api.Test;

class ExponentialDecayTest {

    private final ExponentialDecay minute = new ExponentialDecay(60_000);
    private double perSecond;
    private long observedMs;

    private void add(double samplePerSecond, long ms) {
        perSecond += (samplePerSecond - perSecond) * minute.shareOfNewer(observedMs, ms);
        observedMs += ms;
    }

    @Test
    void isUnbiasedFromTheFirstSampleOn() {
        add(100, 3_000);

        assertThat(perSecond).isCloseTo(100, within(1e-9));
    }

    @Test
    void aConstantRateStaysWhateverTheSamplesAreCutTo() {
        for (long ms : new long[] {300, 60_000, 1_000, 3_000, 300, 120_000}) {
            add(100, ms);
            assertThat(perSecond).isCloseTo(100, within(1e-9));
        }
    }

    @Test
    void afterEachHalfLifeTheOldRateHasHalfItsWeight() {
        add(100, 36_000_000);
        for (int second = 0; second < 60; second++) {
            add(0, 1_000);
        }
        assertThat(perSecond).isCloseTo(50, within(1e-6));
        add(0, 60_000);
        assertThat(perSecond).isCloseTo(25, within(1e-6));
    }

    @Test
    void itDoesNotMatterHowTimeWasCut() {
        add(10, 20_000);
        add(70, 40_000);
        double inTwo = perSecond;
        perSecond = 0;
        observedMs = 0;
        add(10, 20_000);
        for (int tenth = 0; tenth < 400; tenth++) {
            add(70, 100);
        }

        assertThat(perSecond).isCloseTo(inTwo, within(1e-9));
    }

    @Test
    void whatIsOneHalfLifeOldWeighsHalf() {
        assertThat(minute.discounted(36_000_000, 60_000)).isEqualTo(60_000);
        assertThat(minute.discounted(60_000, 0)).isBetween(59_999L, 60_000L);
        assertThat(minute.discounted(60_000, 60_000)).isEqualTo(24_902);
        assertThat(minute.discounted(60_000, 36_000_000)).isZero();
    }

    @Test
    void refusesAHalfLifeOfNothing() {
        assertThatThrownBy(() -> new ExponentialDecay(0)).hasMessage("The half-life is 0 ms: it must be above 0.");
    }
}
