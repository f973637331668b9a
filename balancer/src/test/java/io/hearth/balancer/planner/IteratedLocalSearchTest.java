// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.balancer.planner;

import static org.assertj.core.api.Assertions.assertThat;

import io.hearth.balancer.plan.PlanGoals;
import io.hearth.balancer.plan.PlanGoals.DimensionGoal;
import io.hearth.balancer.plan.PlanGoals.RegionCountGoal;
import io.hearth.balancer.state.ClusterState;
import io.hearth.common.model.LoadDimension;
import java.util.Map;
import java.util.stream.LongStream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Rounds that leave a local optimum; what they find where a plan would be empty, {@link ExhaustiveImprovementTest} tries. */
class IteratedLocalSearchTest {

    private static final PlanGoals GOALS = PlanGoals.of(Map.of(
                    LoadDimension.READS, new DimensionGoal(200, 1.1, 1.03, 1),
                    LoadDimension.WRITES, new DimensionGoal(100, 1.2, 1.1, 1)))
            .withCounts(RegionCountGoal.DEFAULT.withSlop(-1));

    static LongStream seeds() {
        return LongStream.rangeClosed(1, 40L * Integer.getInteger("hearth.test.repetitions", 1));
    }

    /** The objective never rises, the plan is what the simulation says, and another search finds the same. */
    @ParameterizedTest
    @MethodSource("seeds")
    void theObjectiveNeverRises(long seed) {
        ClusterState cluster = seed % 2 == 0 ? RandomClusters.wild(seed) : RandomClusters.lognormal(seed, 5, 9);
        SearchContext context = new SearchContext(cluster, GOALS);
        LocalSearch localSearch = new LocalSearch(context);
        localSearch.improve(Integer.MAX_VALUE);
        double before = objective(context, cluster);

        new IteratedLocalSearch(context, () -> true).improve();

        assertThat(objective(context, cluster)).as("seed %d", seed).isLessThanOrEqualTo(before + 1e-6);
        for (PartialPlan.Step step : context.partialPlan.steps()) {
            assertThat(context.simulation.serverOf[step.region()])
                    .as("seed %d", seed)
                    .isEqualTo(step.to());
        }
        long moved = LongStream.range(0, context.index.regions)
                .filter(region ->
                        context.simulation.serverOf[(int) region] != context.index.initialServer[(int) region])
                .count();
        assertThat(moved)
                .as("seed %d", seed)
                .isEqualTo(context.partialPlan.steps().size());
    }

    private static double objective(SearchContext context, ClusterState cluster) {
        NaiveCosts naive = new NaiveCosts(cluster, GOALS);
        double costs = 0;
        for (PartialPlan.Step step : context.partialPlan.steps()) {
            naive.move(context.index.state[step.region()], context.index.initialServer[step.region()], step.to());
            costs += context.scorer.cost(step.region(), step.to()) + context.leastGain(step.region());
        }
        return naive.unevenness() + naive.tableUnevenness() + costs;
    }
}
