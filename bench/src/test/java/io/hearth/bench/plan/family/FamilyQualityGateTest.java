// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.bench.plan.family;

import static org.assertj.core.api.Assertions.assertThat;

import io.hearth.bench.plan.family.FamilyInstance.Size;
import io.hearth.common.model.LoadDimension;
import java.util.Map;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * The thresholds of {@code bench plan --families} and the figures of docs/benchmarks.md, on the first cluster of each family with 60
 * servers of 80 regions. The benchmark has more clusters, and thresholds of time and of all clusters of a family.
 */
class FamilyQualityGateTest {

    private static final Size SIZE = new Size(60, 80);
    private static final long SEED = 1;

    /** Max/mean after the first plan, to two decimals, of the worst of three clusters: what is documented. */
    private static final Map<ClusterFamily, Map<LoadDimension, Double>> DOCUMENTED = Map.of(
            ClusterFamily.FAST20,
            Map.of(LoadDimension.READS, 1.04, LoadDimension.WRITES, 1.35),
            ClusterFamily.CAPS,
            Map.of(LoadDimension.READS, 1.03, LoadDimension.WRITES, 1.03, LoadDimension.STORE_SIZE, 1.19),
            ClusterFamily.ANTI,
            Map.of(LoadDimension.READS, 1.03, LoadDimension.WRITES, 1.03),
            ClusterFamily.BIMODAL,
            Map.of(LoadDimension.READS, 1.03, LoadDimension.WRITES, 1.03),
            ClusterFamily.REPLICAS,
            Map.of(LoadDimension.READS, 1.03, LoadDimension.WRITES, 1.03),
            ClusterFamily.DOUBLED,
            Map.of(LoadDimension.READS, 1.03, LoadDimension.WRITES, 1.03),
            ClusterFamily.EMPTY_RACK,
            Map.of(LoadDimension.READS, 1.03, LoadDimension.WRITES, 1.03));

    @ParameterizedTest
    @EnumSource(ClusterFamily.class)
    void theFirstPlanIsAsEvenAsIsSaidAndTheSecondMovesNothing(ClusterFamily family) {
        AtomicLong nanos = new AtomicLong();
        FamilyResult result =
                new FamilyBench(() -> nanos.addAndGet(2_000_000_000)).measure(new FamilyInstance(family, SIZE, SEED));

        assertThat(FamilyThresholds.ofPlans(result).violations()).isEmpty();
        assertThat(result.movesOfSecond()).as("moves of the second plan").isZero();
        assertThat(FamilyThresholds.ofEvenness(result).violations()).isEmpty();
        DOCUMENTED.getOrDefault(family, Map.of()).forEach((dimension, documented) -> assertThat(
                        twoDecimals(result, dimension))
                .as("max/mean of %s after the first plan", dimension)
                .isLessThanOrEqualTo(documented));
    }

    private static double twoDecimals(FamilyResult result, LoadDimension dimension) {
        return Math.round(result.first().maxOverMean(dimension) * 100) / 100.0;
    }
}
