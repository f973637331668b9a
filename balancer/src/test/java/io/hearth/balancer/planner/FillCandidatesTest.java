// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.balancer.planner;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.hearth.balancer.plan.PlanGoals;
import io.hearth.balancer.plan.PlanGoals.DimensionGoal;
import io.hearth.balancer.planner.MoveFilters.MoveFilter;
import io.hearth.common.model.LoadDimension;
import java.util.Map;
import java.util.Random;
import java.util.stream.IntStream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Servers are filled region by region: what is found with few looks, beside what is found by looking at every region each time. */
class FillCandidatesTest {

    private static final PlanGoals GOALS = PlanGoals.of(Map.of(
            LoadDimension.READS, new DimensionGoal(200, 1.1, 1.03, 1),
            LoadDimension.WRITES, new DimensionGoal(100, 1.2, 1.1, 1)));

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4, 5, 7, 13, 16, 21, 23, 25, 27, 28, 29, 41, 44, 46, 50, 56, 58})
    void theyAreTheBestEachTime(long seed) {
        SearchContext context = new SearchContext(RandomClusters.wild(seed), GOALS);
        Random random = new Random(seed);
        context.scorer.giveCountsFullWeight(random.nextBoolean());
        int steps = 0;
        for (int to = 0; to < context.index.servers; to++) {
            MoveFilter filter = random.nextBoolean() ? context.filters.intoSlop() : context.filters.evenCounts();
            FillCandidates candidates = new FillCandidates(context.simulation, context.scorer, to, filter);
            for (int step = 0; step < 8; step++) {
                String where = "seed %d, server %d, step %d".formatted(seed, to, step);
                int[] sources = sources(context, random);
                BestCandidate found = candidates.best(sources, sources.length);
                BestCandidate best = context.moveFinder.to(to, sources, sources.length, filter);
                assertThat(found.isEmpty()).as(where).isEqualTo(best.isEmpty());
                if (best.isEmpty()) {
                    continue;
                }
                assertThat(found.net).as(where).isCloseTo(best.net, within(1e-9));
                assertThat(found.secondRegion == BestCandidate.NONE)
                        .as(where)
                        .isEqualTo(best.secondRegion == BestCandidate.NONE);
                assertThat(context.scorer.net(found.region, context.index.initialServer[found.region], found.to))
                        .as(where)
                        .isCloseTo(best.net, within(1e-9));
                context.simulation.move(found.region, to);
                context.rankings.moved(found.region, context.index.initialServer[found.region], to);
                steps++;
            }
        }
        assertThat(steps).as("seed %d", seed).isPositive();
    }

    /** Those of all servers, at random, that have not taken any region: what has been taken is nowhere looked at again. */
    private static int[] sources(SearchContext context, Random random) {
        return IntStream.range(0, context.index.servers)
                .filter(server -> IntStream.range(0, context.index.regions)
                        .noneMatch(region -> context.simulation.serverOf[region] == server
                                && context.index.initialServer[region] != server))
                .filter(server -> random.nextInt(3) > 0)
                .toArray();
    }
}
