// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.balancer.planner;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.hearth.balancer.plan.PlanGoals;
import io.hearth.balancer.plan.PlanGoals.DimensionGoal;
import io.hearth.balancer.plan.PlanGoals.MoveCosts;
import io.hearth.common.model.LoadDimension;
import io.hearth.common.model.TableId;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import org.assertj.core.data.Offset;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What moves cost on clusters so small that the sum is done in the head. */
class LocalityCostIndexTest {

    private static final Offset<Double> EXACT = within(1e-12);

    private static final PlanGoals GOALS = PlanGoals.of(Map.of(
                    LoadDimension.READS, new DimensionGoal(200, 1.1, 1.03, 1),
                    LoadDimension.WRITES, new DimensionGoal(100, 1.1, 1.03, 1)))
            .withMoveCosts(new MoveCosts(0.2, 30, 5, Set.of(new TableId("unhealed"))));

    private static LocalityCostIndex costs(SmallCluster cluster, PlanGoals goals) {
        PlanIndex index = new PlanIndex(cluster.state(), goals);
        return new LocalityCostIndex(index, new TopologyIndex(index));
    }

    /**
     * Three servers; the second region's bytes are not known. The known ones have 100, 200 and 300 bytes, a mean of 200, so that a mean
     * server is taken to have 200 x 4 / 3, and a byte costs 30 x 3 / 800.
     */
    private static SmallCluster cluster() {
        return new SmallCluster()
                .server(10)
                .bytes(100, Map.of(0, 80L, 1, 30L, 7, 90L))
                .region(20, 0)
                .server(10)
                .bytes(200, Map.of(0, 200L))
                .server(20)
                .bytes(300, Map.of(2, 100L, 0, 40L))
                .table("unhealed");
    }

    private static final double BYTE = 30 * 3 / 800.0;

    @Test
    void aByteCostsWhereItHasToBeHealedAndSavesNextToNothing() {
        LocalityCostIndex costs = costs(cluster(), GOALS);

        assertThat(costs.matters()).isTrue();
        assertThat(costs.bytesToHeal(0, 1)).hasValue(50);
        assertThat(costs.bytesToHeal(0, 2)).hasValue(80);
        assertThat(costs.bytesToHeal(2, 0)).hasValue(-200);
        assertThat(costs.healCost(0, 1)).isCloseTo(50 * BYTE, EXACT);
        assertThat(costs.healCost(0, 2)).isCloseTo(80 * BYTE, EXACT);
        assertThat(costs.healCost(2, 0)).isCloseTo(-0.001 * 200 * BYTE, EXACT);
        assertThat(costs.healCost(2, 2)).isZero();
    }

    @Test
    void ofATableThatNoHealerBringsHomeEveryByteCountsFourTimes() {
        LocalityCostIndex costs = costs(cluster(), GOALS);

        assertThat(costs.healCost(3, 0)).isCloseTo(4 * 60 * BYTE, EXACT);
        SmallCluster away = new SmallCluster()
                .server(10)
                .bytes(300, Map.of(1, 90L))
                .table("unhealed")
                .server();
        assertThat(costs(away, GOALS).healCost(0, 1)).as("a gain").isCloseTo(-4 * 90 * 30 / 150.0, EXACT);
    }

    /** At home are 80, nothing and 100 bytes of the known three. */
    @Test
    void whatIsNotKnownCostsWhatTheOthersCostOnAverage() {
        LocalityCostIndex costs = costs(cluster(), GOALS);

        assertThat(costs.bytesToHeal(1, 1)).isEmpty();
        assertThat(costs.healCost(1, 1)).isCloseTo(60 * BYTE, EXACT);
        assertThat(costs.healCost(1, 2)).isCloseTo(60 * BYTE, EXACT);
    }

    @Test
    void noMoveCostsLessThanTheOneToTheHostWithMostBytes() {
        LocalityCostIndex costs = costs(cluster(), GOALS);

        assertThat(costs.leastHealCost(0)).as("on a host without a server").isCloseTo(-0.001 * 10 * BYTE, EXACT);
        assertThat(costs.leastHealCost(1)).as("not known").isCloseTo(60 * BYTE, EXACT);
        assertThat(costs.leastHealCost(2)).isCloseTo(-0.001 * 200 * BYTE, EXACT);
        assertThat(costs.leastHealCost(3)).as("nowhere are more").isZero();
        assertThat(costs.mostSaved()).isCloseTo(0.001 * 200 * BYTE, EXACT);
        assertThat(costs(cluster(), GOALS.withMoveCosts(MoveCosts.NONE)).leastHealCost(2))
                .isZero();
    }

    @Test
    void theHostsOfARegionsBytesAreListedAlsoThoseWithoutAServer() {
        LocalityCostIndex costs = costs(cluster(), GOALS);

        assertThat(costs.firstEntry(0)).isZero();
        assertThat(costs.firstEntry(1)).isEqualTo(3);
        assertThat(costs.firstEntry(2)).isEqualTo(3);
        assertThat(costs.firstEntry(3)).isEqualTo(4);
        assertThat(costs.firstEntry(4)).isEqualTo(6);
        assertThat(costs.hostOfEntry(0)).isZero();
        assertThat(costs.hostOfEntry(1)).isEqualTo(1);
        assertThat(costs.hostOfEntry(2)).isEqualTo(TopologyIndex.UNKNOWN);
    }

    @Test
    void bytesDoNotMatterWhereNoneIsKnownOrNoneCosts() {
        LocalityCostIndex unknown = costs(new SmallCluster().server(10).server(20), GOALS);
        LocalityCostIndex free = costs(cluster(), GOALS.withMoveCosts(MoveCosts.NONE));
        LocalityCostIndex empty = costs(
                new SmallCluster().server(10).bytes(0, Map.of()).server(20).bytes(0, Map.of()), GOALS);

        assertThat(unknown.matters()).isFalse();
        assertThat(unknown.healCost(0, 1)).isZero();
        assertThat(free.matters()).isFalse();
        assertThat(free.healCost(0, 1)).isZero();
        assertThat(free.bytesToHeal(0, 1)).as("the plan still says them").hasValue(50);
        assertThat(empty.matters()).isFalse();
    }

    /** The mean server has 20 reads and 4 writes. */
    @Test
    void aColdCacheCostsByReadsAndTheClosedMomentByRequests() {
        LocalityCostIndex costs =
                costs(new SmallCluster().server(10).region(5, 8).region(0, 0).server(22, 3), GOALS);

        assertThat(costs.cacheCost(0)).isCloseTo(5 * 0.5, EXACT);
        assertThat(costs.cacheCost(1)).isCloseTo(5 * 0.25, EXACT);
        assertThat(costs.closedCost(0))
                .as("more than the mean region's 8 reads")
                .isCloseTo(0.2, EXACT);
        assertThat(costs.closedCost(1)).as("more than the mean region's writes").isCloseTo(0.2, EXACT);
        assertThat(costs.closedCost(2)).as("without requests").isCloseTo(0.2 * 0.75, EXACT);
        assertThat(costs.closedCost()).isEqualTo(0.2);
        assertThat(costs.costAnywhere(0)).isCloseTo(5 * 0.5 + 0.2, EXACT);
        assertThat(costs.size(2)).isEqualTo(1);
        LocalityCostIndex half = costs(new SmallCluster().server(10, 2, 4), GOALS);
        assertThat(half.closedCost(1)).as("2 of 16 / 3 reads").isCloseTo(0.2 * (0.75 + 0.25 * 2 * 3 / 16), EXACT);
    }

    /** 800 regions on two servers: a usual one is a two-hundredth of a server, and these are half of that. */
    @Test
    void whereServersHaveManyRegionsAMoveOfASmallOneCostsLess() {
        LocalityCostIndex costs = costs(
                new SmallCluster()
                        .server()
                        .regions(397, 1)
                        .region(100, 0)
                        .region(0, 3)
                        .region(1.5, 0)
                        .server()
                        .regions(398, 1)
                        .region(100, 0)
                        .region(0, 397),
                GOALS);
        double mean = (397 + 100 + 1.5 + 398 + 100) / 2;

        assertThat(costs.size(0)).isEqualTo(0.5);
        assertThat(costs.size(397)).as("as large as a usual one").isEqualTo(1);
        assertThat(costs.size(398)).as("3 of 200 writes").isEqualTo(1);
        assertThat(costs.size(399)).isCloseTo(200 * 1.5 / mean, EXACT);
        assertThat(costs.closedCost()).isCloseTo(0.1, EXACT);
        assertThat(costs.closedCost(397)).isCloseTo(0.2, EXACT);
        assertThat(costs.closedCost(0)).isCloseTo(0.1 * (0.75 + 0.25 * 400 / mean), EXACT);
    }

    /** With 64 hosts each has a bit of its own, with 65 two share one; bytes on hosts without a server count for nobody. */
    @ParameterizedTest
    @ValueSource(ints = {3, 64, 65, 150})
    void whatIsOnAHostIsFoundHoweverManyThereAre(int servers) {
        long seed = new Random().nextLong();
        Random random = new Random(seed);
        SmallCluster cluster = new SmallCluster();
        List<Map<Integer, Long>> bytesByRegion = new ArrayList<>();
        for (int server = 0; server < servers; server++) {
            cluster.server(10);
            Map<Integer, Long> bytes = new TreeMap<>();
            for (int host = 0; host < servers + 5; host++) {
                if (random.nextInt(3) == 0) {
                    bytes.put(host, 1L + random.nextInt(1_000));
                }
            }
            bytesByRegion.add(bytes);
            cluster.bytes(1_000_000, bytes);
        }
        LocalityCostIndex costs = costs(cluster, GOALS);

        for (int region = 0; region < servers; region++) {
            Map<Integer, Long> bytes = bytesByRegion.get(region);
            for (int server = 0; server < servers; server++) {
                assertThat(costs.bytesToHeal(region, server))
                        .as("seed %d, region %d to server %d", seed, region, server)
                        .hasValue(bytes.getOrDefault(region, 0L) - bytes.getOrDefault(server, 0L));
                assertThat(costs.healCost(region, server))
                        .as("seed %d, region %d to server %d", seed, region, server)
                        .isGreaterThanOrEqualTo(costs.leastHealCost(region));
            }
        }
    }
}
