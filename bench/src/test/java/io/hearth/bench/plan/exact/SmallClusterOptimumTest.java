// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.bench.plan.exact;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;

/**
 * What an exact solver found for a hundred small clusters, held against the plans that are kept with it, and for some clusters proven
 * again by another way.
 */
class SmallClusterOptimumTest {

    /** Clusters of which it takes a moment to prove it. */
    private static final int RECHECKED = 5;

    private static final int MOST_MOVES_RECHECKED = 6;

    @Test
    void thePlansThatAreKeptAreAsGoodAsIsSaid() {
        assertThat(SolvedInstance.all()).hasSize(100);
        for (SolvedInstance known : SolvedInstance.all()) {
            SmallInstance instance = new SmallInstance(known.seed());

            assertThat(instance.most(known.evenPlan()))
                    .as("seed %d", known.seed())
                    .isEqualTo(known.evenness());
            assertThat(instance.most(known.plan())).as("seed %d", known.seed()).isLessThanOrEqualTo(known.allowed());
            assertThat(instance.moves(known.plan())).as("seed %d", known.seed()).isEqualTo(known.moves());
            assertThat(regionsByServer(known.plan())).allMatch(count -> count >= 4 && count <= 6);
            assertThat(regionsByServer(known.evenPlan())).allMatch(count -> count >= 4 && count <= 6);
        }
    }

    private static List<Integer> regionsByServer(int[] plan) {
        int[] counts = new int[SmallInstance.SERVERS];
        for (int server : plan) {
            counts[server]++;
        }
        return Arrays.stream(counts).boxed().toList();
    }

    /** Where the hottest region and the three coldest are the bound, and few moves are needed, both are proven here again. */
    @Test
    void fiveOfTheOptimaAreProvenAgain() {
        List<SolvedInstance> rechecked = SolvedInstance.all().stream()
                .filter(known -> known.moves() <= MOST_MOVES_RECHECKED
                        && known.moves() == known.movesBound()
                        && hottestWithColdest(new SmallInstance(known.seed())) == known.evenness())
                .limit(RECHECKED)
                .toList();

        assertThat(rechecked).hasSize(RECHECKED);
        for (SolvedInstance known : rechecked) {
            SmallInstance instance = new SmallInstance(known.seed());
            assertThat(new FewestMoves(instance, known.allowed()).isWithin(known.moves()))
                    .as("seed %d", known.seed())
                    .isTrue();
            assertThat(new FewestMoves(instance, known.allowed()).isWithin(known.moves() - 1))
                    .as("seed %d", known.seed())
                    .isFalse();
        }
    }

    /** What the server of the hottest region has at least, in the dimension in which that is most. */
    private static long hottestWithColdest(SmallInstance instance) {
        long most = 0;
        for (int dimension = 0; dimension < SmallInstance.DIMENSIONS.size(); dimension++) {
            long[] loads = instance.loads(dimension);
            Arrays.sort(loads);
            long coldest = Arrays.stream(loads).limit(SmallInstance.FEWEST - 1).sum();
            most = Math.max(most, loads[loads.length - 1] + coldest);
        }
        return most;
    }
}
