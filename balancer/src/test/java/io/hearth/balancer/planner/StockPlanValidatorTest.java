// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.balancer.planner;

import static io.hearth.balancer.planner.RandomClusters.region;
import static io.hearth.balancer.planner.RandomClusters.server;
import static org.assertj.core.api.Assertions.assertThat;

import io.hearth.balancer.plan.PlanGoals;
import io.hearth.balancer.plan.PlanGoals.DimensionGoal;
import io.hearth.balancer.plan.UnmovedReason;
import io.hearth.balancer.planner.StockPlanValidator.Objection;
import io.hearth.balancer.state.ClusterState;
import io.hearth.balancer.state.LocalBytes;
import io.hearth.balancer.state.Pin;
import io.hearth.balancer.state.RegionState;
import io.hearth.balancer.state.ServerState;
import io.hearth.common.model.EncodedRegionName;
import io.hearth.common.model.LoadDimension;
import io.hearth.common.model.ServerId;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class StockPlanValidatorTest {

    private static final PlanGoals GOALS =
            PlanGoals.of(Map.of(LoadDimension.READS, new DimensionGoal(200, 1.1, 1.03, 1)));

    private static final ClusterState EVEN = ClusterState.of(Map.of(
            server(0), List.of(region(1, 100, 0, 0), region(2, 0, 0, 0)),
            server(1), List.of(region(3, 100, 0, 0), region(4, 0, 0, 0))));

    private static Map<EncodedRegionName, ServerId> to(int server, int region) {
        return Map.of(new EncodedRegionName(String.format("r%06d", region)), server(server));
    }

    @Test
    void refusesWhatMakesEvenHeatUneven() {
        assertThat(StockPlanValidator.wouldHeat(EVEN, GOALS, to(1, 1)))
                .containsExactly(Map.entry(
                        new EncodedRegionName("r000001"),
                        new Objection(
                                UnmovedReason.STOCK_MOVE_HEATS,
                                "the plan would take rs0001,16020,1 from 1.00 to 2.00 of its fair share of reads,"
                                        + " above 1.10")));
    }

    @Test
    void letsPassWhatHeatDoesNotMind() {
        assertThat(StockPlanValidator.wouldHeat(EVEN, GOALS, to(1, 2))).isEmpty();
        assertThat(StockPlanValidator.wouldHeat(EVEN, GOALS, to(9, 1)))
                .as("an unknown server")
                .isEmpty();
        assertThat(StockPlanValidator.wouldHeat(EVEN, GOALS, to(0, 9)))
                .as("an unknown region")
                .isEmpty();
    }

    @Test
    void letsPassWhatBringsRegionCountsIntoSlop() {
        ClusterState uneven = ClusterState.of(Map.of(
                server(0),
                        List.of(
                                region(1, 100, 0, 0),
                                region(2, 0, 0, 0),
                                region(5, 0, 0, 0),
                                region(6, 0, 0, 0),
                                region(7, 0, 0, 0)),
                server(1), List.of(region(3, 100, 0, 0))));

        assertThat(StockPlanValidator.wouldHeat(uneven, GOALS, to(1, 1))).isEmpty();
    }

    /** Regions 3 and 8 are replicas of one on the second server. */
    private static ClusterState replicasTogether() {
        RegionState primary = region(3, 100, 0, 0);
        RegionState replica = region(8, 1, 0, 0);
        return ClusterState.of(Map.of(
                server(0), List.of(region(1, 100, 0, 0), region(2, 0, 0, 0)),
                server(1),
                        List.of(
                                primary,
                                new RegionState(
                                        replica.region(),
                                        primary.region(),
                                        replica.table(),
                                        replica.plannedLoad(),
                                        Pin.FREE,
                                        LocalBytes.UNKNOWN))));
    }

    @Test
    void letsPassWhatPartsRegionReplicas() {
        Map<EncodedRegionName, ServerId> plan = new TreeMap<>(to(0, 8));
        plan.putAll(to(1, 1));

        assertThat(StockPlanValidator.wouldHeat(replicasTogether(), GOALS, plan))
                .isEmpty();
    }

    /** Broken (regions that share a host or a rack are counted as one): two before and after, so that they stay on one host for heat. */
    @Test
    void letsPassWhatPartsRegionReplicasWithinTheirRack() {
        RegionState primary = region(3, 50, 0, 0);
        RegionState replica = region(8, 50, 0, 0);
        ClusterState onOneHost = ClusterState.of(
                Map.of(
                        server(0),
                        List.of(
                                primary,
                                new RegionState(
                                        replica.region(),
                                        primary.region(),
                                        replica.table(),
                                        replica.plannedLoad(),
                                        Pin.FREE,
                                        LocalBytes.UNKNOWN)),
                        server(1),
                        List.of(region(1, 100, 0, 0)),
                        server(2),
                        List.of(region(2, 100, 0, 0))),
                Map.of(
                        server(0), new ServerState(server(0), "a", 1),
                        server(1), new ServerState(server(1), "a", 1),
                        server(2), new ServerState(server(2), "b", 1)));

        assertThat(StockPlanValidator.wouldHeat(onOneHost, GOALS, to(1, 8))).isEmpty();
    }

    /** Broken (any broken rule anywhere): two pinned replicas on one host let stock heat all servers of the cluster. */
    @Test
    void whatPartsNoReplicasIsNotLetPassForTheirSake() {
        assertThat(StockPlanValidator.wouldHeat(replicasTogether(), GOALS, to(1, 1)))
                .containsOnlyKeys(new EncodedRegionName("r000001"));
    }

    /**
     * 200 moves of a ring that leave everything even, one region with 0.01 reads/s to the server of an oversized region, and one with 200 to a
     * server that it makes too hot. Broken (max/mean of all servers decides over the whole plan): not one of the 202 is made.
     */
    @Test
    void onlyTheMovesThatHeatAServerStay() {
        Map<ServerId, List<RegionState>> regions = new TreeMap<>();
        Map<EncodedRegionName, ServerId> plan = new TreeMap<>();
        for (int server = 0; server < 21; server++) {
            List<RegionState> ofServer = new ArrayList<>();
            for (int i = 0; i < 100; i++) {
                double reads = server == 0 && i == 0 ? 3000 : i == 1 ? 0.01 : server == 5 && i == 2 ? 200 : 10;
                RegionState region = region(server * 100 + i, reads, 0, 0);
                ofServer.add(region);
                if (server > 0 && i >= 10 && i < 20) {
                    plan.put(region.region(), server(1 + server % 20));
                }
            }
            regions.put(server(server), ofServer);
        }
        EncodedRegionName hot = regions.get(server(5)).get(2).region();
        plan.put(regions.get(server(5)).get(1).region(), server(0));
        plan.put(hot, server(6));

        assertThat(plan).hasSize(202);
        assertThat(StockPlanValidator.wouldHeat(ClusterState.of(regions), GOALS, plan))
                .containsOnlyKeys(hot);
    }

    /** A hundredth of a fair share, which is 1,000 reads/s, on a server that is above the trigger: less goes, more stays. */
    @ParameterizedTest
    @CsvSource({"9, true", "11, false"})
    void aHundredthOfAFairShareIsNoHeat(double reads, boolean mayGo) {
        Map<ServerId, List<RegionState>> regions = new TreeMap<>();
        for (int server = 0; server < 10; server++) {
            double second = server == 0 ? 1_000 : server == 1 ? reads : 437.5;
            double rest = server == 0 ? 1_000 : server == 1 ? 1_000 - reads : 437.5;
            regions.put(server(server), List.of(region(server, rest, 0, 0), region(100 + server, second, 0, 0)));
        }

        assertThat(StockPlanValidator.wouldHeat(
                                ClusterState.of(regions), GOALS, Map.of(new EncodedRegionName("r000101"), server(0)))
                        .isEmpty())
                .isEqualTo(mayGo);
    }

    /** A server that is to give as much as it takes stays even if what it was to give stays. */
    @Test
    void aServerThatKeepsWhatItWasToGiveTakesNothing() {
        ClusterState cluster = ClusterState.of(Map.of(
                server(0), List.of(region(1, 100, 0, 0), region(2, 0, 0, 0)),
                server(1), List.of(region(3, 100, 0, 0), region(4, 0, 0, 0)),
                server(2), List.of(region(5, 100, 0, 0), region(6, 0, 0, 0))));
        Map<EncodedRegionName, ServerId> plan = Map.of(
                new EncodedRegionName("r000001"), server(1),
                new EncodedRegionName("r000003"), server(2));

        assertThat(StockPlanValidator.wouldHeat(cluster, GOALS, plan).keySet())
                .containsExactly(new EncodedRegionName("r000001"), new EncodedRegionName("r000003"));
    }

    /** The second server is made too hot, at 1.33, but by a region of one that was hotter; what has no load does not count. */
    @Test
    void whatHasNoLoadHeatsNoServer() {
        ClusterState cluster = new SmallCluster()
                .server(100, 100, 100)
                .server(100, 0, 0)
                .server(50, 0, 0)
                .state();
        Map<EncodedRegionName, ServerId> plan = Map.of(
                new EncodedRegionName("r000000"), server(1),
                new EncodedRegionName("r000007"), server(1));

        assertThat(StockPlanValidator.wouldHeat(cluster, GOALS, plan)).isEmpty();
    }

    @Test
    void aHotSpotMayGoElsewhereAsItIs() {
        ClusterState cluster = new SmallCluster().server(0, 0).server(200, 0).state();

        assertThat(StockPlanValidator.wouldHeat(cluster, GOALS, to(0, 2))).isEmpty();
    }

    /** Not the first dimension, nor the first server: the third may take half of what the second has, but the second no more than it has. */
    @Test
    void aServerIsComparedWithWhatItHadInTheSameDimension() {
        PlanGoals writes = PlanGoals.of(Map.of(LoadDimension.WRITES, new DimensionGoal(200, 1.1, 1.03, 1)));
        ClusterState cluster = new SmallCluster()
                .server()
                .region(0, 60)
                .server()
                .region(0, 100)
                .region(0, 100)
                .server()
                .region(0, 40)
                .state();

        assertThat(StockPlanValidator.wouldHeat(cluster, writes, to(2, 1))).isEmpty();
        assertThat(StockPlanValidator.wouldHeat(cluster, writes, to(1, 0)))
                .containsExactly(Map.entry(
                        new EncodedRegionName("r000000"),
                        new Objection(
                                UnmovedReason.STOCK_MOVE_HEATS,
                                "the plan would take rs0001,16020,1 from 2.00 to 2.60 of its fair share of writes,"
                                        + " above 1.10")));
    }
}
