// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.healer.throttle;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.hearth.healer.throttle.AimdThrottle.ThrottleReason;
import io.hearth.healer.throttle.AimdThrottle.ThrottleState;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

class AimdThrottleTest {

    private static final Set<ThrottleReason> CALM = Set.of();
    private static final Set<ThrottleReason> BUSY = Set.of(ThrottleReason.DATANODE_BUSY);

    private ThrottleState state = ThrottleState.START;

    @Test
    void startsAtAQuarterAndGrowsByATenthEachSecond() {
        assertThat(step(1_000, CALM, 0)).isEqualTo(250);
        assertThat(step(1_000, CALM, 999)).isEqualTo(250);
        assertThat(step(1_000, CALM, 1_000)).isEqualTo(350);
        assertThat(step(1_000, CALM, 2_000)).isEqualTo(450);
    }

    @Test
    void reachesTheLimitInEightSecondsAndStaysThere() {
        for (long nowMs = 0; nowMs < 8_000; nowMs += 100) {
            assertThat(step(1_000, CALM, nowMs)).isLessThan(1_000);
        }
        assertThat(step(1_000, CALM, 8_000)).isEqualTo(1_000);
        assertThat(step(1_000, CALM, 9_000)).isEqualTo(1_000);
    }

    @Test
    void whatIsLeftTakesAsLongAsFromTheRateThatHolds() {
        double fromStart = AimdThrottle.secondsFrom(0, 10_000, 1_000);
        assertThat(fromStart).isCloseTo(10 + 3.2, within(1e-9));
        assertThat(AimdThrottle.seconds(state, true, 10_000, 1_000, 0)).isEqualTo(fromStart);
        assertThat(AimdThrottle.seconds(state, false, 10_000, 1_000, 0))
                .as("it does not grow beside another tool")
                .isEqualTo(40);
        step(1_000, CALM, 0);
        step(1_000, CALM, 1_000);
        assertThat(AimdThrottle.seconds(state, true, 10_000, 1_000, 1_000)).isCloseTo(10 + 2.45, within(1e-9));
        step(1_000, BUSY, 2_000);
        assertThat(AimdThrottle.seconds(state, true, 1_750, 1_000, 11_999))
                .as("as long as pressure may go on")
                .isEqualTo(10);
        assertThat(AimdThrottle.seconds(state, true, 1_750, 1_000, 12_000)).isLessThan(5);
        assertThat(AimdThrottle.seconds(state, true, 10_000, 1_000, 1_000_000))
                .as("it was not used for long")
                .isEqualTo(fromStart);
    }

    @Test
    void halvesOnceInAWindowHoweverLongThePressure() {
        step(6_400, CALM, 0);
        assertThat(step(6_400, BUSY, 100)).isEqualTo(800);
        assertThat(step(6_400, BUSY, 10_099)).isEqualTo(800);
        assertThat(step(6_400, BUSY, 10_100)).isEqualTo(400);
        for (long nowMs = 10_200; nowMs < 1_000_000; nowMs += 100) {
            step(6_400, BUSY, nowMs);
        }
        assertThat(state.bytesPerSecond()).as("a 64th of the start").isEqualTo(25);
    }

    /** An HDFS Balancer that runs as a service would else end healing: to a 256th of the limit in 80 seconds. */
    @ParameterizedTest
    @EnumSource(
            value = ThrottleReason.class,
            names = {"HDFS_BALANCER", "HDFS_MOVER"})
    void anotherToolOfHdfsLeavesItAQuarterHoweverLongItRuns(ThrottleReason tool) {
        for (long nowMs = 0; nowMs <= 8_000; nowMs += 1_000) {
            step(1_000, CALM, nowMs);
        }
        assertThat(state.bytesPerSecond()).isEqualTo(1_000);
        assertThat(step(1_000, Set.of(tool), 8_100)).as("at once").isEqualTo(250);
        for (long nowMs = 8_200; nowMs < 1_000_000; nowMs += 100) {
            assertThat(step(1_000, Set.of(tool), nowMs)).isEqualTo(250);
        }
        assertThat(state.cutMs()).as("it is no halving").isNegative();
        assertThat(step(1_000, CALM, 1_000_100)).isEqualTo(350);
    }

    @Test
    void whatIsMeasuredHalvesItBesideAnotherToolAndItRecoversToAQuarter() {
        Set<ThrottleReason> alone = Set.of(ThrottleReason.HDFS_BALANCER);
        Set<ThrottleReason> both = Set.of(ThrottleReason.HDFS_BALANCER, ThrottleReason.DATANODE_BUSY);
        step(1_000, alone, 0);
        assertThat(step(1_000, both, 10_000)).isEqualTo(125);
        assertThat(step(1_000, alone, 11_000)).isEqualTo(225);
        assertThat(step(1_000, alone, 12_000)).isEqualTo(250);
        assertThat(step(1_000, alone, 13_000)).isEqualTo(250);
    }

    @Test
    void aRateIsKeptForTenMinutesWithoutUseAndNotLonger() {
        step(1_000, CALM, 0);
        step(1_000, CALM, 1_000);
        step(1_000, CALM, 2_000);
        assertThat(step(1_000, CALM, 602_000)).isEqualTo(550);
        assertThat(step(1_000, CALM, 1_202_001)).isEqualTo(250);
    }

    /** 250, 350, 450 and so on to 1,000 bytes in one second after the other. */
    @ParameterizedTest
    @CsvSource({"0, 0", "100, 0.4", "250, 1", "425, 1.5", "600, 2", "4800, 8", "6300, 9.5", "104800, 108"})
    void whatALoadTakesFromTheStart(long bytes, double seconds) {
        assertThat(AimdThrottle.secondsFrom(0, bytes, 1_000)).isEqualTo(seconds);
        assertThat(AimdThrottle.secondsFrom(0.2, bytes, 1_000)).isEqualTo(seconds);
        assertThat(AimdThrottle.secondsFrom(1, bytes, 1_000)).isEqualTo(bytes / 1_000.0);
        assertThat(AimdThrottle.secondsFrom(10, bytes, 1_000))
                .as("no rate is above the limit")
                .isEqualTo(bytes / 1_000.0);
    }

    @Test
    void aLowerLimitHoldsAtOnce() {
        step(1_000, CALM, 0);
        assertThat(step(10, CALM, 1)).isEqualTo(10);
    }

    /** A DataNode's rate is asked for by each of its moves. */
    @Test
    void aSecondStepAtTheSameTimeChangesNothing() {
        for (long nowMs = 0; nowMs < 100_000; nowMs += 700) {
            Set<ThrottleReason> reasons = nowMs % 3_500 == 0 ? BUSY : CALM;
            step(1_000, reasons, nowMs);
            ThrottleState once = state;
            step(1_000, reasons, nowMs);
            assertThat(state).isEqualTo(once);
        }
    }

    @Test
    void aTinyLimitStillGetsOn() {
        assertThat(step(1, BUSY, 0)).isEqualTo(1);
    }

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20})
    void neverAboveTheLimitHalvedAtMostOnceAWindowAndRecovers(long seed) {
        Random random = new Random(seed);
        long limit = 1L + random.nextInt(1_000_000);
        long nowMs = 0;
        long lastCutMs = Long.MIN_VALUE / 2;
        for (int step = 0; step < 20_000; step++) {
            nowMs += random.nextInt(400);
            if (random.nextInt(500) == 0) {
                limit = 1L + random.nextInt(1_000_000);
            }
            ThrottleState before = state;
            long rate = step(limit, random.nextInt(20) == 0 ? BUSY : CALM, nowMs);
            String where = "seed " + seed + ", step " + step + ", " + before + " -> " + state;
            assertThat(rate).as(where).isPositive().isLessThanOrEqualTo(limit);
            if (state.cutMs() != before.cutMs()) {
                assertThat(nowMs - lastCutMs).as(where).isGreaterThanOrEqualTo(AimdThrottle.CUT_EVERY_MS);
                lastCutMs = nowMs;
            } else if (rate < before.bytesPerSecond()) {
                assertThat(rate)
                        .as("%s: only a halving or a lower limit lowers it", where)
                        .isEqualTo(limit);
            }
        }
        for (int second = 0; second < 20; second++) {
            nowMs += 1_000;
            step(1_000, CALM, nowMs);
        }
        assertThat(state.bytesPerSecond()).as("recovers, seed %s", seed).isEqualTo(1_000);
    }

    private long step(long limit, Set<ThrottleReason> reasons, long nowMs) {
        state = AimdThrottle.next(state, limit, reasons, nowMs);
        return state.bytesPerSecond();
    }
}
