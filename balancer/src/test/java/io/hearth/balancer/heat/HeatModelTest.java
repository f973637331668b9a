package io.hearth.balancer.heat;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.hearth.balancer.config.BalancerConfig;
import io.hearth.balancer.config.HeatConfig;
import io.hearth.balancer.config.HotConfig;
import io.hearth.balancer.config.MapSettings;
import io.hearth.balancer.heat.RegionHeat.Known;
import io.hearth.balancer.heat.RegionHeat.Reason;
import io.hearth.balancer.heat.RegionHeat.Unknown;
import io.hearth.balancer.ingest.RegionReport;
import io.hearth.balancer.ingest.ServerReport;
import io.hearth.balancer.load.LoadDimension;
import io.hearth.balancer.load.LoadVector;
import io.hearth.balancer.load.RegionId;
import io.hearth.balancer.load.ServerId;
import io.hearth.balancer.load.TableId;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class HeatModelTest {

    private static final TableId TABLE = new TableId("t");
    private static final RegionId REGION = new RegionId("0123456789abcdef0123456789abcdef");
    private static final ServerId A = new ServerId("a", 1, 1);
    private static final ServerId B = new ServerId("b", 1, 1);
    private static final HeatConfig CONFIG = HeatConfig.of(60_000, 10_000);

    private final HeatModel heat = new HeatModel(CONFIG);

    private void report(ServerId server, long ms, long reads) {
        heat.update(
                List.of(new ServerReport(
                        server,
                        ms,
                        List.of(new RegionReport(
                                REGION, TABLE, Optional.empty(), -1, reads, reads * 2, 4096, 1024, 0.5)))),
                ms);
    }

    private Known known() {
        return (Known) heat.heat(REGION);
    }

    private static double reads(LoadVector load) {
        return load.get(LoadDimension.READS);
    }

    private static HeatConfig with(long halfLifeMs, double remoteReadExtra, HotConfig hot) {
        return new HeatConfig(halfLifeMs, halfLifeMs / 5, 10_000, remoteReadExtra, 0, 0.65, true, hot);
    }

    @Test
    void isUnknownUntilEnoughWasSeen() {
        assertThat(heat.heat(REGION)).isEqualTo(new Unknown(Reason.NEVER_REPORTED));
        report(A, 1_000, 0);
        assertThat(heat.heat(REGION)).isEqualTo(new Unknown(Reason.SEEN_TOO_BRIEFLY));
        report(A, 10_000, 90);
        assertThat(heat.heat(REGION)).isEqualTo(new Unknown(Reason.SEEN_TOO_BRIEFLY, LoadVector.of(10, 20, 0)));

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
        heat.configure(with(6_000, 0, HotConfig.OFF));
        report(A, 3_606_000, 36_000);

        assertThat(reads(known().load())).isCloseTo(5, within(1e-6));
    }

    @Test
    void aRemoteReadCostsMoreWhereThatIsAsked() {
        report(A, 0, 0);
        report(A, 60_000, 600);
        heat.configure(with(60_000, 3, HotConfig.OFF));

        assertThat(reads(known().load())).as("half of the data are remote").isCloseTo(10 * 2.5, within(1e-6));
        assertThat(reads(known().measured())).as("as served").isCloseTo(10, within(1e-6));
        assertThat(reads(known().measuredRecently())).isCloseTo(10, within(1e-6));
        assertThat(known().load().get(LoadDimension.WRITES)).isCloseTo(20, within(1e-9));
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
    void aServerWhoseClockIsFarAheadMakesNobodyForgotten() {
        report(A, 0, 0);
        heat.update(List.of(new ServerReport(B, HeatModel.FORGET_AFTER_MS + 1, List.of())), 1_000);

        assertThat(heat.size()).isEqualTo(1);
    }

    @Test
    void withoutAMeasureEveryRegionIsWorthAMove() {
        assertThat(heat.isWorthAMove(REGION)).isTrue();
    }

    @Test
    void byTheWindowARegionIsWorthAMoveFromTheRequestAboveItsBarOn() {
        heat.configure(with(60_000, 0, new HotConfig(3_000, 2, true)));
        assertThat(heat.isWorthAMove(REGION)).as("never reported").isFalse();
        report(A, 0, 0);
        report(A, 60_000, 1_000);
        assertThat(heat.isWorthAMove(REGION)).as("3,000 requests").isFalse();
        report(A, 61_000, 1_001);
        assertThat(heat.isWorthAMove(REGION)).as("3,003 requests").isTrue();
        report(A, 181_000, 1_001);
        assertThat(heat.isWorthAMove(REGION)).as("two minutes later").isFalse();
    }

    @Test
    void byTheRateItIsTheDecayedRateThatCounts() {
        heat.configure(with(60_000, 0, new HotConfig(3_599, 2, false)));
        report(A, 0, 0);
        report(A, 60_000, 600);

        assertThat(heat.isWorthAMove(REGION)).as("30 requests a second").isTrue();
        heat.configure(with(60_000, 0, new HotConfig(3_601, 2, false)));
        assertThat(heat.isWorthAMove(REGION)).isFalse();
    }

    /** Before it is known a region has its first rate, and beside the decayed rates there is the last one. */
    @Test
    void theFirstAndTheLastRateAreThereToBeSeen() {
        HeatModel heat = new HeatModel(with(300_000, 0, HotConfig.OFF));
        ServerId server = new ServerId("s", 1, 1);
        RegionId region = new RegionId("r");
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
                        .isEqualTo(new Unknown(Reason.SEEN_TOO_BRIEFLY, LoadVector.of(1_400, 0, 0)));
            }
        }
        Known known = (Known) heat.heat(region);
        assertThat(known.load().get(LoadDimension.READS)).isGreaterThan(600);
        assertThat(known.last().get(LoadDimension.READS)).isLessThan(30);
    }

    /** Tables that are made and dropped every ten minutes for a year. Broken (the names of all tables are kept): 52,561 names. */
    @Test
    void theNamesOfDroppedTablesAreForgotten() {
        HeatModel model = new HeatModel(
                BalancerConfig.read("x", new MapSettings(Map.of()), key -> true).heat());
        int most = 0;
        for (int round = 0; round < 365 * 24 * 6; round++) {
            long nowMs = (round + 1) * 600_000L;
            RegionReport stays = new RegionReport(new RegionId("stays"), new TableId("t"), 5, 5, 5);
            RegionReport goes = new RegionReport(new RegionId("r" + round), new TableId("tmp" + round), 5, 5, 5);
            model.update(List.of(new ServerReport(new ServerId("h", 1, 1), nowMs, List.of(stays, goes))), nowMs);
            most = Math.max(most, model.tables());
        }
        assertThat(most).isLessThanOrEqualTo(9);
        assertThat(model.size()).isLessThanOrEqualTo(9);
    }
}
