// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.balancer.planner;

import static org.assertj.core.api.Assertions.assertThat;

import io.hearth.balancer.plan.Plan;
import io.hearth.balancer.plan.PlanGoals;
import io.hearth.balancer.plan.PlanGoals.DimensionGoal;
import io.hearth.balancer.plan.PlanGoals.PlanLimits;
import io.hearth.balancer.state.ClusterState;
import io.hearth.balancer.state.RegionState;
import io.hearth.common.model.EncodedRegionName;
import io.hearth.common.model.LoadDimension;
import io.hearth.common.model.ServerId;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Servers with thousands of regions: what a cluster looks like after a full restart, or when it was doubled. */
class ManyRegionsTest {

    private static final PlanGoals GOALS = PlanGoals.of(Map.of(
            LoadDimension.READS, new DimensionGoal(200, 1.1, 1.03, 1),
            LoadDimension.WRITES, new DimensionGoal(200, 1.1, 1.03, 1),
            LoadDimension.STORE_SIZE, new DimensionGoal(35, 1.3, 1.2, 1)));
    private static final PlanGoals READS =
            PlanGoals.of(Map.of(LoadDimension.READS, new DimensionGoal(200, 1.1, 1.03, 1)));

    /** All regions on the first few of the servers, their reads lognormal. */
    private static ClusterState allOn(int few, int servers, int regions) {
        Random random = new Random(1);
        Map<ServerId, List<RegionState>> byServer = new TreeMap<>();
        for (int server = 0; server < servers; server++) {
            byServer.put(RandomClusters.server(server), new ArrayList<>());
        }
        for (int region = 0; region < regions; region++) {
            byServer.get(RandomClusters.server(region % few))
                    .add(RandomClusters.region(region, 10 * Math.exp(random.nextGaussian()), 5, 1e9));
        }
        return ClusterState.of(byServer);
    }

    /** Half of the servers this much above the mean, the others as much below it, every region of a half alike or lognormal. */
    private static ClusterState halfHot(int servers, int regionsOfAServer, double hot, double sigma) {
        Random random = new Random(1);
        Map<ServerId, List<RegionState>> byServer = new TreeMap<>();
        for (int server = 0; server < servers; server++) {
            List<RegionState> regions = new ArrayList<>();
            for (int region = 0; region < regionsOfAServer; region++) {
                double reads = 100 * (server < servers / 2 ? hot : 2 - hot) * Math.exp(sigma * random.nextGaussian());
                regions.add(RandomClusters.region(server * regionsOfAServer + region, reads, 0, 1e9));
            }
            byServer.put(RandomClusters.server(server), regions);
        }
        return ClusterState.of(byServer);
    }

    private static long evaluated(ClusterState snapshot) {
        return PlanSearch.of(snapshot, GOALS, Deadline.never()).evaluated();
    }

    /** Four times as many regions cost less than seven times as many looks; sixteen times is what looking at every region in every step comes to. */
    @ParameterizedTest(name = "all on {0} of 20 servers")
    @CsvSource({"1", "10"})
    void theLooksGrowWithTheRegionsAndNotWithTheirSquare(int few) {
        long ofFew = evaluated(allOn(few, 20, 1_500));
        long ofMany = evaluated(allOn(few, 20, 6_000));

        assertThat((double) ofMany / ofFew).isLessThan(7);
        assertThat((double) ofMany / 6_000).isLessThan(500);
    }

    @ParameterizedTest(name = "all on {0} of 20 servers")
    @CsvSource({"1, 1.05", "10, 1.20"})
    void theirPlansAreAsEven(int few, double even) {
        Plan plan = new DirectedPlanner().plan(allOn(few, 20, 6_000), GOALS);

        assertThat(plan.outcome(LoadDimension.READS).maxOverMeanAfter()).isLessThan(even);
        assertThat(plan.moves().size()).isLessThan(6_000);
    }

    /**
     * Broken (a fixed price and least gain for each move): with 1,000 regions a server nothing moves; broken (a region of 1 % of a
     * server is harmless wherever it goes to even numbers): 1.115 where half of the servers are at 1.3.
     */
    @ParameterizedTest(name = "{0} servers, {1} regions each, half of the servers at {2}, sigma {3}")
    @CsvSource({
        "20, 100, 1.5, 0",
        "20, 1000, 1.3, 0",
        "20, 1000, 1.5, 0",
        "20, 1000, 1.5, 0.5",
        "20, 2000, 1.3, 0",
        "20, 2000, 2, 0.5",
        "20, 4000, 1.3, 0",
        "20, 4000, 2, 0",
        "20, 4000, 2, 0.5",
        "100, 1000, 1.3, 0",
        "100, 1000, 2, 0.5"
    })
    void heatIsBalancedHoweverSmallARegionIs(int servers, int regionsOfAServer, double hot, double sigma) {
        Plan plan = new DirectedPlanner().plan(halfHot(servers, regionsOfAServer, hot, sigma), READS);

        assertThat(plan.outcome(LoadDimension.READS).maxOverMeanAfter()).isLessThanOrEqualTo(1.101);
    }

    /** Where the first run stops its plan is full; that is not yet even enough. */
    @Test
    void aPlanThatIsFullIsGoneOnWithInTheNextRun() {
        PlanGoals full = READS.withLimits(PlanLimits.DEFAULT.withMaxMoves(3_000));
        ClusterState cluster = halfHot(20, 1_000, 1.5, 0);
        List<Integer> moves = new ArrayList<>();
        double maxOverMean;
        do {
            Plan plan = new DirectedPlanner().plan(cluster, full);
            moves.add(plan.moves().size());
            maxOverMean = plan.outcome(LoadDimension.READS).maxOverMeanAfter();
            cluster = carriedOut(cluster, plan);
        } while (moves.get(moves.size() - 1) > 0 && moves.size() < 6);

        assertThat(moves)
                .as("moves of each run")
                .hasSizeBetween(3, 5)
                .startsWith(3_000)
                .endsWith(0);
        assertThat(maxOverMean).isLessThanOrEqualTo(1.101);
    }

    private static ClusterState carriedOut(ClusterState cluster, Plan plan) {
        Map<EncodedRegionName, ServerId> moved = new HashMap<>();
        plan.moves().forEach(move -> moved.put(move.region(), move.to()));
        Map<ServerId, List<RegionState>> byServer = new TreeMap<>();
        for (ServerId server : cluster.serverIds()) {
            byServer.put(server, new ArrayList<>());
        }
        for (int server = 0; server < cluster.servers().size(); server++) {
            for (RegionState region : cluster.regionsOf(server)) {
                byServer.get(moved.getOrDefault(region.region(), cluster.serverId(server)))
                        .add(region);
            }
        }
        return ClusterState.of(byServer);
    }

    @Test
    void theSearchEndsAtItsDeadlineWithWhatItHas() {
        ClusterState cluster = allOn(5, 20, 3_000);
        Plan whole = new DirectedPlanner().plan(cluster, GOALS);
        AtomicLong nanos = new AtomicLong();

        // The clock goes on by 1 ms each time it is asked, which is once a step.
        Plan cut = new DirectedPlanner(() -> 100, () -> nanos.addAndGet(1_000_000)).plan(cluster, GOALS);

        assertThat(whole.isCutShort()).isFalse();
        assertThat(cut.isCutShort()).isTrue();
        assertThat(cut.moves().size()).isBetween(90, 100);
        assertThat(cut.outcome(LoadDimension.READS).maxOverMeanAfter())
                .isLessThan(cut.outcome(LoadDimension.READS).maxOverMeanBefore());
        assertThat(cut.summary())
                .endsWith(
                        "; the time to plan was up (hearth.balancer.plan.deadline.ms), the rest is left to the next run");
    }

    /** What is left over is planned in the next run. */
    @Test
    void aPlanThatIsFullHelpsEveryCrowdedServerAlike() {
        ClusterState cluster = allOn(5, 20, 3_000);
        Plan plan = new DirectedPlanner().plan(cluster, GOALS.withLimits(PlanLimits.DEFAULT.withMaxMoves(500)));

        assertThat(plan.moves()).hasSize(500);
        Map<ServerId, Long> byServer = new TreeMap<>();
        plan.moves().forEach(move -> byServer.merge(move.from(), 1L, Long::sum));
        assertThat(byServer).hasSize(5).allSatisfy((server, moves) -> assertThat(moves)
                .isEqualTo(100));
    }
}
