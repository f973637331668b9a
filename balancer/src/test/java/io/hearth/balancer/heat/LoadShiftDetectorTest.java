// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.balancer.heat;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.hearth.balancer.config.HeatConfig;
import io.hearth.balancer.heat.ingest.Rates;
import io.hearth.balancer.heat.ingest.ReportDeduplicator;
import io.hearth.balancer.heat.ingest.ReportDeduplicator.ServerIncarnation;
import io.hearth.balancer.heat.ingest.ServerReport;
import io.hearth.balancer.heat.ingest.ServerReport.RegionReport;
import io.hearth.common.model.EncodedRegionName;
import io.hearth.common.model.LoadDimension;
import io.hearth.common.model.ServerId;
import io.hearth.common.model.TableId;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * Regions with a long mean of 100 reads a second and a standard deviation of 10, seen for so long that a difference has the
 * variance 100 x (1 + 1 / 34.6).
 */
class LoadShiftDetectorTest {

    private static final RateDecays HORIZONS = RateDecays.of(HeatConfig.of(60_000, 10_000));
    private static final TableId TABLE = new TableId("t");
    private static final long EVER_MS = Long.MAX_VALUE / 4;
    private static final double DRAWS = 2 / Math.log(2) * 24 / 2;
    private static final double DEVIATION = 10 * Math.sqrt(1 + 1 / DRAWS);
    private static final long NOW_MS = 5_000;

    private final ReportDeduplicator deduplicator = new ReportDeduplicator();
    private final ServerIncarnation one = run("one");
    private final ServerIncarnation other = run("other");
    private final List<RegionLoadTracker> regions = new ArrayList<>();

    private ServerIncarnation run(String host) {
        return deduplicator.accept(report(host, 1_000), 1_000).orElseThrow();
    }

    private static ServerReport report(String host, long ms) {
        return new ServerReport(new ServerId(host, 1, 1), ms, List.of());
    }

    private RegionLoadTracker region(ServerIncarnation on, Rates recent, Rates mean, Rates variance) {
        RegionLoadTracker tracker = new RegionLoadTracker(new RegionNameHash(1, 2), TABLE, regionReport());
        tracker.follow(on, regionReport());
        tracker.mergeOlder(
                new InheritedRates(
                        60_000,
                        recent,
                        recent,
                        new LongTermRates.Prior(mean, variance, EVER_MS, EVER_MS, Long.MIN_VALUE)),
                HORIZONS);
        regions.add(tracker);
        return tracker;
    }

    private static RegionReport regionReport() {
        return new RegionReport(new EncodedRegionName("r"), TABLE, 0, 0, 0);
    }

    /** One that has 100 reads a second and a standard deviation of 10, and {@code deviations} of these more in the last minute. */
    private RegionLoadTracker region(ServerIncarnation on, double deviations) {
        return region(on, TestRates.of(100 + deviations * DEVIATION, 0), TestRates.of(100, 0), TestRates.of(100, 0));
    }

    private RegionLoadTracker writingRegion(ServerIncarnation on, double deviations) {
        return region(on, TestRates.of(0, 100 + deviations * DEVIATION), TestRates.of(0, 100), TestRates.of(0, 100));
    }

    private Rates look() {
        return LoadShiftDetector.look(regions, HORIZONS, NOW_MS);
    }

    private static boolean hasBegunAnew(RegionLoadTracker region) {
        return region.longTerm().toInherited(0).observedMs() == HORIZONS.intervalMs();
    }

    private static boolean isCertain(RegionLoadTracker region) {
        return region.shiftedAtMs() == NOW_MS;
    }

    @ParameterizedTest
    @CsvSource({
        "4.49, false, false",
        "4.51, true, false",
        "6.99, true, false",
        "7.01, true, true",
        "-4.49, false, false",
        "-4.51, true, false"
    })
    void aRegionThatIsFarFromItsMeanBeginsAnew(double deviations, boolean beginsAnew, boolean isCertain) {
        RegionLoadTracker reads = region(one, deviations);
        RegionLoadTracker writes = writingRegion(one, deviations);
        RegionLoadTracker still = region(one, 0);
        List<RegionLoadTracker> others = List.of(
                region(one, -deviations / 8), writingRegion(one, -deviations / 8), writingRegion(one, -deviations / 8));
        region(other, 0);
        look();

        assertThat(List.of(hasBegunAnew(reads), hasBegunAnew(writes))).containsOnly(beginsAnew);
        assertThat(List.of(isCertain(reads), isCertain(writes))).containsOnly(isCertain);
        assertThat(hasBegunAnew(still)).isFalse();
        assertThat(others).as("their server is not far off").noneMatch(LoadShiftDetectorTest::hasBegunAnew);
        assertThat(reads.longTerm().mean().get(LoadDimension.READS))
                .isCloseTo(beginsAnew ? 100 + deviations * DEVIATION : 100, within(1e-4));
    }

    /** The sum of four has twice the deviation of one. */
    @ParameterizedTest
    @CsvSource({
        "2.24, false, false",
        "2.26, true, false",
        "3.49, true, false",
        "3.51, true, true",
        "-2.24, false, false",
        "-2.26, true, false"
    })
    void regionsOfAServerWhoseSumIsFarOffBeginAnewTogether(double deviations, boolean restart, boolean areCertain) {
        List<RegionLoadTracker> reading = new ArrayList<>();
        for (int region = 0; region < 4; region++) {
            reading.add(region(one, deviations));
            region(other, 0);
        }
        look();

        assertThat(reading).allMatch(region -> hasBegunAnew(region) == restart);
        assertThat(reading).allMatch(region -> isCertain(region) == areCertain);
        assertThat(regions.stream().filter(LoadShiftDetectorTest::hasBegunAnew)).hasSize(restart ? 4 : 0);
    }

    @ParameterizedTest
    @CsvSource({"2.24, false", "2.26, true"})
    void theSumOfWritesIsLookedAtToo(double deviations, boolean restart) {
        for (int region = 0; region < 4; region++) {
            writingRegion(one, deviations);
            writingRegion(other, 0);
        }
        look();

        assertThat(regions.stream().filter(LoadShiftDetectorTest::hasBegunAnew)).hasSize(restart ? 4 : 0);
    }

    /** Both servers have 1,000 a second together, 500 each in the mean: 2 % of that are 10. */
    @ParameterizedTest
    @CsvSource({"510, false", "510.1, true"})
    void whatIsLessThanTwoPercentOfAServersLoadIsNoShift(double recent, boolean beginsAnew) {
        Rates noSwing = TestRates.of(0, 0);
        RegionLoadTracker region = region(one, TestRates.of(recent, 0), TestRates.of(500, 0), noSwing);
        region(other, TestRates.of(1_000 - recent, 0), TestRates.of(1_000 - recent, 0), noSwing);
        look();

        assertThat(hasBegunAnew(region)).isEqualTo(beginsAnew);
    }

    @ParameterizedTest
    @CsvSource({"-1.99, false", "-2.01, true", "2.01, false"})
    void loadThatLeftWhileOtherCameIsSeenWithIt(double deviations, boolean beginsAnew) {
        region(one, 20);
        RegionLoadTracker reads = region(other, deviations);
        RegionLoadTracker writes = writingRegion(other, deviations);
        look();

        assertThat(List.of(hasBegunAnew(reads), hasBegunAnew(writes))).containsOnly(beginsAnew);
        assertThat(List.of(isCertain(reads), isCertain(writes))).containsOnly(false);
    }

    /** Broken (whatever has fallen begins anew): what a suspect server still serves became what its regions have in the long run. */
    @Test
    void whatASuspectNoLongerServesHasNotLeftWhileOtherCame() {
        region(one, 20);
        RegionLoadTracker rateFrozen = region(other, -9);
        rateFrozen.learn(TestRates.sample(1, 0, 0), regionReport(), HORIZONS, true, NOW_MS);
        look();

        assertThat(hasBegunAnew(rateFrozen)).isFalse();
        assertThat(rateFrozen.longTerm().mean().get(LoadDimension.READS)).isEqualTo(100);
    }

    @Test
    void loadThatOnlyLeftSomewhatIsASwing() {
        region(one, 0);
        RegionLoadTracker fallen = region(other, -4);
        look();

        assertThat(hasBegunAnew(fallen)).isFalse();
    }

    /** The servers' means may be off by 10 / 34.6 squared for each region: two of them on one, three on the other. */
    @Test
    void doubtIsTwoDeviationsOfAServersMeanAsAShareOfItsLoad() {
        region(one, 0);
        region(one, 0);
        region(other, 0);
        region(other, 0);
        region(other, 0);
        Rates noiseMargin = look();

        assertThat(noiseMargin.get(LoadDimension.READS))
                .isCloseTo(2 * Math.sqrt(2.5 * 100 / DRAWS) / 250, within(1e-6));
        assertThat(noiseMargin.get(LoadDimension.WRITES)).as("nobody writes").isZero();
        assertThat(doubtOfWriters()).isCloseTo(2 * Math.sqrt(100 / DRAWS) / 100, within(1e-6));
    }

    private double doubtOfWriters() {
        regions.clear();
        writingRegion(one, 0);
        writingRegion(other, 0);
        return look().get(LoadDimension.WRITES);
    }

    @Test
    void regionsThatNobodyServesAndThoseOfASuspectAreLeftOut() {
        RegionLoadTracker missing = region(one, 20);
        deduplicator.accept(report("one", 2_000), 2_000);
        RegionLoadTracker rateFrozen = region(other, 20);
        rateFrozen.learn(TestRates.sample(1, 0, 0), regionReport(), HORIZONS, true, NOW_MS);

        assertThat(look()).isEqualTo(Rates.NONE);
        assertThat(List.of(hasBegunAnew(missing), hasBegunAnew(rateFrozen))).containsOnly(false);
        deduplicator.retainServers(Set.of());
        assertThat(LoadShiftDetector.look(List.of(), HORIZONS, NOW_MS)).isEqualTo(Rates.NONE);
    }
}
