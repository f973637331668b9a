// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.bench.cluster;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.hearth.bench.cluster.AaRatio.Pair;
import io.hearth.testkit.load.LatencyRecorder.LatencySummary;
import io.hearth.testkit.load.LatencyRecorder.NanoInterval;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class AaRatioTest {

    /** Whose latency is where it begins. */
    private static NanoInterval time(long latency) {
        return new NanoInterval(latency, latency + 1);
    }

    /** The mean of their latencies is every percentile. */
    private static LatencySummary mean(List<NanoInterval> times) {
        double mean =
                times.stream().mapToLong(NanoInterval::fromNanos).average().orElseThrow();
        return new LatencySummary(times.size(), mean, mean, mean, mean);
    }

    private static AaRatio of(List<Pair> pairs) {
        return AaRatio.of(pairs, AaRatioTest::mean, LatencySummary::p99Ms);
    }

    @Test
    void onePairCanBeExchangedInOneWay() {
        assertThat(of(List.of(new Pair(time(10), time(15))))).isEqualTo(new AaRatio(1.5, 10 / 15.0, 1.5));
    }

    @Test
    void timesThatAreAlikeLeaveNothingToChance() {
        Pair alike = new Pair(time(10), time(10));

        assertThat(of(List.of(alike, alike, alike))).isEqualTo(new AaRatio(1, 1, 1));
    }

    @Test
    void theEndsAreLeftOut() {
        List<Pair> pairs = new ArrayList<>();
        for (int i = 0; i < 8; i++) {
            pairs.add(new Pair(time(10), time(20)));
        }

        // All second times last is the one way in 256 that is at the very end, and is what happened here.
        AaRatio ratio = of(pairs);
        assertThat(ratio.ratio()).isEqualTo(2);
        assertThat(ratio.high()).isLessThan(2);
        assertThat(ratio.low()).isCloseTo(1 / ratio.high(), within(1e-9));
    }

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4, 5})
    void whatChanceMakesIsWithinMostly(long seed) {
        SplittableRandom random = new SplittableRandom(seed);
        int within = 0;
        for (int run = 0; run < 200; run++) {
            List<Pair> pairs = new ArrayList<>();
            for (int i = 0; i < 6; i++) {
                pairs.add(new Pair(time(100 + random.nextInt(100)), time(100 + random.nextInt(100))));
            }
            AaRatio ratio = of(pairs);
            within += ratio.ratio() >= ratio.low() && ratio.ratio() <= ratio.high() ? 1 : 0;
        }

        assertThat(within).as("of 200 runs, seed " + seed).isGreaterThan(180);
    }
}
