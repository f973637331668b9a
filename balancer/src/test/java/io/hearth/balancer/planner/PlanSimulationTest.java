// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.balancer.planner;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.hearth.balancer.plan.PlanGoals;
import io.hearth.balancer.plan.PlanGoals.DimensionGoal;
import io.hearth.balancer.state.ClusterState;
import io.hearth.common.model.LoadDimension;
import java.util.Map;
import java.util.Random;
import java.util.stream.LongStream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class PlanSimulationTest {

    private static final PlanGoals GOALS = PlanGoals.of(Map.of(
            LoadDimension.READS, new DimensionGoal(200, 1.1, 1.03, 1),
            LoadDimension.WRITES, new DimensionGoal(100, 1.2, 1.1, 1),
            LoadDimension.STORE_SIZE, new DimensionGoal(35, 1.3, 1.2, 1e12)));

    static LongStream seeds() {
        return LongStream.rangeClosed(1, 60L * Integer.getInteger("hearth.test.repetitions", 1));
    }

    /** Whatever is moved or taken back, every incremental cost is what its definition gives. */
    @ParameterizedTest
    @MethodSource("seeds")
    void incrementalCostsEqualNaiveOnesAfterEveryStep(long seed) {
        ClusterState cluster = RandomClusters.wild(seed);
        if (cluster.servers().size() < 2 || cluster.regionCount() == 0) {
            return;
        }
        SearchContext context = new SearchContext(cluster, GOALS);
        PlanSimulation simulation = context.simulation;
        NaiveCosts naive = new NaiveCosts(cluster, GOALS);
        Random random = new Random(seed);
        for (int step = 0; step < 60; step++) {
            String where = "seed " + seed + " step " + step;
            int region = random.nextInt(context.index.regions);
            int from = simulation.serverOf[region];
            boolean isUndo = from != context.index.initialServer[region];
            int to = isUndo ? context.index.initialServer[region] : random.nextInt(context.index.servers);
            if (from == to) {
                continue;
            }
            double heatGain = context.scorer.giveHeat(region, from) + context.scorer.takeHeat(region, to);
            double tableGain = simulation.tables.gain(region, from, to);
            double heatBefore = naive.unevenness();
            double tablesBefore = naive.tableUnevenness();
            naive.move(context.index.state[region], from, to);
            if (isUndo) {
                simulation.undo(region);
            } else {
                simulation.move(region, to);
            }
            // A difference of two sums is as exact as they are: beside a region of a thousand times the heat they are
            // large.
            assertThat(heatGain)
                    .as(where)
                    .isCloseTo(heatBefore - naive.unevenness(), within(Math.max(1e-6, 1e-12 * heatBefore)));
            assertThat(tableGain).as(where).isCloseTo(tablesBefore - naive.tableUnevenness(), within(1e-6));
            agree(where, simulation, naive);
        }
    }

    private static void agree(String where, PlanSimulation simulation, NaiveCosts naive) {
        for (LoadDimension dimension : LoadDimension.values()) {
            int number = dimension.ordinal();
            assertThat(simulation.index.overMean(simulation.shares.maxOverMean(number), number))
                    .as(where)
                    .isCloseTo(naive.maxOverMean(dimension), within(1e-9));
        }
        assertThat(simulation.countByServer).as(where).isEqualTo(naive.counts());
        assertThat(simulation.countImbalance()).as(where).isCloseTo(naive.countImbalance(), within(1e-9));
        assertThat(simulation.tables.unevenness()).as(where).isCloseTo(naive.tableUnevenness(), within(1e-9));
    }
}
