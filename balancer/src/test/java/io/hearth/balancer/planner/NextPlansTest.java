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
import io.hearth.common.model.TableId;
import java.util.HashSet;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** The plan of a small cluster beside the plans that it is made of: each of the cluster as the one before leaves it. */
class NextPlansTest {

    private static final int SEEDS = 24 * Integer.getInteger("hearth.test.repetitions", 1);

    /** A target for which a plan needs few moves. */
    private static final double LOOSE = 1.25;

    /** Three dimensions and five regions a server: often no order of single steps is as even as it could be. */
    private static final PlanGoals GOALS = goals(1.06);

    /** By seed, what {@link #firstOf} makes of its cluster: most of these tests begin with it. */
    private static final Map<Long, Plan> FIRST_BY_SEED = new ConcurrentHashMap<>();

    private final DirectedPlanner planner = new DirectedPlanner();

    /** No server above this target in any dimension, whatever the moves cost. */
    private static PlanGoals goals(double target) {
        DimensionGoal goal = new DimensionGoal(200, target, target, 0);
        return PlanGoals.of(
                        Map.of(LoadDimension.READS, goal, LoadDimension.WRITES, goal, LoadDimension.STORE_SIZE, goal))
                .withMoveCosts(MoveCosts.NONE)
                .withLimits(limits(Integer.MAX_VALUE));
    }

    private static PlanLimits limits(int mostMoves) {
        return new PlanLimits(mostMoves, Map.of(), 0, 0, 0);
    }

    /** Before, the next run moved regions again in nearly all of them. */
    @Test
    void theNextRunHasHardlyEverAnythingToMove() {
        int first = 0;
        int now = 0;
        for (long seed = 1; seed <= SEEDS; seed++) {
            ClusterState cluster = cluster(seed);
            first += isNextEmpty(cluster, firstOf(seed)) ? 0 : 1;
            now += isNextEmpty(cluster, planner.plan(cluster, GOALS)) ? 0 : 1;
        }
        assertThat(now).isLessThan(first / 4);
    }

    private static boolean isNextEmpty(ClusterState cluster, Plan plan) {
        return firstOf(PlannerPropertiesTest.applied(cluster, plan), GOALS)
                .moves()
                .isEmpty();
    }

    /** It moves no region that neither of the two moves, none twice, and is more even than the first. */
    @Test
    void itMovesNoMoreThanTheyDoTogetherAndIsMoreEven() {
        int joined = 0;
        for (long seed = 1; seed <= SEEDS; seed++) {
            ClusterState cluster = cluster(seed);
            PlanSearch first = bestOf(cluster, GOALS);
            Optional<PlanSearch> both = first.withNext();
            while (both.isPresent()) {
                joined++;
                assertThatIsOf(seed, cluster, first.plan(false), both.get().plan(false));
                first = both.get();
                both = first.withNext();
            }
        }
        assertThat(joined).isGreaterThan(SEEDS);
    }

    private static void assertThatIsOf(long seed, ClusterState cluster, Plan first, Plan both) {
        Plan next = PlanSearch.thoroughly(PlannerPropertiesTest.applied(cluster, first), GOALS, Deadline.never())
                .plan(false);
        Set<String> moved = new HashSet<>();
        Set<String> movedForHeat = new HashSet<>();
        add(first, moved, movedForHeat);
        add(next, moved, movedForHeat);
        assertThat(both.moves()).as("seed %d", seed).allMatch(move -> moved.contains(name(move)));
        assertThat(both.moves())
                .as("seed %d: what one of them moves for heat, which budgets limit", seed)
                .allMatch(move -> move.because().isHeat() || !movedForHeat.contains(name(move)));
        assertThat(both.moves().stream().map(NextPlansTest::name))
                .as("seed %d", seed)
                .doesNotHaveDuplicates();
        assertThat(unevenness(cluster, both)).as("seed %d", seed).isLessThan(unevenness(cluster, first));
    }

    /**
     * Where no single step helps, several at once are tried, and not all that came with them are needed: 105 of 513 moves could go back,
     * and their servers would be at their targets all the same. Broken (none is dropped): 167 of 584.
     */
    @Test
    void thePlanOfManyStepsAtOnceHoldsFewNeedlessMoves() {
        PlanGoals goals = goals(LOOSE);
        int moves = 0;
        int needless = 0;
        for (long seed = 1; seed <= SEEDS; seed++) {
            ClusterState cluster = PlannerPropertiesTest.applied(cluster(seed), firstOf(cluster(seed), goals));
            Plan next = PlanSearch.thoroughly(cluster, goals, Deadline.never()).plan(false);
            PlanSimulation after = new SearchContext(PlannerPropertiesTest.applied(cluster, next), goals).simulation;
            moves += next.moves().size();
            needless += (int) next.moves().stream()
                    .filter(move -> move.because().isHeat() && staysAtTarget(after, move))
                    .count();
        }
        assertThat(needless).as("of %d moves", moves).isLessThan(moves / 4);
    }

    private static boolean staysAtTarget(PlanSimulation after, PlannedMove back) {
        PlanIndex index = after.index;
        int server = IntStream.range(0, index.servers)
                .filter(any -> index.snapshot.serverId(any).equals(back.from()))
                .findFirst()
                .orElseThrow();
        int region = IntStream.range(0, index.regions)
                .filter(any -> index.state[any].region().equals(back.region()))
                .findFirst()
                .orElseThrow();
        return IntStream.range(0, PlanIndex.DIMENSIONS)
                .filter(index::counts)
                .allMatch(
                        dimension -> after.shares.shareWith(server, dimension, index.load(region, dimension)) <= LOOSE);
    }

    /** Where a plan may hold few moves it is the first one, or one with as few that is more even. */
    @Test
    void itHoldsNoMoreMovesThanOnePlanMay() {
        int joined = 0;
        for (long seed = 1; seed <= SEEDS; seed++) {
            ClusterState cluster = cluster(seed);
            int most = firstOf(seed).moves().size() + 1;
            PlanGoals limited = GOALS.withLimits(limits(most));
            Plan first = firstOf(cluster, limited);

            Plan plan = planner.plan(cluster, limited);

            assertThat(plan.moves()).as("seed %d", seed).hasSizeBetween(1, most);
            boolean isFirst = plan.moves().equals(first.moves());
            assertThat(isFirst || unevenness(cluster, plan) < unevenness(cluster, first))
                    .as("seed %d", seed)
                    .isTrue();
            joined += isFirst ? 0 : 1;
        }
        assertThat(joined).isBetween(1, SEEDS - 1);
    }

    /** What a table has left in this hour is for all the plans that are made one. */
    @Test
    void itTakesNoMoreOfATablesBudgetThanOnePlanMay() {
        for (long seed = 1; seed <= SEEDS; seed++) {
            ClusterState cluster = cluster(seed);
            int most = firstOf(seed).moves().size();
            PlanGoals limited =
                    GOALS.withLimits(new PlanLimits(Integer.MAX_VALUE, Map.of(new TableId("t"), most), 0, 0, 0));

            assertThat(planner.plan(cluster, limited).moves().stream()
                            .filter(move -> move.because().isHeat()))
                    .as("seed %d", seed)
                    .hasSizeLessThanOrEqualTo(most);
        }
    }

    private static ClusterState cluster(long seed) {
        return RandomClusters.lognormal(seed, 12, 5);
    }

    private static PlanSearch bestOf(ClusterState cluster, PlanGoals goals) {
        return DirectedPlanner.inBestOrder(PlanSearch.thoroughly(cluster, goals, Deadline.never()));
    }

    private static Plan firstOf(long seed) {
        return FIRST_BY_SEED.computeIfAbsent(seed, first -> firstOf(cluster(first), GOALS));
    }

    private static Plan firstOf(ClusterState cluster, PlanGoals goals) {
        return bestOf(cluster, goals).plan(false);
    }

    private static void add(Plan plan, Set<String> moved, Set<String> movedForHeat) {
        plan.moves().forEach(move -> {
            moved.add(name(move));
            if (move.because().isHeat()) {
                movedForHeat.add(name(move));
            }
        });
    }

    private static String name(PlannedMove move) {
        return move.region().encodedName();
    }

    private static double unevenness(ClusterState cluster, Plan plan) {
        return new NaiveCosts(PlannerPropertiesTest.applied(cluster, plan), GOALS).unevenness();
    }
}
