// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.balancer.heat;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.hearth.balancer.config.HeatConfig;
import io.hearth.balancer.heat.ActivityFilter.NoActivityFilter;
import io.hearth.balancer.heat.ActivityFilter.RateActivityFilter;
import io.hearth.balancer.heat.ActivityFilter.WindowActivityFilter;
import io.hearth.balancer.heat.ingest.Rates;
import io.hearth.balancer.heat.ingest.RegionCounters.RegionSample;
import io.hearth.balancer.heat.ingest.ServerReport.RegionReport;
import io.hearth.common.model.EncodedRegionName;
import io.hearth.common.model.LoadDimension;
import io.hearth.common.model.TableId;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** A region with 60 reads and 40 writes a second. */
class RegionLoadTrackerTest {

    private static final RateDecays HORIZONS = RateDecays.of(HeatConfig.of(60_000, 10_000));
    private static final RegionReport REPORT = new RegionReport(new EncodedRegionName("r"), new TableId("t"), 0, 0, 0);
    private static final Rates USUAL = TestRates.of(60, 40);
    private static final long ARRIVED_MS = 1_800_000;

    private final RegionLoadTracker tracker = new RegionLoadTracker(new RegionNameHash(1, 2), new TableId("t"), REPORT);

    private void serves(double reads, double writes, long ms, boolean isRateFrozen) {
        RegionSample sample = TestRates.sample(ms, Math.round(reads * ms / 1_000), Math.round(writes * ms / 1_000));
        tracker.learn(sample, REPORT, HORIZONS, isRateFrozen, 77_000);
    }

    private static void assertRates(Rates rates, double reads, double writes) {
        assertThat(rates.get(LoadDimension.READS)).isCloseTo(reads, within(1e-5));
        assertThat(rates.get(LoadDimension.WRITES)).isCloseTo(writes, within(1e-5));
    }

    @Test
    void ratesAddUpMultiplyAndMeetHalfWay() {
        assertThat(USUAL.total()).isEqualTo(100);
        assertThat(USUAL.plus(TestRates.of(1, 2))).isEqualTo(TestRates.of(61, 42));
        assertThat(USUAL.times(0.5)).isEqualTo(TestRates.of(30, 20));
        assertThat(USUAL.towards(TestRates.of(100, 0), 0.25)).isEqualTo(TestRates.of(70, 30));
        assertThat(TestRates.sample(500, 30, 20).perSecond()).isEqualTo(USUAL);
    }

    @Test
    void theLastRatesAreThoseOfTenSecondsAtLeast() {
        assertThat(tracker.last()).isEqualTo(Rates.NONE);
        serves(60, 40, 1_000, false);
        assertThat(tracker.last()).isEqualTo(USUAL);
        serves(160, 0, 2_500, false);
        assertRates(tracker.last(), 60 + 100 * 0.25, 40 - 40 * 0.25);
        serves(10, 20, 20_000, false);
        assertThat(tracker.last()).as("ten seconds are enough").isEqualTo(TestRates.of(10, 20));
    }

    @Test
    void whatASuspectServesIsNotLearntFromUnlessNothingWasSeenBefore() {
        serves(60, 40, 60_000, true);
        assertThat(tracker.isRateFrozen()).isTrue();
        assertRates(tracker.smoothed(), 60, 40);
        assertThat(tracker.observedMs()).isEqualTo(60_000);
        serves(0, 0, 60_000, true);
        assertRates(tracker.smoothed(), 60, 40);
        assertRates(tracker.longTerm().mean(), 60, 40);
        assertThat(tracker.observedMs()).isEqualTo(60_000);
        assertThat(tracker.recent().total()).as("what is to be seen now").isLessThan(5);

        serves(0, 0, 60_000, false);
        assertThat(tracker.isRateFrozen()).isFalse();
        assertRates(tracker.smoothed(), 20, 40 / 3.0);
        assertThat(tracker.longTerm().mean().total()).isBetween(40.0, 50.0);
        assertThat(tracker.observedMs()).isEqualTo(120_000);
    }

    @Test
    void whatItCameWithIsKeptUntilItIsSeenAtItsHeat() {
        assertThat(tracker.hasJustArrived(0)).as("it never moved").isFalse();
        serves(60, 40, 60_000, false);
        tracker.arrives(100_000);
        assertThat(tracker.arrivalRates()).isEqualTo(USUAL);
        assertThat(tracker.hasJustArrived(100_000)).isTrue();
        assertThat(tracker.hasJustArrived(100_000 + ARRIVED_MS)).isTrue();
        assertThat(tracker.hasJustArrived(100_000 + ARRIVED_MS + 1)).isFalse();
    }

    @Test
    void whatHappenedByAClockThatWasAheadHappenedNow() {
        serves(60, 40, 60_000, false);
        tracker.arrives(7_277_000);
        tracker.shifted(7_277_000);
        serves(6, 4, 60_000, false);
        assertThat(tracker.shiftedAtMs()).isEqualTo(77_000);
        assertThat(tracker.hasJustArrived(77_000 + ARRIVED_MS)).isTrue();
        assertThat(tracker.hasJustArrived(77_000 + ARRIVED_MS + 1)).isFalse();
    }

    /** 70 of 100 requests a second, reads and writes together. */
    @ParameterizedTest
    @CsvSource({"70, 0, false", "0, 70, false", "40, 30, false", "40, 29, true"})
    void sevenTenthsOfItsHeatAreItsHeat(double reads, double writes, boolean hasJustArrived) {
        serves(60, 40, 60_000, false);
        tracker.arrives(100_000);
        serves(reads, writes, 60_000, false);

        assertThat(tracker.hasJustArrived(100_000)).isEqualTo(hasJustArrived);
    }

    @Test
    void whatItLostByLandingIsTakenBack() {
        serves(60, 40, 60_000, false);
        tracker.arrives(100_000);
        serves(6, 4, 60_000, false);
        assertRates(tracker.smoothed(), 24, 16);
        tracker.restoreArrivalRates();

        assertThat(tracker.smoothed()).isEqualTo(USUAL);
    }

    @Test
    void whatWasKnownBeforeIsAllThatIsKnownOfARegionNotSeenHere() {
        LongTermRates.Prior longTerm =
                new LongTermRates.Prior(TestRates.of(7, 8), TestRates.of(2, 3), 300_000, 240_000, 9_000);
        InheritedRates inherited = new InheritedRates(60_000, USUAL, TestRates.of(50, 30), longTerm);
        assertThat(tracker.shiftedAtMs()).isEqualTo(Long.MIN_VALUE);
        tracker.mergeOlder(inherited, HORIZONS);

        assertThat(tracker.toInherited()).isEqualTo(inherited);
        assertThat(tracker.shiftedAtMs()).isEqualTo(9_000);
        tracker.shifted(10_000);
        tracker.mergeOlder(inherited, HORIZONS);
        assertThat(tracker.shiftedAtMs()).as("the later one").isEqualTo(10_000);
    }

    /** A minute before and a minute here, which is one half-life: what is newer has two thirds. */
    @Test
    void whatWasKnownBeforeIsPutUnderWhatWasSeenHere() {
        serves(60, 40, 60_000, false);
        tracker.mergeOlder(new InheritedRates(60_000, TestRates.of(0, 100), TestRates.of(0, 100)), HORIZONS);

        assertRates(tracker.smoothed(), 60 * 2 / 3.0, 40 * 2 / 3.0 + 100 / 3.0);
        double newer = (1 - Math.pow(0.5, 5)) / (1 - Math.pow(0.5, 10));
        assertRates(tracker.recent(), 60 * newer, 40 * newer + 100 * (1 - newer));
        assertThat(tracker.observedMs()).isEqualTo(120_000);
        assertRates(tracker.longTerm().mean(), 60, 40);
    }

    @Test
    void beginningAnewTheRecentRatesAreTheLongMean() {
        serves(60, 40, 60_000, false);
        serves(0, 100, 12_000, false);
        tracker.restart(HORIZONS);

        assertRates(
                tracker.longTerm().mean(),
                tracker.recent().get(LoadDimension.READS),
                tracker.recent().get(LoadDimension.WRITES));
        assertThat(tracker.longTerm().toInherited(0).observedMs()).isEqualTo(HORIZONS.intervalMs());
    }

    @Test
    void itIsSeenWhenItsReportIsTakenAndLaterWhereNobodyLooked() {
        serves(60, 40, 60_000, false);
        assertThat(tracker.seenAtMs()).isEqualTo(77_000);
        tracker.shiftSeenAt(-7_000);
        assertThat(tracker.seenAtMs()).isEqualTo(70_000);
        assertThat(tracker.table()).isEqualTo(new TableId("t"));
    }

    /** 60 reads and 40 writes a second are 6,000 requests in a minute. */
    @Test
    void moreRequestsThanTheBarMakeItHotByItsRate() {
        serves(60, 40, 60_000, false);

        assertThat(new RateActivityFilter(5_999, 1).isActive(tracker)).isTrue();
        assertThat(new RateActivityFilter(6_000, 1).isActive(tracker)).isFalse();
        assertThat(new NoActivityFilter().isActive(tracker)).isTrue();
    }

    @Test
    void onlyTheMeasureByTheWindowKeepsOne() {
        RegionSample sample = TestRates.sample(1_000, 60, 40);
        for (ActivityFilter other : new ActivityFilter[] {new RateActivityFilter(1, 1), new NoActivityFilter()}) {
            new WindowActivityFilter(1, 2).learn(tracker, sample, 5_000);
            assertThat(tracker.window()).isNotNull();
            other.learn(tracker, sample, 5_000);
            assertThat(tracker.window()).isNull();
        }
        WindowActivityFilter window = new WindowActivityFilter(99, 2);
        window.learn(tracker, RegionSample.FIRST_REPORT, 5_000);
        window.learn(tracker, sample, 6_000);
        assertThat(window.isActive(tracker)).isTrue();
        assertThat(new WindowActivityFilter(100, 2).isActive(tracker)).isFalse();
        new WindowActivityFilter(99, 3).learn(tracker, RegionSample.FIRST_REPORT, 6_000);
        assertThat(window.isActive(tracker))
                .as("with another number of minutes it begins anew")
                .isFalse();
    }
}
