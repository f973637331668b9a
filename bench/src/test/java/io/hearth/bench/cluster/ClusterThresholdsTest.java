// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.bench.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import io.hearth.bench.cluster.Scale.BenchmarkStage;
import io.hearth.bench.cluster.VariantRun.Variant;
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
                .hasSize(17)
                .contains(
                        "Hearth: 3 requests failed, the first: java.io.IOException: gone",
                        "crash of a RegionServer: all is local after 4.1 s, above 0.2 x the 20.0 s of major compactions",
                        "it is back: 105,000,001 bytes were moved for 100,000,000 that were remote, above 1.05 x",
                        "an empty host is added, gets: p99 while healing is 12.1 ms, above 1.2 x the 10.0 ms before",
                        "rounds: all is local after 4.1 s in the median, above 0.2 x the 20.0 s of major compactions",
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
        assertThat(ClusterThresholds.violations(results)).hasSize(1);
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
}
