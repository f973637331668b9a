// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.balancer.planner;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.hearth.balancer.plan.PlanGoals;
import io.hearth.balancer.plan.PlanGoals.DimensionGoal;
import io.hearth.balancer.plan.PlanGoals.PlanLimits;
import io.hearth.balancer.plan.PlanGoals.RegionCountGoal;
import io.hearth.balancer.planner.MoveFilters.MoveFilter;
import io.hearth.balancer.state.ClusterState;
import io.hearth.common.model.LoadDimension;
import io.hearth.common.model.TableId;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.function.IntPredicate;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The best exchange, beside trying every one. */
class SwapFinderTest {

    private static final PlanGoals GOALS = PlanGoals.of(Map.of(
                    LoadDimension.READS, new DimensionGoal(200, 1.1, 1.03, 1),
                    LoadDimension.WRITES, new DimensionGoal(100, 1.2, 1.1, 1)))
            .withCounts(RegionCountGoal.DEFAULT.withSlop(0.8))
            .withLimits(PlanLimits.DEFAULT.withMovesLeftByTable(Map.of(new TableId("t1"), 1, new TableId("t2"), 0)));

    private static final PlanGoals READS_ALONE =
            PlanGoals.of(Map.of(LoadDimension.READS, new DimensionGoal(200, 1.1, 1.03, 1)));

    private SearchContext context;
    private PlanIndex index;
    private PlanSimulation simulation;

    private record Swap(int given, int taken, int to, double net) {}

    private void search(ClusterState cluster) {
        search(cluster, GOALS);
    }

    private void search(ClusterState cluster, PlanGoals goals) {
        context = new SearchContext(cluster, goals);
        index = context.index;
        simulation = context.simulation;
    }

    @ParameterizedTest
    @ValueSource(longs = {7, 13, 16, 21, 23, 25, 28, 29, 41, 44, 46, 50, 56, 58, 59, 71, 74})
    void itIsTheBestOfAll(long seed) {
        search(RandomClusters.wild(seed));
        Random random = new Random(seed);
        for (int step = 0; step < 8; step++) {
            int from = random.nextInt(index.servers);
            int dimension = random.nextInt(2);
            double minReduction = random.nextInt(3) * 0.02;
            String where = "seed %d, step %d, server %d".formatted(seed, step, from);
            MoveFilter filter = context.filters.cool(from, dimension);
            context.destinations.list(from, dimension);
            List<Integer> hottest =
                    regions(from, dimension, filter).stream().limit(8).toList();
            IntPredicate isListed = server -> server != from && context.destinations.isListed(server);

            List<Swap> any = swaps(
                    from, dimension, minReduction, filter, regions(from, dimension, filter), server -> server != from);
            assertThatItIsTheBest(context.swaps.withAny(from, dimension, minReduction, filter), any, where);
            assertThatItIsTheBest(
                    context.swaps.from(from, dimension, minReduction, filter),
                    swaps(from, dimension, minReduction, filter, hottest, isListed),
                    where);
            if (index.regions <= 64) {
                assertThatItIsTheBest(
                        context.swaps.withColdest(from, dimension, minReduction, filter),
                        swaps(from, dimension, minReduction, filter, hottest, server -> server != from),
                        where);
            }
            if (!any.isEmpty()) {
                move(any.get(0).given(), any.get(0).to());
                move(any.get(0).taken(), from);
            }
        }
    }

    private void move(int region, int to) {
        simulation.move(region, to);
        context.rankings.moved(region, index.initialServer[region], to);
    }

    /** The regions that this server could give, the hottest first. */
    private List<Integer> regions(int from, int dimension, MoveFilter filter) {
        return IntStream.range(index.firstRegion[from], index.firstRegion[from + 1])
                .filter(region -> simulation.isMovableForHeat(region) && filter.considers(region))
                .boxed()
                .sorted(Comparator.comparingDouble((Integer region) -> -index.load(region, dimension)))
                .toList();
    }

    private List<Swap> swaps(
            int from,
            int dimension,
            double minReduction,
            MoveFilter filter,
            List<Integer> givenOnes,
            IntPredicate isTarget) {
        List<Swap> all = new ArrayList<>();
        for (int given : givenOnes) {
            for (int taken = 0; taken < index.regions; taken++) {
                int to = index.initialServer[taken];
                if (isTarget.test(to) && mayChange(given, taken, from, to, dimension, minReduction, filter)) {
                    all.add(new Swap(given, taken, to, context.scorer.netOfSwap(given, taken, from, to)));
                }
            }
        }
        return all.stream()
                .sorted(Comparator.comparingDouble(Swap::net).reversed())
                .toList();
    }

    private boolean mayChange(
            int given, int taken, int from, int to, int dimension, double minReduction, MoveFilter filter) {
        double cooler = index.load(given, dimension) - index.load(taken, dimension);
        boolean haveMoves = index.state[given].table().equals(index.state[taken].table())
                ? !index.state[given].table().name().equals("t1")
                : true;
        return simulation.isMovableForHeat(taken)
                && simulation.isCounted(given) == simulation.isCounted(taken)
                && haveMoves
                && simulation.mayBeOn(given, to)
                && simulation.mayBeOn(taken, from)
                && filter.allows(given, from, to)
                && cooler > minReduction * index.capacity[from];
    }

    private static void assertThatItIsTheBest(BestCandidate found, List<Swap> bestFirst, String where) {
        assertThat(found.isEmpty()).as(where).isEqualTo(bestFirst.isEmpty());
        if (!bestFirst.isEmpty()) {
            assertThat(found.net).as(where).isCloseTo(bestFirst.get(0).net(), within(1e-9));
            assertThat(bestFirst).as(where).anySatisfy(swap -> assertThat(swap)
                    .isEqualTo(new Swap(found.region, found.taken, found.to, swap.net()))
                    .extracting(Swap::net)
                    .isEqualTo(found.net));
        }
    }

    /** Of 150 regions those near what is wanted are tried, with the coldest and some in between. */
    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4})
    void ofServersWithManyRegionsItIsNearlyTheBest(long seed) {
        search(RandomClusters.lognormal(seed, 8, 150), READS_ALONE);
        int hot = IntStream.range(0, 8)
                .boxed()
                .max(Comparator.comparingDouble(server -> simulation.shares.share(server, 0)))
                .orElseThrow();
        MoveFilter filter = context.filters.cool(hot, 0);
        context.destinations.list(hot, 0);
        List<Integer> hottest = regions(hot, 0, filter).stream().limit(8).toList();
        List<Swap> all = swaps(hot, 0, 0.01, filter, hottest, server -> server != hot);

        BestCandidate found = context.swaps.from(hot, 0, 0.01, filter);

        assertThat(all).as("seed %d", seed).contains(new Swap(found.region, found.taken, found.to, found.net));
        assertThat(found.net)
                .as("seed %d", seed)
                .isGreaterThan(0.98 * all.get(0).net());
    }

    /** 100 regions without load are colder than the one that would do best: no more than the coldest 64 are looked at. */
    @Test
    void ofTheClustersColdestNoMoreThanSixtyFourAreTried() {
        search(new SmallCluster()
                .server(90, 70)
                .server(50)
                .regions(40, 0)
                .server(50)
                .regions(60, 0)
                .state());
        MoveFilter filter = context.filters.cool(0, 0);

        BestCandidate found = context.swaps.withColdest(0, 0, 0.01, filter);

        assertThat(index.load(found.taken, 0)).isZero();
        assertThat(found.taken).isLessThan(2 + 1 + 40 + 1 + 24);
    }
}
