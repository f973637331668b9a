// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.balancer.planner;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.hearth.balancer.plan.PlanGoals;
import io.hearth.balancer.plan.PlanGoals.DimensionGoal;
import io.hearth.balancer.plan.PlanGoals.RegionCountGoal;
import io.hearth.balancer.state.ClusterState;
import io.hearth.balancer.state.Pin;
import io.hearth.common.model.LoadDimension;
import java.util.Map;
import org.junit.jupiter.api.Test;

class PlanIndexTest {

    private static final int READS = LoadDimension.READS.ordinal();
    private static final int WRITES = LoadDimension.WRITES.ordinal();
    private static final int STORE_SIZE = LoadDimension.STORE_SIZE.ordinal();

    private static PlanIndex index(SmallCluster cluster, Map<LoadDimension, DimensionGoal> goals) {
        return new PlanIndex(cluster.state(), PlanGoals.of(goals));
    }

    private static DimensionGoal goal(double weight, double minMean) {
        return new DimensionGoal(weight, 1.5, 1.1, minMean);
    }

    /** The mean is 30; capacities of 1 and 3 are half the mean one and one and a half. */
    @Test
    void loadsAreInMultiplesOfTheMeanAndSharesOfWhatIsFairForTheServer() {
        PlanIndex index = index(
                new SmallCluster().server(30, 10).server(20).capacity(3).receivingNone(),
                Map.of(LoadDimension.READS, goal(200, 1)));

        assertThat(index.firstRegion).containsExactly(0, 2, 3);
        assertThat(index.regionsOn(0)).isEqualTo(2);
        assertThat(index.regionsOn(1)).isEqualTo(1);
        assertThat(index.initialServer).containsExactly(0, 0, 1);
        assertThat(index.capacity).containsExactly(0.5, 1.5);
        assertThat(index.mayTake).containsExactly(true, false);
        assertThat(index.load(0, READS)).isCloseTo(1, within(1e-12));
        assertThat(index.load(1, READS)).isCloseTo(1 / 3.0, within(1e-12));
        assertThat(index.load(2, READS)).isCloseTo(2 / 3.0, within(1e-12));
        assertThat(index.share[READS]).isCloseTo(40 / 30.0 / 0.5, within(1e-12));
        assertThat(index.share[PlanIndex.DIMENSIONS + READS]).isCloseTo(20 / 30.0 / 1.5, within(1e-12));
        assertThat(index.target[READS]).isEqualTo(1.1);
        assertThat(index.middle[READS]).isEqualTo(1.3);
        assertThat(fairOverMean(index, READS)).isEqualTo(1);
    }

    @Test
    void anotherGoalForNumbersOfRegionsChangesNothingElse() {
        ClusterState cluster = RandomClusters.wild(25);
        PlanGoals goals = PlanGoals.of(Map.of(LoadDimension.READS, goal(200, 1), LoadDimension.WRITES, goal(300, 1)));
        RegionCountGoal anyNumber = goals.counts().withSlop(-1);

        assertThat(new PlanIndex(cluster, goals).withCounts(anyNumber))
                .usingRecursiveComparison()
                .isEqualTo(new PlanIndex(cluster, goals.withCounts(anyNumber)));
    }

    @Test
    void aDimensionWithoutLoadOrGoalIsEvenAndDoesNotCount() {
        PlanIndex index = index(
                new SmallCluster().server().region(10, 4).server(20),
                Map.of(LoadDimension.READS, goal(200, 1), LoadDimension.STORE_SIZE, goal(100, 0)));

        assertThat(index.counts(READS)).isTrue();
        assertThat(index.counts(WRITES)).as("no goal").isFalse();
        assertThat(index.counts(STORE_SIZE)).as("no load").isFalse();
        assertThat(index.share[STORE_SIZE]).isEqualTo(1);
        assertThat(index.load(0, STORE_SIZE)).isZero();
        assertThat(fairOverMean(index, STORE_SIZE)).isEqualTo(1);
        assertThat(index.load(0, WRITES)).as("of a mean of 2").isEqualTo(2);
        assertThat(index.share[WRITES]).isEqualTo(2);
        assertThat(index.target[WRITES]).isInfinite();
        assertThat(index.middle[WRITES]).isInfinite();
    }

    @Test
    void aDimensionCountsFromItsLeastMeanOn() {
        SmallCluster cluster = new SmallCluster().server(10).server(20);

        assertThat(index(cluster, Map.of(LoadDimension.READS, goal(200, 15))).counts(READS))
                .isTrue();
        assertThat(index(cluster, Map.of(LoadDimension.READS, goal(200, 15.1))).counts(READS))
                .isFalse();
        assertThat(index(cluster, Map.of(LoadDimension.READS, goal(0, 0))).counts(READS))
                .isFalse();
    }

    @Test
    void theHeaviestDimensionIsTheFirstOfTheLargestWeight() {
        SmallCluster cluster = new SmallCluster().server().region(10, 10).server(20);

        assertThat(index(cluster, Map.of(LoadDimension.READS, goal(1, 0), LoadDimension.WRITES, goal(2, 0))).heaviest)
                .isEqualTo(WRITES);
        assertThat(index(cluster, Map.of(LoadDimension.READS, goal(2, 0), LoadDimension.WRITES, goal(2, 0))).heaviest)
                .isEqualTo(READS);
        assertThat(index(cluster, Map.of(LoadDimension.READS, goal(1, 0), LoadDimension.WRITES, goal(2, 99))).heaviest)
                .as("there are too few writes")
                .isEqualTo(READS);
    }

    /** 2 servers, the one with a region that is scanned: what is fair is what the other has, not the mean of 505. */
    @Test
    void whatNoMoveCanSpreadIsNotPartOfAFairShare() {
        SmallCluster scanned = new SmallCluster().server(1000).server(10);
        SmallCluster otherTables =
                new SmallCluster().server(1000).pinned(Pin.OTHER_TABLE).server(10);
        Map<LoadDimension, DimensionGoal> goals = Map.of(LoadDimension.READS, goal(200, 1));

        PlanIndex index = index(scanned, goals);
        assertThat(fairOverMean(index, READS)).isCloseTo(10 / 505.0, within(1e-12));
        assertThat(index.share[PlanIndex.DIMENSIONS + READS]).isCloseTo(1, within(1e-12));
        assertThat(index.load(0, READS)).isCloseTo(100, within(1e-9));
        assertThat(index.overMean(100, READS)).as("as an operator sees it").isCloseTo(1000 / 505.0, within(1e-9));
        assertThat(index.overMean(1, READS)).as("no less than the mean").isEqualTo(1);
        assertThat(fairOverMean(index(otherTables, goals), READS))
                .as("many regions of other tables, by table")
                .isEqualTo(1);
        assertThat(fairOverMean(index(scanned, Map.of()), READS)).as("no goal").isEqualTo(1);
    }

    /** What is fair for a mean server, in multiples of the mean. */
    private static double fairOverMean(PlanIndex index, int dimension) {
        double large = 1 << 20;
        return index.overMean(large, dimension) / large;
    }
}
