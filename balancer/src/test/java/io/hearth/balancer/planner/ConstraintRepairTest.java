// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.balancer.planner;

import static org.assertj.core.api.Assertions.assertThat;

import io.hearth.balancer.plan.Objective;
import io.hearth.balancer.plan.PlanGoals;
import io.hearth.balancer.plan.PlanGoals.DimensionGoal;
import io.hearth.balancer.plan.PlanGoals.MoveCosts;
import io.hearth.balancer.plan.PlanGoals.PlanLimits;
import io.hearth.balancer.plan.PlanGoals.RegionCountGoal;
import io.hearth.balancer.plan.PlanGoals.TableGoal;
import io.hearth.balancer.state.ClusterState;
import io.hearth.balancer.state.Pin;
import io.hearth.common.model.LoadDimension;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** What is mended before heat is looked at, and what is done after it: replicas, numbers of regions, crowded tables. */
class ConstraintRepairTest {

    private static final PlanGoals GOALS =
            PlanGoals.of(Map.of(LoadDimension.READS, new DimensionGoal(200, 1.5, 1.1, 1)));
    private static final PlanGoals WITHOUT_COUNTS = GOALS.withCounts(RegionCountGoal.DEFAULT.withSlop(-1));

    private SearchContext context;

    private boolean repair(SmallCluster cluster, PlanGoals goals) {
        context = cluster.search(goals);
        ConstraintRepair repair = new ConstraintRepair(context);
        boolean areNeeded = repair.areNeeded();
        repair.make();
        return areNeeded;
    }

    private int[] counts() {
        return context.simulation.countByServer;
    }

    private List<Objective> reasons() {
        return context.partialPlan.steps().stream()
                .map(step -> step.move().because())
                .toList();
    }

    private static SmallCluster counts(int... counts) {
        SmallCluster cluster = new SmallCluster();
        for (int count : counts) {
            cluster.server().regions(count, 1);
        }
        return cluster;
    }

    /** The mean is 5: slop of 0.2 is 4 to 6. */
    @Test
    void withinSlopNothingIsNeeded() {
        assertThat(repair(counts(6, 6, 4, 4), GOALS)).isFalse();
        assertThat(context.partialPlan.steps()).isEmpty();
        assertThat(repair(counts(7, 5, 4, 4), GOALS)).isTrue();
        assertThat(counts()).as("to one that has fewest").containsExactlyInAnyOrder(6, 5, 5, 4);
        assertThat(reasons()).containsExactly(Objective.REGION_COUNT);
        assertThat(repair(counts(6, 6, 5, 3), GOALS)).isTrue();
        assertThat(counts()).containsExactlyInAnyOrder(6, 5, 5, 4);
        assertThat(repair(counts(12, 0, 0), WITHOUT_COUNTS)).isFalse();
        assertThat(context.partialPlan.steps()).isEmpty();
    }

    @Test
    void aServerWithTooManyGivesAndOneWithTooFewTakesUntilSlopAllowsIt() {
        assertThat(repair(counts(8, 4, 4, 4), GOALS)).isTrue();
        assertThat(counts()).containsExactlyInAnyOrder(6, 5, 5, 4);
        assertThat(reasons()).containsExactly(Objective.REGION_COUNT, Objective.REGION_COUNT);
        assertThat(repair(counts(6, 6, 6, 2), GOALS)).isTrue();
        assertThat(counts()).containsExactlyInAnyOrder(5, 5, 6, 4);
        assertThat(reasons()).containsExactly(Objective.REGION_COUNT, Objective.REGION_COUNT);
    }

    /** Broken (a region more costs a server no more than a move): the one too many goes to the coolest, which has five. */
    @Test
    void aRegionTooManyGoesToAServerWithFewRatherThanToACoolOne() {
        repair(
                new SmallCluster()
                        .server()
                        .regions(7, 1)
                        .server()
                        .regions(5, 0.6)
                        .server()
                        .regions(4, 1.2)
                        .server()
                        .regions(4, 1.2),
                GOALS);

        assertThat(counts()).containsExactly(6, 5, 5, 4);
    }

    @Test
    void aServerThatMayTakeNothingIsNotFilled() {
        assertThat(repair(
                        new SmallCluster()
                                .server()
                                .regions(7, 1)
                                .server()
                                .regions(3, 1)
                                .server()
                                .receivingNone(),
                        GOALS))
                .isTrue();
        assertThat(context.partialPlan.steps()).hasSize(1);
        assertThat(counts()).as("of at most 4").containsExactly(6, 4, 0);
    }

    /** Of 40 moves that would be needed the plan holds 10: they go where they are needed most, from the fullest. */
    @Test
    void aPlanThatIsFullHasHelpedTheFullestAlike() {
        repair(counts(40, 38, 34, 0, 0, 8), GOALS.withLimits(PlanLimits.DEFAULT.withMaxMoves(10)));

        assertThat(context.partialPlan.steps()).hasSize(10);
        assertThat(Arrays.copyOf(counts(), 3)).containsExactly(34, 34, 34);
    }

    @Test
    void regionsThatArePinnedStayHoweverManyThereAre() {
        SmallCluster cluster = new SmallCluster().server();
        for (int region = 0; region < 9; region++) {
            cluster.region(1, 0).pinned(Pin.COOL_DOWN);
        }
        assertThat(repair(cluster.server(1).server(1).server(1), GOALS)).isTrue();
        assertThat(counts()).containsExactly(9, 1, 1, 1);
        repair(cluster, GOALS.withLimits(PlanLimits.DEFAULT.withMaxMoves(2)));
        assertThat(counts()).containsExactly(9, 1, 1, 1);
    }

    @Test
    void replicasPartByHostAndByRackToTheServerThatIsBest() {
        SmallCluster onOneHost = new SmallCluster()
                .server(10)
                .onSameHost(10)
                .replicaOf(0)
                .server(20)
                .server(5, 5);
        assertThat(repair(onOneHost, WITHOUT_COUNTS)).isTrue();
        assertThat(reasons()).containsExactly(Objective.REPLICAS);
        assertThat(context.simulation.serverOf[0]).as("the coolest").isEqualTo(3);
        SmallCluster onOneRack = new SmallCluster()
                .server(10)
                .rack("a")
                .server(10)
                .rack("a")
                .replicaOf(0)
                .server(15)
                .rack("b");
        assertThat(repair(onOneRack, WITHOUT_COUNTS)).isTrue();
        assertThat(context.simulation.serverOf).containsExactly(2, 1, 2);
        assertThat(context.partialPlan.steps()).hasSize(1);
        SmallCluster pinned = new SmallCluster()
                .server(10)
                .pinned(Pin.COOL_DOWN)
                .region(10, 0)
                .replicaOf(0)
                .pinned(Pin.RESTING)
                .server(20);
        assertThat(repair(pinned, WITHOUT_COUNTS)).isTrue();
        assertThat(context.partialPlan.steps()).isEmpty();
    }

    @Test
    void replicasStayTogetherWhereNoServerMayHaveThemOrThePlanIsFull() {
        SmallCluster together = new SmallCluster().server(10, 10).replicaOf(0).server(20);
        assertThat(repair(together, WITHOUT_COUNTS.withLimits(PlanLimits.DEFAULT.withMaxMoves(0))))
                .isTrue();
        assertThat(context.partialPlan.steps()).isEmpty();
        assertThat(repair(
                        new SmallCluster().server(10, 10).replicaOf(0).server(20, 5),
                        GOALS.withCounts(RegionCountGoal.DEFAULT.withSlop(0))))
                .isTrue();
        assertThat(reasons()).as("2 and 2 is all that slop allows").isEmpty();
        assertThat(repair(
                        new SmallCluster()
                                .server(10, 10)
                                .replicaOf(0)
                                .server(20)
                                .receivingNone(),
                        WITHOUT_COUNTS))
                .isTrue();
        assertThat(context.partialPlan.steps()).isEmpty();
    }

    private boolean even(SmallCluster cluster, PlanGoals goals) {
        context = cluster.search(goals);
        SecondaryObjectives objectives = new SecondaryObjectives(context);
        boolean areNeeded = objectives.areNeeded();
        objectives.make();
        return areNeeded;
    }

    @Test
    void numbersAreEvenedFromTheFullestToTheEmptiestUntilTheyAreEvenEnough() {
        PlanGoals wide = GOALS.withCounts(RegionCountGoal.DEFAULT.withSlop(0.5));
        assertThat(even(counts(10, 10, 10, 10), wide)).isFalse();
        assertThat(context.partialPlan.steps()).isEmpty();
        assertThat(even(counts(14, 10, 10, 6), wide)).isTrue();
        assertThat(counts()).containsExactly(10, 10, 10, 10);
        assertThat(reasons()).containsOnly(Objective.REGION_COUNT).hasSize(4);
        assertThat(even(counts(13, 9, 9, 9), wide)).as("the fullest gives").isTrue();
        assertThat(counts()).containsExactly(10, 10, 10, 10);
        assertThat(even(counts(7, 11, 11, 11), wide)).as("the emptiest takes").isTrue();
        assertThat(counts()).containsExactly(10, 10, 10, 10);
        assertThat(even(counts(14, 6), WITHOUT_COUNTS)).isFalse();
        assertThat(context.partialPlan.steps()).isEmpty();
        assertThat(even(counts(14, 10, 10, 6), wide.withLimits(PlanLimits.DEFAULT.withMaxMoves(3))))
                .isTrue();
        assertThat(context.partialPlan.steps()).hasSize(3);
    }

    /** By the goal of 0.5 what is left is good enough. */
    @Test
    void theTargetOfNumbersIsEnough() {
        RegionCountGoal half = new RegionCountGoal(500, 1, 0.6, 0.5);
        assertThat(even(counts(16, 2, 2), GOALS.withCounts(half))).isTrue();
        assertThat(context.simulation.countImbalance()).isBetween(0.4, 0.5);
        assertThat(even(counts(10, 5, 5), GOALS.withCounts(half))).isFalse();
        assertThat(context.partialPlan.steps()).isEmpty();
    }

    @Test
    void aServerThatCanNotGiveOrTakeIsPassedOver() {
        PlanGoals wide = GOALS.withCounts(RegionCountGoal.DEFAULT.withSlop(0.9));
        SmallCluster cluster = new SmallCluster().server();
        for (int region = 0; region < 14; region++) {
            cluster.region(1, 0).pinned(Pin.COOL_DOWN);
        }
        even(
                cluster.server()
                        .regions(12, 1)
                        .server()
                        .regions(8, 1)
                        .server()
                        .regions(2, 1)
                        .receivingNone(),
                wide);

        assertThat(counts()).containsExactly(14, 10, 10, 2);
    }

    /** A region more than the mean has the price of a move, 0.2, and far more while numbers are mended. */
    @Test
    void afterwardsNumbersCountAsLittleAsBefore() {
        PlanGoals wide = GOALS.withCounts(RegionCountGoal.DEFAULT.withSlop(0.5));
        even(counts(14, 10, 10, 6), wide.withLimits(PlanLimits.DEFAULT.withMaxMoves(1)));
        assertThat(context.scorer.countGain(1, 0, 3)).isBetween(0.01, 0.2);
        repair(counts(14, 10, 10, 4), wide.withLimits(PlanLimits.DEFAULT.withMaxMoves(1)));
        assertThat(context.scorer.countGain(1, 0, 3)).isBetween(0.01, 0.2);
    }

    /** Nothing that counts can give, or nothing may take: what is left is as it is. */
    @Test
    void whereNobodyCanTakeNumbersStay() {
        PlanGoals wide = GOALS.withCounts(RegionCountGoal.DEFAULT.withSlop(0.9));
        even(new SmallCluster().server().regions(14, 1).server().regions(6, 1).receivingNone(), wide);
        assertThat(counts()).containsExactly(14, 6);
        even(new SmallCluster().server().regions(14, 1).receivingNone().server().regions(6, 1), wide);
        assertThat(counts()).as("may still give").containsExactly(10, 10);
    }

    /** Two tables of three regions on two servers: by slop 0 at most two of a table are on one. */
    @Test
    void aCrowdedTableIsPartedByAsManyMovesAsItNeeds() {
        PlanGoals tables = new PlanGoals(
                WITHOUT_COUNTS.goalByDimension(),
                WITHOUT_COUNTS.counts(),
                new TableGoal(35, 0),
                new MoveCosts(0.2, 25, 0),
                PlanLimits.DEFAULT);
        ClusterState crowded = new SmallCluster()
                .server(0, 0, 0)
                .region(100, 0)
                .table("v")
                .server(0)
                .table("u")
                .region(0, 0)
                .table("u")
                .region(0, 0)
                .table("u")
                .region(100, 0)
                .table("v")
                .state();
        context = new SearchContext(crowded, tables);
        new SecondaryObjectives(context).make();

        assertThat(reasons()).containsExactly(Objective.TABLE_SKEW, Objective.TABLE_SKEW);
        assertThat(context.simulation.tables.unevenness()).isZero();
        context = new SearchContext(
                crowded,
                new PlanGoals(
                        tables.goalByDimension(),
                        tables.counts(),
                        tables.tables(),
                        tables.moveCosts(),
                        PlanLimits.DEFAULT.withMaxMoves(1)));
        new SecondaryObjectives(context).make();
        assertThat(context.partialPlan.steps()).hasSize(1);
        context = new SearchContext(crowded, WITHOUT_COUNTS);
        new SecondaryObjectives(context).make();
        assertThat(context.partialPlan.steps()).as("within the usual slop").isEmpty();
    }
}
