// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.balancer.planner;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.hearth.balancer.plan.Objective;
import io.hearth.balancer.plan.PlanGoals;
import io.hearth.balancer.plan.PlanGoals.DimensionGoal;
import io.hearth.balancer.plan.PlanGoals.MoveCosts;
import io.hearth.balancer.plan.PlannedMove;
import io.hearth.balancer.state.ClusterState;
import io.hearth.balancer.state.LocalBytes;
import io.hearth.balancer.state.Pin;
import io.hearth.balancer.state.RegionState;
import io.hearth.common.model.EncodedRegionName;
import io.hearth.common.model.LoadDimension;
import io.hearth.common.model.LoadVector;
import io.hearth.common.model.ServerId;
import io.hearth.common.model.TableId;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** Two regions on one of two servers, all of their bytes local there: one has to go. */
class UnhealedTableTest {

    private static final TableId TABLE = new TableId("t");
    private static final MoveCosts HEALED = new MoveCosts(0.2, 5, 0);
    private static final MoveCosts NEVER_HEALED = new MoveCosts(0.2, 5, 0, Set.of(TABLE));

    private static ServerId server(String host) {
        return new ServerId(host, 16020, 1);
    }

    private static RegionState region(String name, Map<String, Long> bytesByHost) {
        EncodedRegionName id = new EncodedRegionName(name);
        return new RegionState(
                id, id, TABLE, LoadVector.ofReads(1000).withStoreBytes(100), Pin.FREE, LocalBytes.of(100, bytesByHost));
    }

    private static PlannedMove onlyMove(MoveCosts costs, Map<String, Long> bytesByHost) {
        ClusterState snapshot = ClusterState.of(Map.of(
                server("hot"), List.of(region("a", bytesByHost), region("b", bytesByHost)), server("cold"), List.of()));
        PlanGoals goals = PlanGoals.of(Map.of(LoadDimension.READS, new DimensionGoal(200, 1.1, 1.03, 1)))
                .withMoveCosts(costs);
        List<PlannedMove> moves = new DirectedPlanner().plan(snapshot, goals).moves();
        assertThat(moves).hasSize(1);
        return moves.get(0);
    }

    @Test
    void aByteThatStaysRemoteCostsMoreThanOneThatIsCopiedOnce() {
        Map<String, Long> atHome = Map.of("hot", 100L);

        double healed = onlyMove(HEALED, atHome).score().gain(Objective.BYTES_TO_HEAL);
        double never = onlyMove(NEVER_HEALED, atHome).score().gain(Objective.BYTES_TO_HEAL);

        assertThat(healed).isNegative();
        assertThat(never).isCloseTo(MoveCosts.NEVER_HEALED_FACTOR * healed, within(1e-9));
    }

    @Test
    void aByteThatBecomesLocalIsAGainOnlyWhereNobodyWouldMakeItLocal() {
        Map<String, Long> away = Map.of("cold", 100L);

        double healed = onlyMove(HEALED, away).score().gain(Objective.BYTES_TO_HEAL);
        double never = onlyMove(NEVER_HEALED, away).score().gain(Objective.BYTES_TO_HEAL);

        assertThat(healed).isBetween(0.0, 0.1);
        assertThat(never).isGreaterThan(1);
    }
}
