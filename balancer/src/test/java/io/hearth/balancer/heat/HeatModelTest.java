// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.balancer.heat;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.hearth.balancer.config.BalancerConfig;
import io.hearth.balancer.config.HeatConfig;
import io.hearth.balancer.config.HeatConfig.ActivityConfig;
import io.hearth.balancer.config.TableWeights;
import io.hearth.balancer.heat.RegionHeat.Known;
import io.hearth.balancer.heat.RegionHeat.Reason;
import io.hearth.balancer.heat.RegionHeat.Unknown;
import io.hearth.balancer.heat.ingest.ServerReport;
import io.hearth.balancer.heat.ingest.ServerReport.RegionReport;
import io.hearth.balancer.heat.ingest.ServerReport.ReportBatch;
import io.hearth.balancer.heat.ingest.ServerReport.ReportedLoad;
import io.hearth.common.config.RawSettings.MapSettings;
import io.hearth.common.model.EncodedRegionName;
import io.hearth.common.model.LoadDimension;
import io.hearth.common.model.LoadVector;
import io.hearth.common.model.ServerId;
import io.hearth.common.model.TableId;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class HeatModelTest {

    private static final TableId TABLE = new TableId("t");
    private static final EncodedRegionName REGION = new EncodedRegionName("0123456789abcdef0123456789abcdef");
    private static final ServerId A = new ServerId("a", 1, 1);
    private static final ServerId B = new ServerId("b", 1, 1);
    private static final long TAKEN_MS = 7_000_000;
    private static final HeatConfig CONFIG = HeatConfig.of(60_000, 10_000);

    private final HeatModel heat = new HeatModel(CONFIG);

    private void report(ServerId server, long ms, long reads) {
        heat.update(
                List.of(new ServerReport(
                        server,
                        ms,
                        List.of(new RegionReport(
                                REGION,
                                TABLE,
                                Optional.empty(),
                                -1,
                                ReportedLoad.NONE
                                        .with(LoadDimension.READS, reads)
                                        .with(LoadDimension.WRITES, reads * 2)
                                        .with(LoadDimension.STORE_SIZE, 4096)
                                        .with(LoadDimension.MEMSTORE, 1024),
                                0.5)))),
                ms);
    }

    private Known known() {
        return (Known) heat.heat(REGION);
    }

    private static double reads(LoadVector load) {
        return load.get(LoadDimension.READS);
    }

    private static HeatConfig with(long halfLifeMs, double remoteReadPenalty, ActivityConfig activity) {
        return new HeatConfig(halfLifeMs, halfLifeMs / 5, 10_000, remoteReadPenalty, 0, 0.65, true, activity);
    }

    @Test
    void isUnknownUntilEnoughWasSeen() {
        assertThat(heat.heat(REGION)).isEqualTo(new Unknown(Reason.NEVER_REPORTED));
        report(A, 1_000, 0);
        assertThat(heat.heat(REGION)).isEqualTo(new Unknown(Reason.OBSERVED_TOO_BRIEFLY));
        report(A, 10_000, 90);
        assertThat(heat.heat(REGION))
                .isEqualTo(new Unknown(
                        Reason.OBSERVED_TOO_BRIEFLY, LoadVector.ofReads(10).withWrites(20)));

        report(A, 11_000, 100);

        assertThat(reads(known().load())).isCloseTo(10, within(1e-9));
        assertThat(known().load().get(LoadDimension.WRITES)).isCloseTo(20, within(1e-9));
        assertThat(known().load().get(LoadDimension.STORE_SIZE)).isEqualTo(4096);
        assertThat(known().load().get(LoadDimension.MEMSTORE)).isEqualTo(1024);
    }

    @Test
    void outlivesAMove() {
        report(A, 0, 0);
        report(A, 60_000, 600);
        report(B, 61_000, 5);

        assertThat(reads(known().load())).isCloseTo(10, within(1e-9));
    }

    @Test
    void isServedForAsLongAsItsServerSpeaksOfIt() {
        assertThat(heat.isServed(REGION)).isFalse();
        report(A, 0, 0);
        report(A, 60_000, 600);
        assertThat(heat.isServed(REGION)).isTrue();

        heat.update(List.of(new ServerReport(A, 61_000, List.of())), 61_000);
        assertThat(heat.isServed(REGION)).isFalse();
        assertThat(reads(known().load())).as("its heat is remembered").isCloseTo(10, within(1e-9));

        report(B, 62_000, 5);
        assertThat(heat.isServed(REGION)).isTrue();
    }

    @Test
    void theShortHorizonSeesWhatTheLongOneActsOnLater() {
        report(A, 0, 0);
        report(A, 3_600_000, 36_000);
        report(A, 3_612_000, 36_000);

        assertThat(reads(known().recent())).as("one half-life of 12 s later").isCloseTo(5, within(1e-6));
        assertThat(reads(known().load())).as("a fifth of one of 60 s").isCloseTo(10 * Math.pow(2, -0.2), within(1e-6));
    }

    @Test
    void aNewHalfLifeTakesEffectOnWhatIsKnown() {
        report(A, 0, 0);
        report(A, 3_600_000, 36_000);
        heat.configure(with(6_000, 0, ActivityConfig.OFF));
        report(A, 3_606_000, 36_000);

        assertThat(reads(known().load())).isCloseTo(5, within(1e-6));
    }

    @Test
    void aRemoteReadCostsMoreWhereThatIsAsked() {
        report(A, 0, 0);
        report(A, 60_000, 600);
        heat.configure(with(60_000, 3, ActivityConfig.OFF));

        assertThat(reads(known().planned())).as("half of the data are remote").isCloseTo(10 * 2.5, within(1e-6));
        assertThat(reads(heat.load(REGION).orElseThrow())).isCloseTo(10 * 2.5, within(1e-6));
        assertThat(reads(known().load())).as("as served").isCloseTo(10, within(1e-6));
        assertThat(reads(known().recent())).isCloseTo(10, within(1e-6));
        assertThat(reads(known().last())).isCloseTo(10, within(1e-6));
        assertThat(known().load().get(LoadDimension.WRITES)).isCloseTo(20, within(1e-9));
    }

    @Test
    void theWeightOfItsTableIsInWhatPlansCountAlone() {
        report(A, 0, 0);
        report(A, 60_000, 600);
        heat.configure(with(60_000, 3, ActivityConfig.OFF));
        heat.setWeights(TableWeights.read(
                "a test",
                new MapSettings(Map.of("hearth.table.t.read.weight", "3")),
                Map.of(TABLE, new MapSettings(Map.of()))));

        assertThat(reads(known().planned())).isCloseTo(10 * 2.5 * 3, within(1e-6));
        assertThat(known().planned().get(LoadDimension.WRITES)).isCloseTo(20, within(1e-6));
        assertThat(reads(heat.load(REGION).orElseThrow())).isCloseTo(10 * 2.5 * 3, within(1e-6));
        assertThat(reads(known().load())).isCloseTo(10, within(1e-6));
        assertThat(reads(known().recent())).isCloseTo(10, within(1e-6));
    }

    @Test
    void forgetsWhatNobodyReports() {
        report(A, 0, 0);
        for (long ms = 60_000; ms <= HeatModel.FORGET_AFTER_MS + 60_000; ms += 60_000) {
            assertThat(heat.size()).isEqualTo(1);
            heat.update(List.of(new ServerReport(B, ms, List.of())), ms);
        }

        assertThat(heat.size()).isZero();
        assertThat(heat.heat(REGION)).isEqualTo(new Unknown(Reason.NEVER_REPORTED));
    }

    @Test
    void aClockOfOursThatIsSetMakesNobodyForgotten() {
        report(A, 0, 0);
        for (long setToMs : List.of(2 * HeatModel.FORGET_AFTER_MS, 0L)) {
            heat.update(List.of(new ServerReport(B, 60_000, List.of())), setToMs);
            assertThat(heat.size()).isEqualTo(1);
        }

        for (long ms = 60_000; ms <= HeatModel.FORGET_AFTER_MS; ms += 60_000) {
            heat.update(List.of(new ServerReport(B, 60_000 + ms, List.of())), ms);
        }
        assertThat(heat.size()).as("an hour in which others were seen").isEqualTo(1);
        heat.update(List.of(), HeatModel.FORGET_AFTER_MS + 1);
        assertThat(heat.size()).isZero();
    }

    @Test
    void whatWasForgottenBeginsAnewWithTheServerThatHadIt() {
        report(A, 0, 0);
        for (long ms = 60_000; ms <= HeatModel.FORGET_AFTER_MS + 60_000; ms += 60_000) {
            ServerReport ofB = new ServerReport(B, ms, List.of());
            heat.update(new ReportBatch(List.of(ofB), Map.of(A, 0L, B, ms)), ms, ms);
        }
        assertThat(heat.size()).isZero();

        report(A, HeatModel.FORGET_AFTER_MS + 120_000, 1_000);

        assertThat(heat.size()).isEqualTo(1);
        assertThat(((Unknown) heat.heat(REGION)).reason()).isEqualTo(Reason.OBSERVED_TOO_BRIEFLY);
    }

    /** Regions come, go and change their places in two servers' reports; each has its own rate all the same. */
    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3})
    void inWhateverOrderAReportHasItsRegionsEachIsLearntByItsName(long seed) {
        Random random = new Random(seed);
        List<Integer> all = new ArrayList<>(IntStream.range(0, 40).boxed().toList());
        long[] countedFromMs = new long[all.size()];
        for (long ms = 10_000; ms <= 600_000; ms += 10_000) {
            if (ms % 100_000 == 0) {
                Collections.shuffle(all, random);
            }
            long now = ms;
            int missing = random.nextInt(all.size());
            List<RegionReport> regions = new ArrayList<>();
            for (int region : all) {
                if (region == missing) {
                    // It is closed for a report, and its counters begin at 0.
                    countedFromMs[region] = now;
                } else {
                    long reads = (1 + region) * (now - countedFromMs[region]) / 1_000;
                    regions.add(new RegionReport(region(region), TABLE, reads, 0, 1));
                }
            }
            ServerReport report = new ServerReport(A, now, regions);
            heat.update(List.of(report), now);
            assertThat(heat.loads(report))
                    .isEqualTo(regions.stream()
                            .map(region -> heat.load(region.region()))
                            .toList());
        }
        for (int region : all) {
            assertThat(reads(heat.load(region(region)).orElseThrow()))
                    .as("region %d, seed %d", region, seed)
                    .isCloseTo(1 + region, within(1e-6));
        }
    }

    private static EncodedRegionName region(int number) {
        return new EncodedRegionName(String.format("%032x", number * 0x9E3779B97F4A7C15L));
    }

    @Test
    void aServerWhoseClockIsFarAheadMakesNobodyForgotten() {
        report(A, 0, 0);
        heat.update(List.of(new ServerReport(B, HeatModel.FORGET_AFTER_MS + 1, List.of())), 1_000);

        assertThat(heat.size()).isEqualTo(1);
    }

    /** 2,000 reads in a second, in which both clocks were set forward by a thousand: no rate, rather than two reads a second. */
    @Test
    void clocksThatAreSetAtTheSameTimeAndAsFarGiveNoRate() {
        report(A, 0, 0);
        report(A, 60_000, 120_000);
        ServerReport aThousandSecondsAhead = report(A, 1_061_000, REGION, 122_000);
        heat.update(ReportBatch.ofAll(List.of(aThousandSecondsAhead)), 1_061_000, 61_000);

        assertThat(reads(known().load())).isCloseTo(2_000, within(1e-9));
        heat.update(ReportBatch.ofAll(List.of(report(A, 1_062_000, REGION, 124_000))), 1_062_000, 62_000);
        assertThat(reads(known().load())).isCloseTo(2_000, within(1e-9));
    }

    /** Only our clock that is set is no break in what is learnt. */
    @Test
    void aClockOfOursThatIsSetCostsNoRate() {
        report(A, 0, 0);
        for (int second = 1; second <= 11; second++) {
            long setMs = second % 2 == 0 ? 7_200_000 : 0;
            ServerReport next = report(A, second * 1_000L, REGION, second * 10L);
            heat.update(ReportBatch.ofAll(List.of(next)), second * 1_000L + setMs, second * 1_000L);
        }

        assertThat(reads(known().load())).isCloseTo(10, within(1e-9));
    }

    @Test
    void withoutAMeasureEveryRegionIsWorthAMove() {
        assertThat(heat.isActive(REGION)).isTrue();
    }

    @Test
    void byTheWindowARegionIsWorthAMoveFromTheRequestAboveItsBarOn() {
        heat.configure(with(60_000, 0, new ActivityConfig(3_000, 2, true)));
        assertThat(heat.isActive(REGION)).as("never reported").isFalse();
        report(A, 0, 0);
        report(A, 60_000, 1_000);
        assertThat(heat.isActive(REGION)).as("3,000 requests").isFalse();
        report(A, 61_000, 1_001);
        assertThat(heat.isActive(REGION)).as("3,003 requests").isTrue();
        report(A, 181_000, 1_001);
        assertThat(heat.isActive(REGION)).as("two minutes later").isFalse();
    }

    @Test
    void byTheRateItIsTheDecayedRateThatCounts() {
        heat.configure(with(60_000, 0, new ActivityConfig(3_599, 2, false)));
        report(A, 0, 0);
        report(A, 60_000, 600);

        assertThat(heat.isActive(REGION)).as("30 requests a second").isTrue();
        heat.configure(with(60_000, 0, new ActivityConfig(3_601, 2, false)));
        assertThat(heat.isActive(REGION)).isFalse();
    }

    /** Before it is known a region has its first rate, and beside the decayed rates there is the last one. */
    @Test
    void theFirstAndTheLastRateAreThereToBeSeen() {
        HeatModel heat = new HeatModel(with(300_000, 0, ActivityConfig.OFF));
        ServerId server = new ServerId("s", 1, 1);
        EncodedRegionName region = new EncodedRegionName("r");
        long reads = 0;
        for (int second = 0; second <= 60; second += 5) {
            reads += second == 0 ? 0 : second <= 30 ? 5 * 1_400 : 0;
            long ms = 1_000_000 + second * 1_000L;
            heat.update(
                    List.of(new ServerReport(
                            server, ms, List.of(new RegionReport(region, new TableId("t"), reads, 0, 0)))),
                    ms);
            if (second == 5) {
                assertThat(heat.heat(region))
                        .isEqualTo(new Unknown(Reason.OBSERVED_TOO_BRIEFLY, LoadVector.ofReads(1_400)));
            }
        }
        Known known = (Known) heat.heat(region);
        assertThat(known.load().get(LoadDimension.READS)).isGreaterThan(600);
        assertThat(known.last().get(LoadDimension.READS)).isLessThan(30);
    }

    private static HeatConfig withoutFilter() {
        return new HeatConfig(60_000, 12_000, 10_000, 0, 0, 0.65, false, ActivityConfig.OFF);
    }

    private static LoadVector lastRates(HeatModel heat) {
        return ((Known) heat.heat(REGION)).last();
    }

    /** Seen for three minutes at 10 and 20 a second, and for one at none. */
    private void fallsToNothing() {
        report(A, 0, 0);
        report(A, 180_000, 1_800);
        report(A, 240_000, 1_800);
    }

    @Test
    void plansUseTheLongMeanWhereSwingsAreToldFromShifts() {
        fallsToNothing();
        double smoothed = reads(known().load());
        assertThat(smoothed).isCloseTo(10 * 7 / 15.0, within(1e-6));
        assertThat(reads(known().planned())).isBetween(7.0, 8.0);
        assertThat(known().planned().get(LoadDimension.WRITES)).isBetween(14.0, 16.0);

        heat.configure(withoutFilter());
        assertThat(reads(known().planned())).isEqualTo(smoothed);
    }

    /**
     * A server of a small RSGroup comes to five times its load, which is a 250th of a mean server's of the cluster. Broken (all servers are
     * one group): plans go by the mean of hours, which tells of it after an hour.
     */
    @Test
    void aShiftIsHeldAgainstTheServersThatAreBalancedTogether() {
        HeatModel groups = new HeatModel(HeatConfig.of(300_000, 60_000));
        long[] reads = new long[4];
        long nowMs = 0;
        for (int minute = 0; minute <= 125; minute++) {
            nowMs = minute * 60_000L;
            List<ServerReport> reports = new ArrayList<>();
            for (int server = 0; server < 4; server++) {
                int perSecond = server < 2 ? 1_000_000 : server == 2 && minute > 120 ? 5_000 : 1_000;
                reads[server] += minute == 0 ? 0 : perSecond * 60L;
                RegionReport region = new RegionReport(ofGroup(server), TABLE, reads[server], 0, 0);
                reports.add(new ServerReport(new ServerId("s" + server, 1, 1), nowMs, List.of(region)));
            }
            groups.update(reports, nowMs);
        }
        groups.detectShifts(Set.of(new ServerId("s0", 1, 1), new ServerId("s1", 1, 1)), nowMs);
        assertThat(groups.shiftedAtMs(ofGroup(2))).as("another group").isEqualTo(Long.MIN_VALUE);
        groups.detectShifts(Set.of(new ServerId("s2", 1, 1), new ServerId("s3", 1, 1)), nowMs);

        assertThat(groups.shiftedAtMs(ofGroup(2))).isEqualTo(nowMs);
        assertThat(reads(((Known) groups.heat(ofGroup(2))).planned())).isGreaterThan(4_500);
        assertThat(groups.shiftedAtMs(ofGroup(3))).isEqualTo(Long.MIN_VALUE);
    }

    private static EncodedRegionName ofGroup(int server) {
        return new EncodedRegionName(String.format("%032x", server));
    }

    @Test
    void shiftsAreLookedForWhereThatIsOn() {
        fallsToNothing();
        assertThat(heat.shiftedAtMs(REGION)).as("never").isEqualTo(Long.MIN_VALUE);
        assertThat(heat.shiftedAtMs(new EncodedRegionName("unseen"))).isEqualTo(Long.MIN_VALUE);
        assertThat(heat.lastShiftMs(List.of())).isEqualTo(Long.MIN_VALUE);
        assertThat(heat.detectShifts(240_000))
                .containsOnlyKeys(Arrays.copyOf(LoadDimension.values(), LoadDimension.counters()));

        heat.configure(withoutFilter());
        assertThat(heat.detectShifts(240_000)).isEmpty();
        assertThat(heat.shiftedAtMs(REGION)).as("at any time").isEqualTo(Long.MAX_VALUE);
        assertThat(heat.lastShiftMs(List.of(REGION))).isEqualTo(Long.MAX_VALUE);
    }

    @Test
    void aServerThatWasGoneBeginsAnew() {
        report(A, 0, 0);
        report(A, 60_000, 600);
        heat.update(List.of(new ServerReport(B, 61_000, List.of())), 61_000);
        assertThat(heat.isServed(REGION)).isFalse();
        report(A, 120_000, 60_600);

        assertThat(reads(lastRates(heat)))
                .as("what it served meanwhile is of no run")
                .isEqualTo(10);
    }

    @Test
    void whatCannotBeIsRefusedOnceAndSaidOnceForEachServer() {
        report(A, 0, 0);
        report(A, 1_000, 10_000_001);
        report(A, 2_000, 20_000_002);
        HeatModel.Refused refused = heat.takeRefused();

        assertThat(refused.reports()).isEqualTo(2);
        assertThat(refused.problems())
                .singleElement()
                .asString()
                .startsWith("a,1,1 reports 10000001 reads")
                .contains("20000002 writes", " of region " + REGION);
        assertThat(heat.takeRefused()).isEqualTo(new HeatModel.Refused(0, List.of()));
        assertThat(heat.heat(REGION)).as("not learnt").isEqualTo(new Unknown(Reason.OBSERVED_TOO_BRIEFLY));
    }

    @Test
    void theNextMasterKnowsWhatWasKnown() {
        report(A, 0, 0);
        heat.update(
                List.of(report(A, 60_000, REGION, 600), report(B, 60_000, new EncodedRegionName("new"), 0)), 60_000);
        HeatSnapshot kept = heat.snapshot(60_000);
        assertThat(kept.takenAtMs()).isEqualTo(60_000);
        assertThat(kept.regions()).as("nothing is known of the new one").hasSize(1);

        HeatModel next = new HeatModel(CONFIG);
        assertThat(next.restore(kept, 60_000)).isTrue();
        assertThat(next.heat(REGION)).isEqualTo(new Unknown(Reason.NOT_REPORTED_SINCE_RESTORE));
        assertThat(next.snapshot(70_000).regions())
                .as("kept for the one after it")
                .hasSize(1);
        next.update(List.of(report(A, 61_000, REGION, 605)), 61_000);
        assertThat(reads(((Known) next.heat(REGION)).load())).isCloseTo(10, within(1e-6));
        assertThat(next.snapshot(70_000).regions()).as("once").hasSize(1);
    }

    /** Where reports fail, or Hearth is off, the master goes on saving what it knew then. */
    @Test
    void whatWasKnownIsSavedAsOfTheLastReport() {
        report(A, 0, 0);
        report(A, 60_000, 600);
        heat.update(List.of(), 90_000);
        HeatSnapshot kept = heat.snapshot(7L * 86_400_000);

        assertThat(kept.takenAtMs()).isEqualTo(60_000);
        assertThat(heat.snapshot(50_000).takenAtMs())
                .as("a clock that was set back")
                .isEqualTo(50_000);
        HeatModel next = new HeatModel(CONFIG);
        assertThat(next.restore(kept, 7L * 86_400_000)).isFalse();
        assertThat(next.restore(kept, 100_000)).isTrue();
        assertThat(next.snapshot(110_000).takenAtMs())
                .as("aged to when it was restored")
                .isEqualTo(100_000);
    }

    private static ServerReport report(ServerId server, long ms, EncodedRegionName region, long reads) {
        return new ServerReport(server, ms, List.of(new RegionReport(region, TABLE, reads, reads * 2, 4096)));
    }

    /** Six half-lives of a minute; a minute old, what was seen for one weighs as 24.9 seconds, and recent rates are the long ones. */
    @Test
    void whatIsKnownFromBeforeAges() {
        HeatSnapshot kept = new HeatSnapshot(
                TAKEN_MS,
                List.of(new HeatSnapshot.RegionEntry(
                        0x0123456789abcdefL,
                        0x0123456789abcdefL,
                        new InheritedRates(60_000, TestRates.of(10, 20), TestRates.of(74, 84)))));
        assertThat(heat.restore(kept, TAKEN_MS + 360_000)).isFalse();
        assertThat(heat.heat(REGION)).isEqualTo(new Unknown(Reason.NEVER_REPORTED));
        assertThat(heat.restore(kept, TAKEN_MS + 359_999)).isTrue();

        HeatModel next = new HeatModel(CONFIG);
        next.restore(kept, TAKEN_MS + 60_000);
        InheritedRates aged = next.snapshot(60_000).regions().get(0).heat();
        assertThat(aged.observedMs()).isEqualTo(24_902);
        assertThat(aged.smoothed()).isEqualTo(TestRates.of(10, 20));
        assertThat(aged.recent().get(LoadDimension.READS))
                .as("five half-lives of 12 s")
                .isCloseTo(12, within(1e-9));
        assertThat(aged.recent().get(LoadDimension.WRITES)).isCloseTo(22, within(1e-9));
        next = new HeatModel(CONFIG);
        next.restore(kept, TAKEN_MS - 60_000);
        assertThat(next.snapshot(0).regions().get(0).heat().observedMs())
                .as("by a clock that was ahead")
                .isBetween(59_999L, 60_000L);
    }

    @Test
    void whatWasRestoredByAClockThatWasAheadIsKnownForNoLonger() {
        report(A, 0, 0);
        report(A, 60_000, 600);
        HeatModel next = new HeatModel(CONFIG);
        next.restore(new HeatSnapshot(7_200_000, heat.snapshot(60_000).regions()), 7_200_000);
        next.update(List.of(), 100_000);
        assertThat(next.heat(REGION)).isEqualTo(new Unknown(Reason.NOT_REPORTED_SINCE_RESTORE));
        next.update(List.of(), 100_001 + HeatModel.FORGET_AFTER_MS);

        assertThat(next.heat(REGION)).isEqualTo(new Unknown(Reason.NEVER_REPORTED));
    }

    @Test
    void whatNobodyReportsIsKnownFromBeforeForAnHour() {
        report(A, 0, 0);
        report(A, 60_000, 600);
        HeatModel next = new HeatModel(CONFIG);
        next.restore(heat.snapshot(60_000), 100_000);
        next.update(List.of(), 100_000 + HeatModel.FORGET_AFTER_MS);
        assertThat(next.heat(REGION)).isEqualTo(new Unknown(Reason.NOT_REPORTED_SINCE_RESTORE));
        next.update(List.of(), 100_001 + HeatModel.FORGET_AFTER_MS);

        assertThat(next.heat(REGION)).isEqualTo(new Unknown(Reason.NEVER_REPORTED));
    }

    @ParameterizedTest
    @CsvSource({"900000, 0", "900001, 1", "-1, 1"})
    void timeInWhichNobodyLookedOrAClockWasSetMakesNobodyForgotten(long gapMs, int left) {
        report(A, 0, 0);
        heat.update(List.of(), gapMs);
        for (long ms = 600_000; ms <= HeatModel.FORGET_AFTER_MS; ms += 600_000) {
            heat.update(List.of(), gapMs + ms);
            if (ms < HeatModel.FORGET_AFTER_MS - 900_000) {
                assertThat(heat.size()).isEqualTo(1);
            }
        }

        assertThat(heat.size()).isEqualTo(left);
        assertThat(heat.tables()).isEqualTo(left);
        heat.update(List.of(), gapMs + HeatModel.FORGET_AFTER_MS + 60_001);
        assertThat(heat.size()).isZero();
    }

    /** Of two that nobody reports any more the one is forgotten, the other was seen five minutes later. */
    @Test
    void afterTimeInWhichNobodyLookedEachIsForgottenInItsTurn() {
        EncodedRegionName earlier = new EncodedRegionName("earlier");
        heat.update(List.of(report(A, 0, earlier, 0)), 0);
        heat.update(List.of(report(B, 300_000, REGION, 0)), 300_000);
        long gapMs = HeatModel.GAP_MS + 1;
        heat.update(List.of(), 300_000 + gapMs);
        for (long ms = 600_000; ms < HeatModel.FORGET_AFTER_MS; ms += 600_000) {
            heat.update(List.of(), gapMs + ms);
        }
        assertThat(heat.size()).isEqualTo(2);
        heat.update(List.of(), gapMs + HeatModel.FORGET_AFTER_MS + 1);
        assertThat(heat.heat(earlier)).isEqualTo(new Unknown(Reason.NEVER_REPORTED));
        assertThat(heat.size()).isEqualTo(1);
        heat.update(List.of(), gapMs + HeatModel.FORGET_AFTER_MS + 300_001);
        assertThat(heat.size()).isZero();
    }

    /** Tables that are made and dropped every ten minutes for a year. Broken (the names of all tables are kept): 52,561 names. */
    @Test
    void theNamesOfDroppedTablesAreForgotten() {
        HeatModel model = new HeatModel(
                BalancerConfig.read("x", new MapSettings(Map.of()), key -> true).heat());
        int most = 0;
        for (int round = 0; round < 365 * 24 * 6; round++) {
            long nowMs = (round + 1) * 600_000L;
            RegionReport stays = new RegionReport(new EncodedRegionName("stays"), new TableId("t"), 5, 5, 5);
            RegionReport goes =
                    new RegionReport(new EncodedRegionName("r" + round), new TableId("tmp" + round), 5, 5, 5);
            model.update(List.of(new ServerReport(new ServerId("h", 1, 1), nowMs, List.of(stays, goes))), nowMs);
            most = Math.max(most, model.tables());
        }
        assertThat(most).isLessThanOrEqualTo(9);
        assertThat(model.size()).isLessThanOrEqualTo(9);
    }
}
