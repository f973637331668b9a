// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.balancer.planner;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.hearth.balancer.plan.PlanGoals;
import io.hearth.balancer.plan.PlanGoals.DimensionGoal;
import io.hearth.balancer.plan.PlanGoals.RegionCountGoal;
import io.hearth.common.model.LoadDimension;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What a move gains at most, beside what each move gains. */
class MoveGainBoundTest {

    private static final PlanGoals GOALS = PlanGoals.of(Map.of(
                    LoadDimension.READS, new DimensionGoal(200, 1.1, 1.03, 1),
                    LoadDimension.WRITES, new DimensionGoal(100, 1.2, 1.1, 1)))
            .withCounts(RegionCountGoal.DEFAULT);

    @ParameterizedTest
    @ValueSource(longs = {7, 13, 16, 21, 23, 25, 27, 28, 29, 41})
    void noMoveGainsMore(long seed) {
        SearchContext context = new SearchContext(RandomClusters.wild(seed), GOALS);
        Random random = new Random(seed);
        for (int step = 0; step < 10; step++) {
            int from = random.nextInt(context.index.servers);
            assertThatNoMoveGainsMore(from, context, random, "seed %d, step %d".formatted(seed, step));
            moveAny(context, random);
        }
    }

    /** A sum with a term of a billion is only as exact as that term. */
    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10})
    void roundingHidesNoMoveOfARegionOfThousandsOfFairShares(long seed) {
        Random random = new Random(seed);
        SearchContext context = withHotRegions(random).search(GOALS);
        for (int server = 0; server < context.index.servers; server++) {
            assertThatNoMoveGainsMore(server, context, random, "seed %d".formatted(seed));
        }
    }

    private static void assertThatNoMoveGainsMore(int from, SearchContext context, Random random, String where) {
        MoveGainBound bound = new MoveGainBound(context.simulation, context.scorer, context.destinations);
        context.scorer.giveCountsFullWeight(random.nextBoolean());
        context.destinations.list(from, random.nextInt(2));
        bound.readAllBut(from);
        for (int region = context.index.firstRegion[from]; region < context.index.firstRegion[from + 1]; region++) {
            if (context.simulation.wasMoved(region)) {
                continue;
            }
            double giveHeat = context.scorer.giveHeat(region, from);
            bound.readDestinations();
            double mostListed = bound.most(region, from, giveHeat);
            double mostWithoutBytes = bound.mostWithoutBytes(region, from, giveHeat);
            double mostAnywhere = bound.mostAnywhere(region, from, giveHeat);
            for (int to = 0; to < context.index.servers; to++) {
                if (to == from || !context.index.mayTake[to]) {
                    continue;
                }
                String move = "%s, region %d to server %d".formatted(where, region, to);
                double net = context.scorer.net(region, from, to);
                assertThat(net).as(move).isLessThanOrEqualTo(mostAnywhere);
                if (context.destinations.isListed(to)) {
                    assertThat(net).as(move).isLessThanOrEqualTo(mostListed);
                    assertThat(hasBytes(context, region, to) || net <= mostWithoutBytes)
                            .as(move)
                            .isTrue();
                }
                bound.readDestination(to);
                assertThat(net).as(move).isLessThanOrEqualTo(bound.most(region, from, giveHeat));
            }
        }
    }

    private static boolean hasBytes(SearchContext context, int region, int server) {
        String host = context.index.snapshot.serverId(server).host();
        return context.index.state[region].bytesByHost().on(host).orElse(0) > 0;
    }

    private static void moveAny(SearchContext context, Random random) {
        int region = random.nextInt(context.index.regions);
        int to = random.nextInt(context.index.servers);
        if (!context.simulation.wasMoved(region) && to != context.simulation.serverOf[region]) {
            context.simulation.move(region, to);
            context.rankings.moved(region, context.index.initialServer[region], to);
        }
    }

    /** Five of sixty servers have a region with millions of times the load of the others, which are alike, so that the bound is tight. */
    private static SmallCluster withHotRegions(Random random) {
        SmallCluster cluster = new SmallCluster();
        for (int server = 0; server < 60; server++) {
            boolean isHot = server < 5;
            cluster.server().region(isHot ? 1e9 * random.nextDouble() : 1, isHot ? random.nextDouble() : 1);
        }
        return cluster;
    }

    @Test
    void ofOneDestinationItIsWhatTheMoveGains() {
        SearchContext context =
                new SmallCluster().server(40, 30, 20).server(10).capacity(2).search(GOALS);
        MoveGainBound bound = new MoveGainBound(context.simulation, context.scorer, context.destinations);
        context.destinations.list(0, 0);
        bound.readDestinations();

        for (int region = 0; region < 3; region++) {
            assertThat(bound.most(region, 0, context.scorer.giveHeat(region, 0)))
                    .isCloseTo(context.scorer.net(region, 0, 1), within(1e-6));
        }
    }

    @Test
    void withoutADestinationNothingIsGained() {
        SearchContext context = new SmallCluster().server(40, 30, 20).search(GOALS);
        MoveGainBound bound = new MoveGainBound(context.simulation, context.scorer, context.destinations);
        context.destinations.list(0, 0);
        bound.readDestinations();

        assertThat(bound.most(0, 0, 1)).isEqualTo(Double.NEGATIVE_INFINITY);
    }
}
