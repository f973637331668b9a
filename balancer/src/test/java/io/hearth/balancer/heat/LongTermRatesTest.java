// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.balancer.heat;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.hearth.balancer.config.HeatConfig;
import io.hearth.balancer.heat.ingest.Rates;
import io.hearth.common.model.LoadDimension;
import org.assertj.core.data.Offset;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** A half-life of one minute: rates are compared every two minutes, and the mean halves its weight in 24. */
class LongTermRatesTest {

    private static final RateDecays HORIZONS = RateDecays.of(HeatConfig.of(60_000, 10_000));
    private static final long LAG_MS = 120_000;
    private static final double HALF_LIFE_MS = 24 * 60_000;
    private static final Offset<Double> EXACT = within(1e-4);
    private static final Rates HUNDRED = TestRates.of(100, 40);

    private final LongTermRates longTerm = new LongTermRates();

    @BeforeEach
    void seenForOneLag() {
        learn(HUNDRED, HUNDRED, LAG_MS);
    }

    private void learn(Rates seen, Rates recent, long ms) {
        longTerm.learn(seen, recent, ms, HORIZONS);
    }

    private LongTermRates.Prior inherited() {
        return longTerm.toInherited(7);
    }

    /** By the definition: a stretch that ended so long ago weighs half for each half-life. */
    private static double shareOfNewer(long olderMs, long newerMs) {
        return (1 - Math.pow(0.5, newerMs / HALF_LIFE_MS)) / (1 - Math.pow(0.5, (olderMs + newerMs) / HALF_LIFE_MS));
    }

    private static void assertRates(Rates rates, double reads, double writes) {
        assertThat(rates.get(LoadDimension.READS)).isCloseTo(reads, EXACT);
        assertThat(rates.get(LoadDimension.WRITES)).isCloseTo(writes, EXACT);
    }

    @Test
    void horizonsFollowFromTheHalfLife() {
        RateDecays decays = RateDecays.of(HeatConfig.of(60_000, 10_000));

        assertThat(decays.recent().halfLifeMs()).isEqualTo(12_000);
        assertThat(decays.smoothed().halfLifeMs()).isEqualTo(60_000);
        assertThat(decays.longTerm().halfLifeMs()).isEqualTo((long) HALF_LIFE_MS);
        assertThat(decays.intervalMs()).isEqualTo(LAG_MS);
    }

    @Test
    void theMeanIsOfAllThatWasSeen() {
        assertThat(inherited()).isEqualTo(new LongTermRates.Prior(HUNDRED, Rates.NONE, LAG_MS, 0, 7));
        learn(TestRates.of(200, 0), HUNDRED, 60_000);

        double share = shareOfNewer(LAG_MS, 60_000);
        assertRates(longTerm.mean(), 100 + 100 * share, 40 - 40 * share);
        assertThat(inherited().observedMs()).isEqualTo(180_000);
    }

    @Test
    void halfTheSquareOfTheFirstDifferenceIsTheVariance() {
        learn(HUNDRED, TestRates.of(110, 36), LAG_MS);

        assertRates(inherited().variance(), 50, 8);
        assertThat(inherited().comparedMs()).isEqualTo(LAG_MS);
    }

    @Test
    void ratesAreComparedOnceALag() {
        learn(HUNDRED, TestRates.of(110, 36), LAG_MS - 1);
        assertThat(inherited().comparedMs()).as("one millisecond is missing").isZero();
        learn(HUNDRED, TestRates.of(120, 40), 1);
        assertRates(inherited().variance(), 200, 0);
        learn(HUNDRED, TestRates.of(150, 50), LAG_MS - 1);
        assertThat(inherited().comparedMs()).as("counted anew from there").isEqualTo(LAG_MS);
        learn(HUNDRED, TestRates.of(126, 38), 2);

        double share = shareOfNewer(LAG_MS, LAG_MS + 1);
        assertRates(inherited().variance(), 200 + (18 - 200) * share, 2 * share);
        assertThat(inherited().comparedMs()).isEqualTo(2 * LAG_MS + 1);
    }

    @Test
    void aDifferenceOfMoreThanTheMeanCountsAsTheMean() {
        learn(HUNDRED, TestRates.of(350, 0), LAG_MS);

        assertRates(inherited().variance(), 5_000, 800);
    }

    @ParameterizedTest
    @CsvSource({
        "200, 80, true",
        "200.1, 40, false",
        "50, 20, true",
        "49.9, 40, false",
        "100, 80.1, false",
        "100, 19.9, false"
    })
    void itBeginsAnewWithItsSwingsUnlessItIsOfAnotherSize(double reads, double writes, boolean keepsSwings) {
        learn(HUNDRED, TestRates.of(110, 36), LAG_MS);
        learn(HUNDRED, TestRates.of(110, 36), 60_000);
        longTerm.restart(TestRates.of(reads, writes), HORIZONS);

        assertRates(longTerm.mean(), reads, writes);
        assertThat(inherited().observedMs()).isEqualTo(LAG_MS);
        assertRates(inherited().variance(), keepsSwings ? 50 : 0, keepsSwings ? 8 : 0);
        assertThat(inherited().comparedMs()).isEqualTo(keepsSwings ? LAG_MS : 0);
    }

    @Test
    void afterABeginningTheFirstRatesAreComparedWithNoneBefore() {
        learn(HUNDRED, HUNDRED, 60_000);
        longTerm.restart(TestRates.of(150, 50), HORIZONS);
        learn(HUNDRED, HUNDRED, LAG_MS - 1);
        learn(HUNDRED, TestRates.of(150, 50), 1);
        assertThat(inherited().comparedMs()).isZero();
        learn(HUNDRED, TestRates.of(152, 50), LAG_MS);

        assertRates(inherited().variance(), 2, 0);
    }

    @Test
    void whatWasKnownBeforeIsPutUnderWhatWasLearntHere() {
        learn(HUNDRED, TestRates.of(110, 36), LAG_MS);
        longTerm.mergeOlder(
                new LongTermRates.Prior(TestRates.of(50, 80), TestRates.of(10, 20), 600_000, 480_000, 5),
                HUNDRED,
                HORIZONS);

        double ofMean = shareOfNewer(600_000, 2 * LAG_MS);
        double ofVariance = shareOfNewer(480_000, LAG_MS);
        assertRates(longTerm.mean(), 50 + 50 * ofMean, 80 - 40 * ofMean);
        assertRates(inherited().variance(), 10 + 40 * ofVariance, 20 - 12 * ofVariance);
        assertThat(inherited().observedMs()).isEqualTo(840_000);
        assertThat(inherited().comparedMs()).isEqualTo(600_000);
    }

    @Test
    void whereNothingWasComparedHereTheSwingsAreThoseOfBefore() {
        longTerm.mergeOlder(
                new LongTermRates.Prior(TestRates.of(50, 80), TestRates.of(10, 20), 600_000, 480_000, 5),
                HUNDRED,
                HORIZONS);

        assertRates(inherited().variance(), 10, 20);
        assertThat(inherited().comparedMs()).isEqualTo(480_000);
    }

    @Test
    void whereNothingWasSeenHereAllIsOfBefore() {
        LongTermRates.Prior before =
                new LongTermRates.Prior(TestRates.of(50, 80), TestRates.of(10, 20), 600_000, 480_000, 7);
        LongTermRates unseen = new LongTermRates();
        unseen.mergeOlder(before, HUNDRED, HORIZONS);

        assertThat(unseen.toInherited(7)).isEqualTo(before);
    }

    @Test
    void whereNothingIsKnownOfEitherTheRatesAreWhatIsKnown() {
        LongTermRates unseen = new LongTermRates();
        unseen.mergeOlder(LongTermRates.Prior.NONE, TestRates.of(60, 6), HORIZONS);
        assertThat(unseen.toInherited(7))
                .isEqualTo(new LongTermRates.Prior(TestRates.of(60, 6), Rates.NONE, LAG_MS, 0, 7));

        longTerm.mergeOlder(LongTermRates.Prior.NONE, TestRates.of(60, 6), HORIZONS);
        assertThat(longTerm.mean()).as("something was seen").isEqualTo(HUNDRED);
    }

    /** Before anything is compared, swings of 35 % are taken for granted; the mean of one lag may be off by as much again. */
    @Test
    void littleSeenIsMuchDoubt() {
        assertRates(longTerm.varianceOfDifference(HORIZONS), 2 * 35 * 35, 2 * 14 * 14);
        assertRates(longTerm.varianceOfMean(HORIZONS), 0, 0);
    }

    @Test
    void whatIsTakenForGrantedWeighsAsThreeDifferences() {
        learn(HUNDRED, TestRates.of(110, 36), LAG_MS);
        learn(HUNDRED, HUNDRED, LAG_MS / 2);
        double independentSamples = 2.5;

        assertRates(
                longTerm.varianceOfDifference(HORIZONS),
                (50 * 0.25 + 35 * 35 * 0.75) * (1 + 1 / independentSamples),
                (8 * 0.25 + 14 * 14 * 0.75) * (1 + 1 / independentSamples));
        assertRates(longTerm.varianceOfMean(HORIZONS), 50 / independentSamples, 8 / independentSamples);
    }

    @Test
    void aMeanOfLessThanALagCountsAsOneRateAndOfManyHalfLivesAsOfThree() {
        LongTermRates unseen = new LongTermRates();
        unseen.mergeOlder(new LongTermRates.Prior(HUNDRED, TestRates.of(50, 8), 1_000, LAG_MS, 0), HUNDRED, HORIZONS);
        assertRates(unseen.varianceOfMean(HORIZONS), 50, 8);

        LongTermRates old = new LongTermRates();
        old.mergeOlder(
                new LongTermRates.Prior(HUNDRED, TestRates.of(50, 8), Long.MAX_VALUE / 4, LAG_MS, 0),
                HUNDRED,
                HORIZONS);
        double independentSamples = 2 / Math.log(2) * HALF_LIFE_MS / LAG_MS;
        assertRates(old.varianceOfMean(HORIZONS), 50 / independentSamples, 8 / independentSamples);
    }

    @Test
    void timeInWhichNobodyLookedDiscountsWhatWasKnown() {
        LongTermRates.Prior before =
                new LongTermRates.Prior(HUNDRED, TestRates.of(50, 8), Long.MAX_VALUE / 4, Long.MAX_VALUE / 4, 9);
        LongTermRates.Prior aged = before.aged(HORIZONS, (long) HALF_LIFE_MS);

        assertThat(aged.observedMs()).as("half of all weight").isEqualTo((long) HALF_LIFE_MS);
        assertThat(aged.comparedMs()).isEqualTo((long) HALF_LIFE_MS);
        assertThat(aged.mean()).isEqualTo(HUNDRED);
        assertThat(aged.variance()).isEqualTo(TestRates.of(50, 8));
        assertThat(aged.shiftedAtMs()).isEqualTo(9);
    }
}
