// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.balancer.planner;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.hearth.balancer.plan.Objective;
import io.hearth.balancer.plan.PlanGoals;
import io.hearth.balancer.plan.PlanGoals.DimensionGoal;
import io.hearth.balancer.plan.PlanGoals.RegionCountGoal;
import io.hearth.balancer.plan.PlannedMove.MoveScore;
import io.hearth.balancer.state.ClusterState;
import io.hearth.balancer.state.Pin;
import io.hearth.common.model.LoadDimension;
import java.util.Map;
import java.util.Random;
import org.assertj.core.data.Offset;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What a move gains, beside the difference of the costs before and after it. */
class MoveScorerTest {

    private static final PlanGoals GOALS = PlanGoals.of(Map.of(
            LoadDimension.READS, new DimensionGoal(200, 1.1, 1.03, 1),
            LoadDimension.STORE_SIZE, new DimensionGoal(35, 1.3, 1.2, 1)));
    private static final Offset<Double> EXACT = within(1e-6);

    @ParameterizedTest
    @ValueSource(longs = {7, 13, 16, 25})
    void theNetGainIsTheSumOfItsPartsAndOfAnExchangeThatOfBothMoves(long seed) {
        ClusterState cluster = RandomClusters.wild(seed);
        SearchContext context = new SearchContext(cluster, GOALS);
        PlanIndex index = context.index;
        MoveScorer scorer = context.scorer;
        Random random = new Random(seed);
        for (int step = 0; step < 20; step++) {
            String where = "seed %d, step %d".formatted(seed, step);
            int given = random.nextInt(index.regions);
            int from = index.initialServer[given];
            int taken = random.nextInt(index.regions);
            int to = index.initialServer[taken];
            scorer.giveCountsFullWeight(random.nextBoolean());
            if (from == to) {
                continue;
            }
            NaiveCosts naive = new NaiveCosts(cluster, GOALS);
            double before = naive.unevenness() + naive.tableUnevenness();
            naive.move(index.state[given], from, to);
            double after = naive.unevenness() + naive.tableUnevenness();
            MoveScore score = scorer.score(given, from, to);
            double net = before - after + scorer.countGain(given, from, to) - scorer.cost(given, to);

            assertThat(scorer.net(given, from, to)).as(where).isCloseTo(net, EXACT);
            assertThat(score.net()).as(where).isCloseTo(net, EXACT);
            assertThat(score.cost()).as(where).isCloseTo(scorer.cost(given, to), EXACT);
            naive.move(index.state[taken], to, from);
            double swapped = naive.unevenness() + naive.tableUnevenness();
            assertThat(scorer.netOfSwap(given, taken, from, to))
                    .as(where)
                    .isCloseTo(before - swapped - scorer.cost(given, to) - scorer.cost(taken, from), EXACT);
        }
    }

    @Test
    void everyPartHasItsSign() {
        SearchContext context = new SmallCluster()
                .server()
                .region(30, 0)
                .bytes(100, Map.of(0, 80L))
                .region(30, 0)
                .region(30, 0)
                .server(30)
                .search(GOALS);
        MoveScore score = context.scorer.score(0, 0, 1);

        assertThat(score.gain(Objective.READS)).isPositive();
        assertThat(score.gain(Objective.BYTES_TO_HEAL)).isNegative();
        assertThat(score.gain(Objective.COLD_CACHE)).isNegative();
        assertThat(score.gain(Objective.UNAVAILABILITY)).isNegative();
        assertThat(score.bytesToHeal()).hasValue(80);
        assertThat(score.gainByObjective())
                .as("of dimensions that count, and the others")
                .containsOnlyKeys(
                        Objective.READS,
                        Objective.REGION_COUNT,
                        Objective.TABLE_SKEW,
                        Objective.BYTES_TO_HEAL,
                        Objective.COLD_CACHE,
                        Objective.UNAVAILABILITY);
    }

    /** A mean of 10, and by the goal of 0.05 a server may be one region away from it. */
    @ParameterizedTest
    @ValueSource(ints = {6, 8, 9, 10, 11, 12, 14})
    void numbersCountByTheirDistanceFromTheMean(int first) {
        RegionCountGoal counts = new RegionCountGoal(500, 1, 0.1, 0.05);
        int[] count = {first, 10, 10, 40 - 20 - first};
        SmallCluster cluster = new SmallCluster();
        for (int ofServer : count) {
            cluster.server().regions(ofServer, 1);
        }
        SearchContext context = cluster.search(GOALS.withCounts(counts));
        double price = 0.2;
        double free = 0.05 * 10 * 2;
        for (int from = 0; from < 4; from++) {
            for (int to = 0; to < 4; to++) {
                int region = context.index.firstRegion[from];
                int[] after = count.clone();
                after[from]--;
                after[to]++;
                if (from != to) {
                    String where = from + " to " + to;
                    context.scorer.giveCountsFullWeight(false);
                    assertThat(context.scorer.countGain(region, from, to))
                            .as(where)
                            .isCloseTo((tooFar(count, free) - tooFar(after, free)) / 2 * price, EXACT);
                    context.scorer.giveCountsFullWeight(true);
                    assertThat(context.scorer.countGain(region, from, to))
                            .as(where)
                            .isCloseTo(500 * (squares(count) - squares(after)), EXACT);
                }
            }
        }
    }

    private static double tooFar(int[] counts, double free) {
        double sum = 0;
        for (int count : counts) {
            sum += Math.max(0, Math.abs(count - 10) - free);
        }
        return sum;
    }

    private static double squares(int[] counts) {
        double sum = 0;
        for (int count : counts) {
            sum += (count / 10.0 - 1) * (count / 10.0 - 1);
        }
        return sum;
    }

    @Test
    void numbersDoNotCountWhereTheyDoNotMatterOrTheRegionIsNotCounted() {
        SmallCluster cluster = new SmallCluster()
                .server(1, 1, 1, 1)
                .region(1, 0)
                .pinned(Pin.OTHER_TABLE)
                .server();
        SearchContext context = cluster.search(GOALS);
        SearchContext without = cluster.search(GOALS.withCounts(RegionCountGoal.DEFAULT.withSlop(-1)));
        context.scorer.giveCountsFullWeight(true);
        without.scorer.giveCountsFullWeight(true);

        assertThat(context.scorer.countGain(0, 0, 1)).isPositive();
        assertThat(context.scorer.countGain(4, 0, 1)).isZero();
        assertThat(without.scorer.countGain(0, 0, 1)).isZero();
    }

    /** Half a region from the mean is as even as it can be: of 3 on two servers one has 2. */
    @Test
    void halfARegionIsNeverTooFar() {
        SearchContext context =
                new SmallCluster().server(1, 1).server(1).search(GOALS.withCounts(new RegionCountGoal(500, 1, 0.1, 0)));

        assertThat(context.scorer.countGain(0, 0, 1)).isZero();
        assertThat(context.scorer.countGain(2, 1, 0)).isCloseTo(-0.2, EXACT);
    }
}
