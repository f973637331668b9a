// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.balancer.planner;

import static org.assertj.core.api.Assertions.assertThat;

import io.hearth.balancer.plan.Plan;
import io.hearth.balancer.plan.PlanGoals;
import io.hearth.balancer.plan.PlanGoals.DimensionGoal;
import io.hearth.balancer.plan.PlanGoals.MoveCosts;
import io.hearth.balancer.plan.PlanGoals.PlanLimits;
import io.hearth.balancer.plan.PlannedMove;
import io.hearth.balancer.state.ClusterState;
import io.hearth.common.model.LoadDimension;
import java.util.HashMap;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** The plan of a small cluster beside the plans that it is made of: each of the cluster as the one before leaves it. */
class NextPlansTest {

    private static final int SEEDS = 24 * Integer.getInteger("hearth.test.repetitions", 1);

    private static final DimensionGoal GOAL = new DimensionGoal(200, 1.06, 1.06, 0);

    /** Three dimensions and five regions a server: often no order of single steps is as even as it could be. */
    private static final PlanGoals GOALS = PlanGoals.of(
                    Map.of(LoadDimension.READS, GOAL, LoadDimension.WRITES, GOAL, LoadDimension.STORE_SIZE, GOAL))
            .withMoveCosts(MoveCosts.NONE)
            .withLimits(new PlanLimits(Integer.MAX_VALUE, Map.of(), 0, 0, 0));

    private final DirectedPlanner planner = new DirectedPlanner();

    /** Before, the next run moved regions again in many of them. */
    @Test
    void theNextRunHasHardlyEverAnythingToMove() {
        int first = 0;
        int now = 0;
        for (long seed = 1; seed <= SEEDS; seed++) {
            ClusterState cluster = RandomClusters.lognormal(seed, 12, 5);
            first += isNextEmpty(cluster, firstOf(cluster)) ? 0 : 1;
            now += isNextEmpty(cluster, planner.plan(cluster, GOALS)) ? 0 : 1;
        }
        assertThat(now).isLessThan(first / 4);
    }

    private boolean isNextEmpty(ClusterState cluster, Plan plan) {
        return firstOf(PlannerPropertiesTest.applied(cluster, plan)).moves().isEmpty();
    }

    /** It moves no region that they don't move, none twice, and is no less even than the first of them. */
    @Test
    void itMovesNoMoreThanTheyDoTogetherAndIsAtLeastAsEven() {
        int moreEven = 0;
        for (long seed = 1; seed <= SEEDS; seed++) {
            ClusterState cluster = RandomClusters.lognormal(seed, 12, 5);
            Plan plan = planner.plan(cluster, GOALS);

            Plan first = firstOf(cluster);
            Map<String, Integer> movesByRegion = new HashMap<>();
            count(first, movesByRegion);
            ClusterState state = PlannerPropertiesTest.applied(cluster, first);
            for (int next = 2; next <= 4; next++) {
                Plan ofNext =
                        PlanSearch.thoroughly(state, GOALS, Deadline.never()).plan(false);
                count(ofNext, movesByRegion);
                state = PlannerPropertiesTest.applied(state, ofNext);
            }
            assertThat(plan.moves()).as("seed %d", seed).allMatch(move -> movesByRegion.containsKey(name(move)));
            assertThat(plan.moves().stream().map(NextPlansTest::name))
                    .as("seed %d", seed)
                    .doesNotHaveDuplicates();
            double before = unevenness(cluster, first);
            double after = unevenness(cluster, plan);
            assertThat(after).as("seed %d", seed).isLessThanOrEqualTo(before + 1e-6);
            moreEven += after < before - 1 ? 1 : 0;
        }
        assertThat(moreEven).isGreaterThan(SEEDS / 10);
    }

    private static Plan firstOf(ClusterState cluster) {
        return DirectedPlanner.inBestOrder(PlanSearch.thoroughly(cluster, GOALS, Deadline.never()))
                .plan(false);
    }

    private static void count(Plan plan, Map<String, Integer> movesByRegion) {
        plan.moves().forEach(move -> movesByRegion.merge(name(move), 1, Integer::sum));
    }

    private static String name(PlannedMove move) {
        return move.region().encodedName();
    }

    private static double unevenness(ClusterState cluster, Plan plan) {
        return new NaiveCosts(PlannerPropertiesTest.applied(cluster, plan), GOALS).unevenness();
    }
}
