// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.balancer.planner;

import static org.assertj.core.api.Assertions.assertThat;

import io.hearth.balancer.plan.Plan;
import io.hearth.balancer.plan.Plan.DimensionOutcome;
import io.hearth.balancer.plan.PlanGoals;
import io.hearth.balancer.plan.PlanGoals.DimensionGoal;
import io.hearth.balancer.plan.PlanGoals.RegionCountGoal;
import io.hearth.balancer.plan.PlannedMove;
import io.hearth.balancer.state.ClusterState;
import io.hearth.balancer.state.RegionState;
import io.hearth.common.model.LoadDimension;
import io.hearth.common.model.ServerId;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A region of one and a quarter fair shares among a thousand others, with slop: what happens to the regions beside it. */
class OversizedRegionTest {

    private static final int SERVERS = 20;
    private static final int REGIONS = 50;

    private static final PlanGoals GOALS =
            PlanGoals.of(Map.of(LoadDimension.READS, new DimensionGoal(200, 1.1, 1.03, 0)));

    /** Numbers are left to the stock balancer, so that the lower limit of slop holds. */
    private static final PlanGoals COUNTS_OF_STOCK = GOALS.withCounts(new RegionCountGoal(500, 0.2, 1, 0.01));

    private final DirectedPlanner planner = new DirectedPlanner();

    /** Healthy: 1.009 to 1.021 times the bound; broken (no exchange with the coldest regions): 1.012 to 1.030. */
    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4, 5})
    void nearlyAllOfThemGoAndColdOnesComeAndThenThereIsPeace(long seed) {
        ClusterState before = RandomClusters.withOversized(seed, SERVERS, REGIONS, 1.25);
        Plan plan = planner.plan(before, COUNTS_OF_STOCK);
        DimensionOutcome reads = plan.outcome(LoadDimension.READS);

        assertThat(reads.lowerBound()).as("seed %d", seed).isGreaterThan(1.24);
        assertThat(reads.maxOverMeanAfter() / reads.lowerBound())
                .as("seed %d: %s", seed, plan.summary())
                .isLessThan(1.025);
        assertThat(plan.counts().fewestAfter()).as("seed %d", seed).isGreaterThanOrEqualTo(40);
        assertThat(planner.plan(after(before, plan), COUNTS_OF_STOCK).moves())
                .as("seed %d", seed)
                .isEmpty();
    }

    /** Its server is 1.03 times as hot as the region, which is its target, with fewer moves than where cold ones have to come. */
    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4, 5})
    void whereFewMayStayNoneHasToComeForThem(long seed) {
        ClusterState before = RandomClusters.withOversized(seed, SERVERS, REGIONS, 1.25);
        Plan plan = planner.plan(before, GOALS);
        DimensionOutcome reads = plan.outcome(LoadDimension.READS);

        assertThat(reads.maxOverMeanAfter() / reads.lowerBound())
                .as("seed %d: %s", seed, plan.summary())
                .isLessThanOrEqualTo(1.03);
        assertThat(plan.moves())
                .as("seed %d", seed)
                .hasSizeLessThan(planner.plan(before, COUNTS_OF_STOCK).moves().size());
        assertThat(plan.counts().fewestAfter()).as("seed %d", seed).isBetween(1, 39);
        assertThat(planner.plan(after(before, plan), GOALS).moves())
                .as("seed %d", seed)
                .isEmpty();
    }

    private static ClusterState after(ClusterState before, Plan plan) {
        Map<Object, ServerId> target =
                plan.moves().stream().collect(Collectors.toMap(PlannedMove::region, PlannedMove::to));
        Map<ServerId, List<RegionState>> regions = new HashMap<>();
        before.serverIds().forEach(server -> regions.put(server, new ArrayList<>()));
        for (int server = 0; server < SERVERS; server++) {
            ServerId initialServer = before.serverId(server);
            before.regionsOf(server).forEach(region -> regions.get(target.getOrDefault(region.region(), initialServer))
                    .add(region));
        }
        return ClusterState.of(regions);
    }
}
