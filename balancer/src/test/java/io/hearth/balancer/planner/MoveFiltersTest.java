// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.balancer.planner;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.hearth.balancer.plan.PlanGoals;
import io.hearth.balancer.plan.PlanGoals.DimensionGoal;
import io.hearth.balancer.plan.PlanGoals.RegionCountGoal;
import io.hearth.balancer.plan.PlanGoals.TableGoal;
import io.hearth.balancer.planner.MoveFilters.MoveFilter;
import io.hearth.balancer.state.Pin;
import io.hearth.common.model.LoadDimension;
import java.util.Map;
import org.assertj.core.data.Offset;
import org.junit.jupiter.api.Test;

/** Which moves come into question, on clusters of a few regions. A mean of 100 reads, a target of 1.1, a trigger of 1.5. */
class MoveFiltersTest {

    private static final int READS = LoadDimension.READS.ordinal();
    private static final int WRITES = LoadDimension.WRITES.ordinal();
    private static final Offset<Double> EXACT = within(1e-9);
    private static final PlanGoals GOALS = PlanGoals.of(
                    Map.of(LoadDimension.READS, new DimensionGoal(200, 1.5, 1.1, 1)))
            .withCounts(RegionCountGoal.DEFAULT.withSlop(-1));

    @Test
    void coolingNeedsALoadAndACoolerTarget() {
        SearchContext context = new SmallCluster()
                .server(60, 60, 40, 0, 0.2)
                .server(100)
                .server(39.8)
                .search(GOALS);
        MoveFilter cool = context.filters.cool(0, READS);

        assertThat(cool.kind()).isEqualTo(READS);
        assertThat(context.filters.cool(0, WRITES).kind()).isEqualTo(WRITES);
        assertThat(cool.considers(0)).isTrue();
        assertThat(cool.considers(3)).as("without load").isFalse();
        assertThat(cool.considers(4)).as("less than 0.003 of a fair share").isFalse();
        assertThat(cool.allows(0, 0, 2)).isTrue();
        assertThat(cool.allows(0, 0, 1)).as("160.0 where 160.2 were").isTrue();
        context.simulation.move(6, 1);
        assertThat(cool.allows(2, 0, 1)).as("179.8").isFalse();
    }

    @Test
    void besideAnOversizedRegionAnyLoadCoolsButNotNone() {
        MoveFilter cool = new SmallCluster()
                .server(150, 0.01, 0)
                .server(49.99)
                .search(GOALS)
                .filters
                .cool(0, READS);

        assertThat(cool.considers(1)).isTrue();
        assertThat(cool.considers(2)).as("without load").isFalse();
    }

    /** A region above a fair share goes only to where a tenth less is left of the hot spot. */
    @Test
    void anOversizedRegionGoesWhereAtLeastATenthIsGained() {
        PlanGoals goals = PlanGoals.of(Map.of(LoadDimension.READS, new DimensionGoal(200, 5, 1.1, 1)))
                .withCounts(GOALS.counts());
        SearchContext context = new SmallCluster()
                .server(120, 80)
                .server(59.9)
                .server(60.1)
                .server(80)
                .search(goals);
        MoveFilter cool = context.filters.cool(0, READS);

        assertThat(context.oversized.of(0, READS))
                .as("better beside nothing else")
                .isEqualTo(1);
        assertThat(cool.allows(0, 0, 1)).isTrue();
        assertThat(cool.allows(0, 0, 2)).isFalse();
    }

    /** The mean is 136.67, and a server of capacity 2 counts as 1.2: it has 1.95 shares, and one of its regions 0.73. */
    @Test
    void sharesGoByTheServersCapacity() {
        SearchContext context = new SmallCluster()
                .server(0.55, 0.35, 119.1, 125, 75)
                .capacity(2)
                .server(60)
                .capacity(2)
                .server(30)
                .search(GOALS);
        MoveFilter cool = context.filters.cool(0, READS);

        assertThat(cool.considers(0)).as("0.0034 of a share").isTrue();
        assertThat(cool.considers(1)).as("0.0021 of a share").isFalse();
        assertThat(cool.allows(2, 0, 2)).as("1.82 shares there, less than 1.95").isTrue();
    }

    @Test
    void whatIsTooLittleToCoolAServer() {
        assertThat(reduction(new SmallCluster().server(150, 50).server(0)))
                .as("one region of one and a half shares: any less will do")
                .isZero();
        PlanGoals goals = PlanGoals.of(Map.of(LoadDimension.READS, new DimensionGoal(200, 9, 1.1, 1)))
                .withCounts(GOALS.counts());
        SearchContext twoShares =
                new SmallCluster().server(250, 50).server(0).server(0).search(goals);
        assertThat(twoShares.filters.minReduction(0, READS))
                .as("one region of two and a half shares: a sixth less is worth having")
                .isZero();
        SearchContext beyondHelp =
                new SmallCluster().server(350, 50).server(0).server(0).server(0).search(goals);
        assertThat(beyondHelp.filters.minReduction(0, READS))
                .as("a fiftieth of what a server beyond help has")
                .isCloseTo(0.02 * 4, EXACT);
        assertThat(reduction(new SmallCluster().server(60, 60, 60).server(20))).isEqualTo(0.003);
        assertThat(reduction(new SmallCluster().server(50, 50, 10.4).server(89.6)))
                .as("a quarter of what it has above its target")
                .isCloseTo(0.004 / 4, EXACT);
        assertThat(reduction(new SmallCluster().server().regions(500, 0.3).server(50)))
                .as("half of a usual region")
                .isCloseTo(1.5 / 500 / 2, EXACT);
        assertThat(reduction(new SmallCluster().server(90).regions(50, 0.5).server(85)))
                .as("half of a usual region of those beside one that is most of a share")
                .isCloseTo(0.25 / 50 / 2, EXACT);
        assertThat(reduction(new SmallCluster()
                        .server(100)
                        .pinned(Pin.OTHER_TABLE)
                        .region(40, 0)
                        .server(60)))
                .as("a quarter, of a server with one region that counts")
                .isEqualTo(0.003);
    }

    @Test
    void beyondHelpIsAServerWithARegionOfMoreThanThreeFairShares() {
        PlanGoals goals = PlanGoals.of(Map.of(LoadDimension.READS, new DimensionGoal(200, 9, 1.1, 1)))
                .withCounts(GOALS.counts());
        SearchContext context =
                new SmallCluster().server(350).server(25).server(25).server(0).search(goals);

        assertThat(context.filters.isBeyondHelp(0)).isTrue();
        assertThat(context.filters.isBeyondHelp(1)).isFalse();
    }

    private static double reduction(SmallCluster cluster) {
        return cluster.search(GOALS).filters.minReduction(0, READS);
    }

    /** The middle of target and trigger is 1.3. */
    @Test
    void numbersAreEvenedWhereNoServerBecomesTooHot() {
        SearchContext context = new SmallCluster()
                .server(30, 31, 0.5, 0, 38.5)
                .region(0, 0)
                .pinned(Pin.OTHER_TABLE)
                .server(100)
                .server(0, 70, 10, 20)
                .server(60, 40)
                .search(GOALS);
        MoveFilter even = context.filters.evenCounts();

        assertThat(even.kind()).isEqualTo(MoveFilter.COUNTS);
        assertThat(even.considers(0)).isTrue();
        assertThat(even.considers(5)).as("not one of this run").isFalse();
        assertThat(even.allows(0, 0, 1)).as("1.3").isTrue();
        assertThat(even.allows(1, 0, 1)).as("1.31").isFalse();
        assertThat(even.allows(3, 0, 2))
                .as("5 and 4 regions are as even as can be")
                .isFalse();
        assertThat(even.allows(3, 0, 3)).as("5 and 2").isTrue();
    }

    @Test
    void aRegionOfAHundredthOfAShareDoesNoHarmOnAHotServer() {
        SmallCluster few =
                new SmallCluster().server(0.99, 1.01, 0, 0).server(75, 75).server(148);
        MoveFilter even = few.search(GOALS).filters.evenCounts();

        assertThat(even.allows(0, 0, 1)).isTrue();
        assertThat(even.allows(1, 0, 1)).isFalse();
        assertThat(even.allows(2, 0, 1)).isTrue();
        SmallCluster oversized = new SmallCluster()
                .server(0.5, 0)
                .regions(3, 0)
                .server(60, 43)
                .server(150, 16)
                .server(45, 80.5);
        even = oversized.search(GOALS).filters.evenCounts();
        assertThat(even.allows(0, 0, 2))
                .as("beside a region above a fair share")
                .isFalse();
        assertThat(even.allows(1, 0, 2)).isTrue();
        // 400 regions of a server are twice the usual number, so that a quarter of that is harmless.
        SmallCluster twice = new SmallCluster()
                .server(0.24, 0.26)
                .regions(798, 0)
                .server(75, 75)
                .regions(398, 0)
                .server(149.5)
                .regions(399, 0)
                .server(100)
                .pinned(Pin.OTHER_TABLE);
        even = twice.search(GOALS).filters.evenCounts();
        assertThat(even.allows(0, 0, 1)).isTrue();
        assertThat(even.allows(1, 0, 1)).isFalse();
    }

    /** A server of capacity 2 counts as 1.5, and has 1.33 shares: of it 1.2 and 1.8 reads are 0.008 and 0.012. */
    @Test
    void whatIsHarmlessGoesByTheServersCapacity() {
        MoveFilter even = new SmallCluster()
                .server(1.2, 1.8, 0, 0, 0)
                .server(100, 100)
                .capacity(2)
                .server(97)
                .search(GOALS)
                .filters
                .evenCounts();

        assertThat(even.allows(0, 0, 1)).isTrue();
        assertThat(even.allows(1, 0, 1)).isFalse();
    }

    /** 4 regions of one table on one of two servers, of which 2 are the most: 8 are gained by the first move. */
    @Test
    void tablesArePartedWhereThatIsWorthItsCostsAndNoServerComesAboveItsTarget() {
        PlanGoals goals = new PlanGoals(
                GOALS.goalByDimension(), GOALS.counts(), new TableGoal(35, 0), GOALS.moveCosts(), GOALS.limits());
        SearchContext context =
                new SmallCluster().server(9, 11, 40, 40).server(100).table("u").search(goals);
        MoveFilter part = context.filters.partTables();

        assertThat(part.kind()).isEqualTo(MoveFilter.COUNTS);
        assertThat(part.considers(0)).isTrue();
        assertThat(part.allows(0, 0, 1)).as("1.09").isTrue();
        assertThat(part.allows(1, 0, 1)).as("1.11").isFalse();
        assertThat(part.allows(4, 1, 0)).as("nothing is gained").isFalse();
        PlanGoals cheap = new PlanGoals(
                GOALS.goalByDimension(), GOALS.counts(), new TableGoal(0.01, 0), GOALS.moveCosts(), GOALS.limits());
        assertThat(new SmallCluster()
                        .server(9, 11, 40, 40)
                        .server(100)
                        .table("u")
                        .search(cheap)
                        .filters
                        .partTables()
                        .allows(0, 0, 1))
                .as("less than it costs")
                .isFalse();
    }

    @Test
    void intoSlopAnyMoveOfARegionThatCounts() {
        SearchContext context = new SmallCluster()
                .server(100, 0)
                .pinned(Pin.OTHER_TABLE)
                .server(100)
                .search(GOALS);
        MoveFilter intoSlop = context.filters.intoSlop();

        assertThat(intoSlop.kind()).isEqualTo(MoveFilter.SLOP);
        assertThat(intoSlop.considers(0)).isTrue();
        assertThat(intoSlop.considers(1)).isFalse();
        assertThat(intoSlop.allows(0, 0, 1)).isTrue();
    }
}
