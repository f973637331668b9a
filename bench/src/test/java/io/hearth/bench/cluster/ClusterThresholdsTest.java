// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.bench.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import io.hearth.bench.cluster.LinearityResult.SizedHeal;
import io.hearth.bench.cluster.MoveRoundsResult.Latencies;
import io.hearth.bench.cluster.MoveRoundsResult.Round;
import io.hearth.bench.cluster.Scale.BenchmarkStage;
import io.hearth.bench.cluster.VariantRun.Variant;
import java.util.List;
import java.util.Map;
import java.util.OptionalDouble;
import java.util.Set;
import org.junit.jupiter.api.Test;

class ClusterThresholdsTest {

    private final Map<Variant, VariantResult> results = SampleResults.good();

    @Test
    void theBarsThatHold() {
        assertThat(ClusterThresholds.violations(results)).isEmpty();
    }

    @Test
    void eachBarIsHeld() {
        results.put(
                Variant.HEARTH,
                SampleResults.with(
                        SampleResults.variant(
                                SampleResults.event(OptionalDouble.of(4.1), 105_000_001, 12.1),
                                OptionalDouble.empty(),
                                3),
                        SampleResults.bothRounds(SampleResults.rounds(4.1, 12.1))));

        assertThat(ClusterThresholds.violations(results))
                .hasSize(19)
                .contains(
                        "Hearth: 3 requests failed, the first: java.io.IOException: gone",
                        "crash of a RegionServer: all is local after 4.1 s, above 0.2 x the 20.0 s of major compactions",
                        "it is back: 105,000,001 bytes were moved for 100,000,000 that were remote, above 1.05 x",
                        "an empty host is added, gets: p99 while healing is 12.1 ms, above 1.2 x the 10.0 ms before",
                        "rounds: all is local after 4.1 s in the median, above 0.2 x the 20.0 s of major compactions",
                        "rounds: all is read locally after 4.1 s in the median, above 0.2 x the 20.0 s of major compactions",
                        "rounds, gets: p99 while healing is 12.1 ms, above 1.2 x the 10.0 ms before",
                        "rounds back: all is local after 4.1 s in the median, above 0.2 x the 20.0 s of major compactions",
                        "rounds back, gets: p99 while healing is 12.1 ms, above 1.2 x the 10.0 ms before",
                        "rounds, multigets: p99 while healing is 24.2 ms, above 1.2 x the 20.0 ms before",
                        "hot spot: max/mean is 2.40 at the end, not below 1.15");
    }

    @Test
    void whatIsNeverLocalIsAMissAlsoAlone() {
        results.keySet().retainAll(Set.of(Variant.HEARTH));
        results.put(
                Variant.HEARTH,
                SampleResults.variant(SampleResults.event(OptionalDouble.empty(), 0, 10), OptionalDouble.of(9), 0));

        assertThat(ClusterThresholds.violations(results))
                .hasSize(3)
                .contains("crash of a RegionServer: not all is local after 60 s");
    }

    @Test
    void roundsThatDoNotEndAreAMiss() {
        results.computeIfPresent(
                Variant.HEARTH,
                (variant, result) -> SampleResults.with(
                        result, Map.of(BenchmarkStage.RETURNED, SampleResults.rounds(Double.POSITIVE_INFINITY, 10))));

        assertThat(ClusterThresholds.violations(results))
                .containsExactly("rounds back: in half of them not all became local");
    }

    @Test
    void whatWasLeftOutIsNoMiss() {
        results.clear();
        results.put(Variant.COMPACTION, SampleResults.only(BenchmarkStage.RETURNED, SampleResults.rounds(20, 40)));
        results.put(Variant.HEARTH, SampleResults.only(BenchmarkStage.RETURNED, SampleResults.rounds(4, 12)));
        assertThat(ClusterThresholds.violations(results)).isEmpty();

        results.put(Variant.HEARTH, SampleResults.only(BenchmarkStage.RETURNED, SampleResults.rounds(4.1, 12)));
        assertThat(ClusterThresholds.violations(results)).hasSize(2);
    }

    @Test
    void whereNothingHasToComeHomeThereIsNothingToCompare() {
        VariantResult compacted =
                SampleResults.variant(SampleResults.event(1, OptionalDouble.of(0), 0, 10), OptionalDouble.empty(), 0);
        VariantResult slow = SampleResults.variant(
                SampleResults.event(OptionalDouble.of(4.1), 100_000_000, 12), OptionalDouble.of(9), 0);
        results.put(Variant.COMPACTION, SampleResults.with(compacted, Map.of()));
        results.put(Variant.HEARTH, slow);
        assertThat(ClusterThresholds.violations(results)).isEmpty();

        VariantResult landed =
                SampleResults.variant(SampleResults.event(1, OptionalDouble.of(0), 0, 50), OptionalDouble.of(9), 0);
        results.put(Variant.HEARTH, landed);
        assertThat(ClusterThresholds.violations(results)).isEmpty();
    }

    @Test
    void aRatioThatChanceReachesIsNoMiss() {
        assertThat(ofLatencies(10, 13, 29))
                .containsExactly(
                        "rounds, gets: p99 while healing is 13.0 ms, above 1.2 x the 10.0 ms before",
                        "rounds, multigets: p99 while healing is 13.0 ms, above 1.2 x the 10.0 ms before");
        // Chance takes the thousandth to twice, so 1.5 times is no miss and more than twice is one.
        assertThat(ofLatencies(10, 12, 39)).isEmpty();
        assertThat(ofLatencies(10, 12, 41))
                .contains("rounds, gets: p99.9 while healing is 41.0 ms, above 1.5 x the 20.0 ms before");

        AaRatio wide = new AaRatio(1.1, 0.7, 1.4);
        Latencies any = SampleResults.latencies(10, 13, 20);
        Latencies withinRange = new Latencies(any.before(), any.remote(), any.healing(), wide, wide);
        assertThat(ClusterThresholds.violations(only(withinRange, SampleResults.round(4))))
                .isEmpty();
    }

    @Test
    void aHealTakesAsLongAsTheDryRunSays() {
        Latencies fine = SampleResults.latencies(10, 10, 20);

        assertThat(ClusterThresholds.violations(only(fine, SampleResults.round(12.5, 10))))
                .isEmpty();
        assertThat(ClusterThresholds.violations(only(fine, SampleResults.round(7.5, 10))))
                .isEmpty();
        assertThat(ClusterThresholds.violations(only(fine, SampleResults.round(12.6, 10))))
                .containsExactly(
                        "rounds: healing takes 1.26 x what the dry run says in the median, not within 25 % of it");
        assertThat(ClusterThresholds.violations(only(fine, SampleResults.round(7.4, 10))))
                .hasSize(1);
    }

    @Test
    void bytesPerSecondGrowWithTheDataNodes() {
        SizedHeal three = new SizedHeal(3, 30_000_000, 5, 8, OptionalDouble.of(10));
        SizedHeal six = new SizedHeal(6, 60_000_000, 5.5, 8, OptionalDouble.of(10));
        SizedHeal slow = new SizedHeal(12, 120_000_000, 7, 8, OptionalDouble.of(10));

        assertThat(ClusterThresholds.violations(new LinearityResult(List.of(three, six))))
                .isEmpty();
        assertThat(ClusterThresholds.violations(new LinearityResult(List.of(three, six, slow))))
                .containsExactly("linearity: bytes per second grow 0.71 x linearly, below 0.9 x");
    }

    private static List<String> ofLatencies(double beforeMs, double healingP99Ms, double healingP999Ms) {
        return ClusterThresholds.violations(
                only(SampleResults.latencies(beforeMs, healingP99Ms, healingP999Ms), SampleResults.round(4)));
    }

    /** Rounds of which all are like this one, by Hearth alone. */
    private static Map<Variant, VariantResult> only(Latencies latencies, Round round) {
        MoveRoundsResult rounds = new MoveRoundsResult(List.of(round), latencies, latencies);
        return Map.of(Variant.HEARTH, SampleResults.only(BenchmarkStage.MOVED, rounds));
    }
}
