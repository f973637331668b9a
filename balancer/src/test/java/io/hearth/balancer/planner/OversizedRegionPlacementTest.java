// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.balancer.planner;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.hearth.balancer.plan.PlanGoals;
import io.hearth.balancer.plan.PlanGoals.DimensionGoal;
import io.hearth.balancer.plan.PlanGoals.RegionCountGoal;
import io.hearth.balancer.state.Pin;
import io.hearth.common.model.LoadDimension;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Where the largest region had better be, and what no plan can beat beside it. What is fair is the mean here. */
class OversizedRegionPlacementTest {

    private static final int READS = LoadDimension.READS.ordinal();
    private static final int ANY = OversizedRegionPlacement.ANY;
    private static final PlanGoals GOALS = PlanGoals.of(Map.of(LoadDimension.READS, new DimensionGoal(200, 9, 1.1, 1)))
            .withCounts(RegionCountGoal.DEFAULT.withSlop(-1));

    private static OversizedRegionPlacement placement(SmallCluster cluster, PlanGoals goals) {
        return cluster.search(goals).oversized;
    }

    private static int host(SmallCluster cluster) {
        return placement(cluster, GOALS).of(0, READS);
    }

    @Test
    void onlyTheLargestAboveTwoThirdsOfAShareHasAPlace() {
        OversizedRegionPlacement placement =
                placement(new SmallCluster().server(70, 69, 61).server(68, 32).server(0), GOALS);
        assertThat(placement.of(0, READS)).as("70 of 100").isEqualTo(2);
        assertThat(placement.of(1, READS)).isEqualTo(ANY);
        assertThat(placement.of(3, READS)).isEqualTo(ANY);
        assertThat(placement.ofLargestOn(0, READS)).isEqualTo(2);
        assertThat(placement.ofLargestOn(1, READS)).isEqualTo(ANY);
        assertThat(placement(
                                new SmallCluster()
                                        .server(70, 69, 61)
                                        .server(68, 32)
                                        .server(0),
                                GOALS)
                        .ofLargestOn(0, READS))
                .as("asked for by its server first")
                .isEqualTo(2);
        OversizedRegionPlacement none =
                placement(new SmallCluster().server(66, 66, 68).server(66, 34).server(0), GOALS);
        assertThat(none.of(2, READS)).as("68 is more than two thirds").isNotEqualTo(ANY);
        none = placement(new SmallCluster().server(66, 66).server(66, 34).server(34, 34), GOALS);
        assertThat(none.of(0, READS)).as("66 of 100").isEqualTo(ANY);
        assertThat(none.ofLargestOn(0, READS)).isEqualTo(ANY);
    }

    /** To have 70 alone under 110 the first gives one of 60 anyway; the second would give two of 25, the third none. */
    @Test
    void itGoesWhereTheFewestMovesAreNeeded() {
        assertThat(host(new SmallCluster().server(70, 60).server(25, 25, 25, 25).server(70)))
                .as("stays, and one region goes")
                .isZero();
        assertThat(host(new SmallCluster().server(95, 30, 30, 25).server(10, 10).server(50, 50)))
                .as("three regions of a server that gives three anyway, or none of the one with 20")
                .isEqualTo(1);
    }

    @Test
    void ofServersAlikeItGoesToTheCoolest() {
        assertThat(host(new SmallCluster()
                        .server(80, 80, 80)
                        .server(30)
                        .server(20)
                        .server(60)))
                .isEqualTo(2);
        assertThat(host(new SmallCluster()
                        .server(80, 80, 80)
                        .server(20)
                        .server(30)
                        .server(60)))
                .isEqualTo(1);
        assertThat(host(new SmallCluster()
                        .server(80, 80, 80)
                        .server(20)
                        .server(20)
                        .server(60)))
                .as("of two alike the first")
                .isEqualTo(1);
    }

    /** The first server would give three regions, or two more than it gives anyway; the second gives one or two. */
    @Test
    void onlyARegionAboveAFairShareHasToLeaveATenthLess() {
        assertThat(host(new SmallCluster()
                        .server(130, 24, 23, 23)
                        .server(51)
                        .server(75)
                        .server(74)))
                .as("181 of 200 are left")
                .isZero();
        assertThat(host(new SmallCluster()
                        .server(130, 24, 23, 23)
                        .server(49)
                        .server(75)
                        .server(76)))
                .as("179 of 200 are left")
                .isEqualTo(1);
        assertThat(host(new SmallCluster()
                        .server(100, 34, 33, 33)
                        .server(95)
                        .server(55)
                        .receivingNone()
                        .server(50)
                        .receivingNone()))
                .as("of just a fair share: 195 of 200 are left")
                .isEqualTo(1);
    }

    /** Of capacities 1, 2, 1 and 1 the first is 0.8 of the mean: 85 are above its fair share. It has 1.81 shares. */
    @Test
    void whatIsAboveAFairShareGoesByTheServersCapacity() {
        assertThat(host(new SmallCluster()
                        .server(85, 20, 20, 20)
                        .server(64, 63, 63)
                        .capacity(2)
                        .server(35)
                        .receivingNone()
                        .server(30)
                        .receivingNone()))
                .as("1.72 shares are more than nine tenths")
                .isZero();
        assertThat(host(new SmallCluster()
                        .server(85, 20, 20, 20)
                        .server(58, 58, 58)
                        .capacity(2)
                        .server(41)
                        .receivingNone()
                        .server(40)
                        .receivingNone()))
                .as("1.62 shares are less")
                .isEqualTo(1);
    }

    @Test
    void itGoesNowhereWhereARuleIsAgainstItOrLittleIsGained() {
        assertThat(host(new SmallCluster().server(80, 30, 30).server(20).receivingNone()))
                .as("no target")
                .isZero();
        assertThat(placement(
                                new SmallCluster()
                                        .server(80, 80, 80)
                                        .server(20, 0, 0, 0, 0)
                                        .server(75, 0, 0, 0),
                                GOALS.withCounts(RegionCountGoal.DEFAULT.withSlop(0)))
                        .of(0, READS))
                .as("numbers of regions")
                .isZero();
        assertThat(host(new SmallCluster().server(130, 70).server(51).server(49)))
                .as("181 of 200 are not enough")
                .isEqualTo(2);
        assertThat(host(new SmallCluster().server(130, 70).server(51).server(51).server(74, 74)))
                .as("more than nine tenths are left everywhere")
                .isZero();
        assertThat(host(new SmallCluster().server(80, 30, 10).server(41).server(70, 69)))
                .as("as hot there")
                .isZero();
    }

    /** What is pinned, the hottest region with the coldest that a server may not be without, the hottest that share a server. */
    @Test
    void noPlanComesBelowThese() {
        PlanGoals counts = GOALS.withCounts(new RegionCountGoal(500, 0, 1, 0.01));
        assertThat(bound(new SmallCluster().server(40, 60).server(50, 50), GOALS))
                .isEqualTo(1);
        assertThat(bound(new SmallCluster().server(60, 60).server(60, 20), GOALS))
                .as("some server has two of 60")
                .isCloseTo(1.2, within(1e-9));
        assertThat(bound(
                        new SmallCluster()
                                .server(70)
                                .pinned(Pin.COOL_DOWN)
                                .region(60, 0)
                                .pinned(Pin.COOL_DOWN)
                                .region(10, 0)
                                .server(60),
                        GOALS))
                .as("130 are pinned there")
                .isCloseTo(1.3, within(1e-9));
        assertThat(bound(new SmallCluster().server(120, 6, 4).server(25, 25, 20), GOALS))
                .as("alone")
                .isCloseTo(1.2, within(1e-9));
        assertThat(bound(new SmallCluster().server(120, 6, 4).server(25, 25, 20), counts))
                .as("with the two coldest")
                .isCloseTo(1.3, within(1e-9));
        assertThat(bound(new SmallCluster().server(120, 30).server(25, 25), counts))
                .as("on a server of mean capacity")
                .isCloseTo(1.45, within(1e-9));
        assertThat(bound(new SmallCluster().server(120, 30).server(25, 25).capacity(3), counts))
                .as("on one of one and a half")
                .isCloseTo(1, within(1e-9));
        assertThat(bound(
                        new SmallCluster()
                                .server(120, 6, 4)
                                .server(25, 25, 20)
                                .region(0, 0)
                                .pinned(Pin.OTHER_TABLE),
                        counts))
                .as("what is not counted is none of them")
                .isCloseTo(1.3, within(1e-9));
    }

    private static double bound(SmallCluster cluster, PlanGoals goals) {
        return new PlanBounds(cluster.search(goals).simulation).lowerBound(READS);
    }

    /** As even as after these moves, no plan with fewer. */
    @Test
    void noPlanNeedsFewerMovesThanThese() {
        SearchContext context =
                new SmallCluster().server(40, 40, 40, 40).server(20, 20).search(GOALS);
        assertThat(leastMoves(context)).isZero();
        context.simulation.move(0, 1);
        assertThat(leastMoves(context)).as("120 and 80").isEqualTo(1);
        context.simulation.move(1, 1);
        assertThat(leastMoves(context)).as("80 and 120 are no more even").isEqualTo(1);
        context.simulation.move(4, 0);
        assertThat(leastMoves(context))
                .as("100 and 100: two of 40 for one of 20")
                .isEqualTo(3);
        context = new SmallCluster()
                .server(150, 20, 20, 20)
                .server(45, 45)
                .server(0)
                .search(GOALS);
        assertThat(leastMoves(context)).isZero();
        for (int region = 1; region < 4; region++) {
            context.simulation.move(region, 2);
        }
        assertThat(leastMoves(context))
                .as("the oversized region alone, to the empty server")
                .isEqualTo(1);
    }

    /** The oversized region needs a server by itself: a region of 45 goes for it, and it goes. */
    @Test
    void anOversizedRegionThatHasToBeAloneCostsWhatIsInItsWay() {
        SearchContext context =
                new SmallCluster().server(150, 20, 20, 20).server(45).server(45).search(GOALS);
        context.simulation.move(1, 1);
        context.simulation.move(2, 1);
        context.simulation.move(3, 2);

        assertThat(leastMoves(context)).isEqualTo(2);
    }

    private static int leastMoves(SearchContext context) {
        return new PlanBounds(context.simulation).leastMoves(READS);
    }
}
