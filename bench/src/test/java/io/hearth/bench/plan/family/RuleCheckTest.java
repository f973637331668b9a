// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.bench.plan.family;

import static org.assertj.core.api.Assertions.assertThat;

import io.hearth.balancer.plan.PlanGoals;
import io.hearth.balancer.plan.PlanGoals.RegionCountGoal;
import io.hearth.balancer.state.ClusterState;
import io.hearth.common.model.LoadVector;
import io.hearth.sim.oracle.RuleCheck;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;

class RuleCheckTest {

    private static final LoadVector LOAD = LoadVector.ofReads(1);

    private static ClusterState replicas(String rackOfB, String rackOfC) {
        return new HandMadeCluster()
                .server("a", "/1", 1)
                .region("p", "p", LOAD)
                .server("b", rackOfB, 1)
                .region("p1", "p", LOAD)
                .server("c", rackOfC, 1)
                .region("x", "x", LOAD)
                .state();
    }

    @Test
    void replicasApartAreNoProblem() {
        ClusterState apart = replicas("/2", "/1");
        assertThat(RuleCheck.problems(apart, apart, HandMadeCluster.READS)).isEmpty();
    }

    @Test
    void replicasOnOneRackAreAProblemWhereThereAreRacksEnough() {
        ClusterState together = replicas("/1", "/2");
        assertThat(RuleCheck.problems(together, together, HandMadeCluster.READS))
                .containsExactly("1 regions have replicas on one rack");

        ClusterState oneRack = replicas("/1", "/1");
        assertThat(RuleCheck.problems(oneRack, oneRack, HandMadeCluster.READS)).isEmpty();
    }

    @Test
    void replicasOnOneHostAreAProblem() {
        ClusterState together = new HandMadeCluster()
                .server("a")
                .region("p", "p", LOAD)
                .region("p1", "p", LOAD)
                .server("b", 1, 1)
                .state();
        assertThat(RuleCheck.problems(together, together, HandMadeCluster.READS))
                .containsExactly("1 regions have replicas on one host");
    }

    @Test
    void numbersOutsideSlopAreAProblem() {
        ClusterState uneven = new HandMadeCluster()
                .server("a", 1, 1, 1, 1, 1, 1, 1)
                .server("b", 1, 1, 1)
                .state();
        assertThat(RuleCheck.problems(uneven, uneven, HandMadeCluster.READS))
                .containsExactly("a has 7 regions, outside 4 to 6", "b has 3 regions, outside 4 to 6");
    }

    /** Three servers; the last two have eight regions of these reads in all. Six are the mean, and slop allows four to eight. */
    private static HandMadeCluster besideTwoOf(double first, double second, double... reads) {
        return new HandMadeCluster()
                .server("a", reads)
                .server("b", eight(first))
                .server("c", eight(second));
    }

    private static double[] eight(double reads) {
        double[] all = new double[8];
        Arrays.fill(all, reads / 8);
        return all;
    }

    private static List<String> problems(ClusterState standing) {
        return RuleCheck.problems(standing, standing, HandMadeCluster.READS);
    }

    /** Two more regions of the first server have gone to the two others. */
    private static List<String> problemsAfterTwoLeft(double... ofFirst) {
        ClusterState before = new HandMadeCluster()
                .server("a", ofFirst)
                .region("x", "x", LOAD)
                .region("y", "y", LOAD)
                .server("b", 1, 1, 1, 1, 1, 1, 1)
                .server("c", 1, 1, 1, 1, 1, 1, 1)
                .state();
        ClusterState after = new HandMadeCluster()
                .server("a", ofFirst)
                .server("b", 1, 1, 1, 1, 1, 1, 1)
                .region("x", "x", LOAD)
                .server("c", 1, 1, 1, 1, 1, 1, 1)
                .region("y", "y", LOAD)
                .state();
        return RuleCheck.problems(before, after, HandMadeCluster.READS);
    }

    /** A fair share is 8. */
    @Test
    void besideTwoThirdsOfAFairShareAServerMayHaveFewRegions() {
        assertThat(problemsAfterTwoLeft(7, 1)).isEmpty();
    }

    /** Broken (one large region in the cluster lets every server have few): the server with two regions is no problem. */
    @Test
    void aServerWithoutALargeRegionMayNotHaveFewBecauseAnotherHasOne() {
        HandMadeCluster cluster = new HandMadeCluster()
                .server("a", 1, 1)
                .server("b", 7, 1, 1, 1, 1, 1, 1, 1)
                .server("c", eight(8));

        assertThat(problems(cluster.state())).containsExactly("a has 2 regions, outside 4 to 8");
    }

    /** 0.63 and 0.49 of a fair share of 8; then 0.65 of 6.9, which is too little for a server that had four regions. */
    @Test
    void aServerThatHadFewMayHaveThemWhileItsRegionHasHalfOfAFairShare() {
        assertThat(problems(besideTwoOf(9, 9, 5, 1).state())).isEmpty();
        assertThat(problems(besideTwoOf(9, 9.2, 3.9, 1.9).state())).containsExactly("a has 2 regions, outside 4 to 8");
        assertThat(problemsAfterTwoLeft(4.5, 0.2)).containsExactly("a has 2 regions, outside 4 to 8");
    }

    @Test
    void noServerMayHaveFewWhereNumbersAreNotHearthsToEven() {
        ClusterState standing = besideTwoOf(8, 8, 7, 1).state();
        PlanGoals countsOfStock = HandMadeCluster.READS.withCounts(new RegionCountGoal(500, 0.2, 1, 0.01));

        assertThat(problems(standing)).isEmpty();
        assertThat(RuleCheck.problems(standing, standing, countsOfStock))
                .containsExactly("a has 2 regions, outside 4 to 8");
    }

    /** The mean is 11, of which 5 is less than half; without what no move can spread 6.55 is fair. */
    @Test
    void whatIsFairIsMeasuredWithoutTheExcessOfAnOversizedRegion() {
        HandMadeCluster cluster = new HandMadeCluster()
                .server("a", 5, 1)
                .server("b", 20, 0.1, 0.1, 0.1, 0.1, 0.1, 0.1, 0.1)
                .server("c", eight(6.4));

        assertThat(problems(cluster.state())).isEmpty();
    }

    @Test
    void aServerThatTakesNoRegionsMayKeepAsFewAsItHas() {
        ClusterState before = new HandMadeCluster()
                .serverReceivingNone("a", 1, 1)
                .region("x", "x", LOAD)
                .server("b", eight(8))
                .server("c", 1, 1, 1, 1, 1, 1, 1)
                .state();
        ClusterState after = new HandMadeCluster()
                .serverReceivingNone("a", 1, 1)
                .server("b", eight(8))
                .server("c", 1, 1, 1, 1, 1, 1, 1)
                .region("x", "x", LOAD)
                .state();

        assertThat(problems(before)).isEmpty();
        assertThat(RuleCheck.problems(before, after, HandMadeCluster.READS))
                .containsExactly("a has 2 regions, outside 3 to 8");
    }

    @Test
    void aRegionThatIsLostIsAProblem() {
        ClusterState before =
                new HandMadeCluster().server("a", 1, 1).server("b", 1).state();
        ClusterState after = new HandMadeCluster().server("a", 1).server("b", 1).state();
        assertThat(RuleCheck.problems(before, after, HandMadeCluster.READS))
                .containsExactly("the regions are not the same before and after");
    }
}
