// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.balancer.heat;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.hearth.balancer.config.HeatConfig;
import io.hearth.balancer.heat.RegionHeat.Known;
import io.hearth.balancer.heat.ingest.ServerReport;
import io.hearth.balancer.heat.ingest.ServerReport.RegionReport;
import io.hearth.balancer.heat.ingest.ServerReport.ReportedLoad;
import io.hearth.common.model.EncodedRegionName;
import io.hearth.common.model.LoadDimension;
import io.hearth.common.model.ServerId;
import io.hearth.common.model.TableId;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** Forty regions that swing by 60 % every ten minutes, around means that stay, on four servers; and another master takes over. */
class NoiseFilterFailoverTest {

    private static final HeatConfig CONFIG = HeatConfig.of(300_000, 60_000);
    private static final TableId TABLE = new TableId("t");
    private static final int REGIONS = 40;
    private static final int SERVERS = 4;
    private static final int MEAN = 1_000;
    private static final long STEP_MS = 30_000;
    private static final long SWING_MS = 600_000;
    private static final long HOUR_MS = 3_600_000;
    private static final long SEED = 20_240_611;

    private final Random random = new Random(SEED);
    private final long[] reads = new long[REGIONS];
    private final double[] swing = new double[REGIONS];
    private long nowMs;
    /** By how much the master's clock is ahead of the servers'. */
    private long aheadMs;

    private HeatModel heat = new HeatModel(CONFIG);

    @Test
    void whatSwingsAroundItsMeanSwingsAroundItUnderTheNextMasterToo() {
        runFor(12 * HOUR_MS);
        Map<LoadDimension, Double> noiseMargin = heat.detectShifts(nowMs);
        assertThat(noiseMargin.get(LoadDimension.READS)).isBetween(0.005, 0.5);
        double before = farthestFromMean();
        assertThat(before).as("seed %d", SEED).isLessThan(0.25);

        takeOver();
        runFor(2 * STEP_MS);

        assertThat(farthestFromMean()).as("share of the mean, seed %d", SEED).isCloseTo(before, within(0.02));
        assertThat(heat.detectShifts(nowMs).get(LoadDimension.READS))
                .as("by how much triggers are wider")
                .isCloseTo(noiseMargin.get(LoadDimension.READS), within(0.003));
    }

    @Test
    void aShiftIsKnownToTheNextMaster() {
        runFor(2 * HOUR_MS);
        swing[0] = 40;
        for (int step = 0; step < 10; step++) {
            step();
            heat.detectShifts(nowMs);
        }
        long shiftedAtMs = heat.shiftedAtMs(region(0));
        assertThat(shiftedAtMs).isGreaterThan(2 * HOUR_MS);

        takeOver();
        step();
        step();

        assertThat(heat.shiftedAtMs(region(0))).isEqualTo(shiftedAtMs);
    }

    @Test
    void aShiftThatWasFoundByAClockThatWasAheadCountsAsOfNow() {
        runFor(2 * HOUR_MS);
        swing[0] = 40;
        aheadMs = 2 * HOUR_MS;
        for (int step = 0; step < 10; step++) {
            step();
            heat.detectShifts(nowMs + aheadMs);
        }
        assertThat(heat.shiftedAtMs(region(0))).as("seed %d", SEED).isGreaterThan(nowMs);

        aheadMs = 0;
        step();

        assertThat(heat.shiftedAtMs(region(0))).as("seed %d", SEED).isEqualTo(nowMs);
    }

    /** What the next master has seen by itself until the old one's file is read is the newer, and not the only thing known. */
    @Test
    void aFileThatIsReadLateIsPutUnderWhatWasLearnt() {
        runFor(12 * HOUR_MS);
        HeatSnapshot kept = heat.snapshot(nowMs);
        heat = new HeatModel(CONFIG);
        runFor(SWING_MS);
        double alone = farthestFromMean();

        assertThat(heat.restore(kept, nowMs)).isTrue();

        assertThat(farthestFromMean())
                .as("share of the mean, seed %d", SEED)
                .isLessThan(0.25)
                .isLessThan(alone);
    }

    private void takeOver() {
        HeatSnapshot kept =
                HeatCodec.decode(HeatCodec.encode(heat.snapshot(nowMs))).orElseThrow();
        heat = new HeatModel(CONFIG);
        assertThat(heat.restore(kept, nowMs + STEP_MS)).isTrue();
    }

    private void runFor(long ms) {
        for (long endMs = nowMs + ms; nowMs < endMs; ) {
            if (nowMs % SWING_MS == 0) {
                for (int region = 0; region < REGIONS; region++) {
                    swing[region] = 0.4 + 1.2 * random.nextDouble();
                }
            }
            step();
        }
    }

    private void step() {
        nowMs += STEP_MS;
        List<ServerReport> reports = new ArrayList<>();
        for (int server = 0; server < SERVERS; server++) {
            List<RegionReport> regions = new ArrayList<>();
            for (int region = server; region < REGIONS; region += SERVERS) {
                reads[region] += Math.round(MEAN * swing[region] * STEP_MS / 1_000);
                regions.add(new RegionReport(
                        region(region),
                        TABLE,
                        Optional.empty(),
                        -1,
                        ReportedLoad.NONE
                                .with(LoadDimension.READS, reads[region])
                                .with(LoadDimension.STORE_SIZE, 4_096)
                                .with(LoadDimension.MEMSTORE, 1_024),
                        0));
            }
            reports.add(new ServerReport(new ServerId("server" + server, 1, 1), nowMs, regions));
        }
        heat.update(reports, nowMs + aheadMs);
    }

    private double farthestFromMean() {
        double farthest = 0;
        for (int region = 0; region < REGIONS; region++) {
            Known known = (Known) heat.heat(region(region));
            farthest = Math.max(farthest, Math.abs(known.planned().get(LoadDimension.READS) / MEAN - 1));
        }
        return farthest;
    }

    private static EncodedRegionName region(int number) {
        return new EncodedRegionName("%032x".formatted(number + 1));
    }
}
