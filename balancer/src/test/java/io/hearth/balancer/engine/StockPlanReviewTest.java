// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.balancer.engine;

import static org.assertj.core.api.Assertions.assertThat;

import io.hearth.balancer.plan.PlanGoals;
import io.hearth.balancer.plan.PlanGoals.DimensionGoal;
import io.hearth.balancer.plan.PlanGoals.PlanLimits;
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
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Stock plans that are cut short because a region of them is to stay. */
class StockPlanReviewTest {

    private static final PlanGoals GOALS =
            PlanGoals.of(Map.of(LoadDimension.READS, new DimensionGoal(200, 1.1, 1.03, 1)));
    private static final ServerId A = new ServerId("a", 16020, 1);
    private static final ServerId B = new ServerId("b", 16020, 1);
    private static final ServerId C = new ServerId("c", 16020, 1);
    private static final String MEETS =
            "it would come to a host or rack with another replica of its region, whose own move is not made";

    private static EncodedRegionName id(String name) {
        return new EncodedRegionName(name);
    }

    private static RegionState region(String name, String primary, Pin pin) {
        return new RegionState(id(name), id(primary), new TableId("t"), LoadVector.ZERO, pin, LocalBytes.UNKNOWN);
    }

    private static ClusterState cluster(Pin pinOfPrimary) {
        return ClusterState.of(Map.of(
                A, List.of(region("x", "x", pinOfPrimary), region("p", "p", Pin.FREE)),
                B, List.of(region("x1", "x", Pin.FREE), region("q", "q", Pin.FREE)),
                C, List.of(region("r", "r", Pin.FREE), region("s", "s", Pin.FREE))));
    }

    @Test
    void aReplicaDoesNotComeToTheOneThatHadToLeaveFirst() {
        StockPlanReview review =
                StockPlanReview.of(cluster(Pin.COOL_DOWN), GOALS, Map.of(id("x"), C, id("x1"), A, id("p"), B));

        assertThat(review.left()).isEqualTo(Map.of(id("x"), Pin.COOL_DOWN.reason(), id("x1"), MEETS));
        assertThat(review.refusal()).isEmpty();
    }

    @Test
    void oneAfterTheOtherIsLeft() {
        ClusterState cluster = ClusterState.of(Map.of(
                A, List.of(region("x", "x", Pin.OSCILLATING), region("p", "p", Pin.FREE)),
                B, List.of(region("x1", "x", Pin.FREE), region("q", "q", Pin.FREE)),
                C, List.of(region("x2", "x", Pin.FREE), region("s", "s", Pin.FREE))));

        StockPlanReview review = StockPlanReview.of(cluster, GOALS, Map.of(id("x"), C, id("x1"), A, id("x2"), B));

        assertThat(review.left())
                .isEqualTo(Map.of(id("x"), Pin.OSCILLATING.reason(), id("x1"), MEETS, id("x2"), MEETS));
    }

    /** What the stock balancer moves is for counts, replicas or locality, and a budget is for heat. */
    @ParameterizedTest
    @ValueSource(ints = {0, 1})
    void aBudgetOfATableIsForHeatAndNotForTheStockBalancer(int movesLeft) {
        PlanGoals spent =
                GOALS.withLimits(PlanLimits.DEFAULT.withMovesLeftByTable(Map.of(new TableId("t"), movesLeft)));

        StockPlanReview review =
                StockPlanReview.of(cluster(Pin.FREE), spent, Map.of(id("x"), C, id("x1"), A, id("p"), B));

        assertThat(review.left()).isEmpty();
        assertThat(review.refusal()).isEmpty();
    }

    @Test
    void aWholePlanIsLeftToTheStockBalancer() {
        StockPlanReview review =
                StockPlanReview.of(cluster(Pin.FREE), GOALS, Map.of(id("x"), C, id("x1"), A, id("p"), B));

        assertThat(review.left()).isEmpty();
    }
}
