// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.healer.core;

import static org.assertj.core.api.Assertions.assertThat;

import io.hearth.common.log.RateLimitedLogger;
import io.hearth.healer.core.HealerServices.NameNodeProbe.Sample;
import io.hearth.healer.fakes.CountedMetrics;
import io.hearth.healer.metrics.HealingMetrics.HealingCounter;
import io.hearth.healer.metrics.HealingMetrics.HealingGauge;
import io.hearth.healer.spi.Observed;
import io.hearth.healer.spi.Observed.UnknownReason;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.slf4j.LoggerFactory;

class AdaptiveThrottleTest {

    private static final long LIMIT = 1_000;

    private final CountedMetrics metrics = new CountedMetrics();
    private Observed<Sample> sample = Observed.known(new Sample(1_000, false, false));
    private List<Long> reads = List.of(2_000L);
    private int lastReasons;
    private final AdaptiveThrottle throttle = new AdaptiveThrottle(
            () -> {
                lastReasons++;
                return sample;
            },
            () -> reads,
            metrics,
            new RateLimitedLogger(LoggerFactory.getLogger(AdaptiveThrottleTest.class)));
    private long nowMs;

    @Test
    void feelsEveryFiveSecondsAndOnlyAtWork() {
        run(60, true);
        assertThat(lastReasons).isEqualTo(12);
        run(600, false);
        assertThat(lastReasons).isEqualTo(12);
        assertThat(rate()).isEqualTo(LIMIT);
    }

    @Test
    void aNameNodeSlowerThanItsOwnPastHalvesTheRate() {
        run(60, true);
        sample = Observed.known(new Sample(90_000, false, false));
        run(15, true);

        assertThat(metrics.get(HealingCounter.THROTTLED)).isEqualTo(1);
        assertThat(rate()).isEqualTo(LIMIT / 2);
        sample = Observed.known(new Sample(1_000, false, false));
        run(30, true);
        assertThat(rate()).isEqualTo(LIMIT);
    }

    @Test
    void readsSlowerThanTheirOwnPastHalveTheRate() {
        run(60, true);
        reads = List.of(400_000L, 400_000L);
        run(15, true);

        assertThat(metrics.get(HealingCounter.THROTTLED)).isPositive();
        assertThat(rate()).isLessThan(LIMIT);
    }

    @Test
    void aNameNodeThatCanNotSayIsNoPressure() {
        sample = Observed.unknown(UnknownReason.NAMENODE_FAILED, "connection refused");
        run(60, true);

        assertThat(metrics.get(HealingCounter.THROTTLED)).isZero();
    }

    @Test
    void aRefusalHalvesAtOnce() {
        run(60, true);
        assertThat(throttle.bytesPerSecond(LIMIT, true, 3, nowMs)).isEqualTo(LIMIT / 2);
        assertThat(metrics.get(HealingGauge.THROTTLE_REASONS)).isEqualTo(1);
    }

    @Test
    void listingsArePacedAndASlowNameNodeGetsATenthOfThem() {
        run(60, true);
        assertThat(listingsIn(10)).isBetween(500, 550);
        sample = Observed.known(new Sample(90_000, false, false));
        run(15, true);
        assertThat(listingsIn(10)).isBetween(50, 55);
    }

    private int listingsIn(int seconds) {
        int listings = 0;
        for (long untilMs = nowMs + seconds * 1_000L; nowMs < untilMs; nowMs += 10) {
            listings += throttle.mayList(nowMs) ? 1 : 0;
        }
        return listings;
    }

    private void run(int seconds, boolean atWork) {
        for (long untilMs = nowMs + seconds * 1_000L; nowMs < untilMs; nowMs += 100) {
            throttle.bytesPerSecond(LIMIT, atWork, 0, nowMs);
        }
    }

    private long rate() {
        return metrics.get(HealingGauge.BYTES_PER_SECOND);
    }
}
