package io.hearth.balancer.heat;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import org.junit.jupiter.api.Test;

class DecayingRateTest {

    @Test
    void isUnbiasedFromTheFirstSampleOn() {
        DecayingRate rate = new DecayingRate(60_000);
        assertThat(rate.perSecond()).isZero();

        rate.add(300, 3_000);

        assertThat(rate.perSecond()).isCloseTo(100, within(1e-9));
    }

    @Test
    void aConstantRateStaysWhateverTheSamplesAreCutTo() {
        DecayingRate rate = new DecayingRate(60_000);
        for (long ms : new long[] {300, 60_000, 1_000, 3_000, 300, 120_000}) {
            rate.add(ms / 10, ms);
            assertThat(rate.perSecond()).isCloseTo(100, within(1e-9));
        }
    }

    @Test
    void afterEachHalfLifeTheOldRateHasHalfItsWeight() {
        DecayingRate rate = new DecayingRate(60_000);
        rate.add(100 * 36_000, 36_000_000);
        for (int second = 0; second < 60; second++) {
            rate.add(0, 1_000);
        }
        assertThat(rate.perSecond()).isCloseTo(50, within(1e-6));
        rate.add(0, 60_000);
        assertThat(rate.perSecond()).isCloseTo(25, within(1e-6));
    }

    @Test
    void refusesAHalfLifeOfNothing() {
        assertThatThrownBy(() -> new DecayingRate(0)).hasMessage("The half-life is 0 ms: it must be above 0.");
    }
}
