// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.balancer.planner;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.hearth.balancer.plan.Plan;
import io.hearth.balancer.plan.PlanGoals;
import io.hearth.balancer.plan.PlanGoals.DimensionGoal;
import io.hearth.balancer.plan.PlanGoals.PlanLimits;
import io.hearth.balancer.plan.PlanGoals.RegionCountGoal;
import io.hearth.balancer.plan.PlannedMove;
import io.hearth.balancer.state.ClusterState;
import io.hearth.balancer.state.Pin;
import io.hearth.balancer.state.RegionState;
import io.hearth.balancer.state.ServerState;
import io.hearth.common.model.EncodedRegionName;
import io.hearth.common.model.LoadDimension;
import io.hearth.common.model.ServerId;
import io.hearth.common.model.TableId;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Supplier;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** What holds for the plan of any cluster, over clusters from one server to dozens with everything that can be. */
class PlannerPropertiesTest {

    private static final DimensionGoal HEAT = new DimensionGoal(200, 1.10, 1.03, 1);
    private static final Map<TableId, Integer> BUDGETS = Map.of(new TableId("t1"), 2, new TableId("t2"), 0);
    private static final PlanGoals GOALS = PlanGoals.of(Map.of(
                    LoadDimension.READS, HEAT,
                    LoadDimension.WRITES, HEAT,
                    LoadDimension.STORE_SIZE, new DimensionGoal(35, 1.3, 1.2, 1)))
            .withLimits(PlanLimits.DEFAULT.withMaxMoves(40).withMovesLeftByTable(BUDGETS));

    private final DirectedPlanner planner = new DirectedPlanner();

    static LongStream seeds() {
        return LongStream.rangeClosed(1, 60L * Integer.getInteger("hearth.test.repetitions", 1));
    }

    @ParameterizedTest
    @MethodSource("seeds")
    void noHardRuleIsEverBroken(long seed) {
        noHardRuleIsBroken(seed, GOALS);
        noHardRuleIsBroken(seed, GOALS.withCounts(new RegionCountGoal(500, 0.2, 1, 0.01)));
    }

    private void noHardRuleIsBroken(long seed, PlanGoals goals) {
        ClusterState before = RandomClusters.wild(seed);
        Supplier<String> print = RandomClusters.print(seed, before);

        Plan plan = planner.plan(before, goals);

        assertThat(plan.moves()).as(print).hasSizeLessThanOrEqualTo(40);
        assertThat(heatMovesOf(plan, "t1")).as(print).isLessThanOrEqualTo(2);
        assertThat(heatMovesOf(plan, "t2")).as(print).isZero();
        assertThat(plan.moves()).as(print).doesNotHaveDuplicates();
        assertThat(plan.moves().stream().map(PlannedMove::region).distinct().count())
                .as(print)
                .isEqualTo(plan.moves().size());
        Walk walk = new Walk(before);
        for (PlannedMove move : plan.moves()) {
            walk.go(print, move);
        }
        walk.countsAreWithinSlop(print, goals.counts().trigger() < 1);
    }

    @ParameterizedTest
    @MethodSource("seeds")
    void theOutcomeIsWhatTheMovesDoAndHeatBecomesMoreEven(long seed) {
        ClusterState before = RandomClusters.wild(seed);
        Supplier<String> print = RandomClusters.print(seed, before);
        NaiveCosts naive = new NaiveCosts(before, GOALS);
        double unevenBefore = naive.unevenness();

        Plan plan = planner.plan(before, GOALS);
        boolean isOnlyForHeat = true;
        for (PlannedMove move : plan.moves()) {
            naive.move(state(before, move.region()), move.from(), move.to());
            isOnlyForHeat &= move.because().isHeat();
        }

        for (LoadDimension dimension : LoadDimension.values()) {
            assertThat(plan.outcome(dimension).maxOverMeanAfter())
                    .as(print)
                    .isCloseTo(before.regionCount() == 0 ? 1 : naive.maxOverMean(dimension), within(1e-9));
            assertThat(plan.outcome(dimension).maxOverMeanAfter())
                    .as(print)
                    .isGreaterThanOrEqualTo(plan.outcome(dimension).lowerBound() - 1e-9);
        }
        if (isOnlyForHeat && !plan.moves().isEmpty()) {
            assertThat(naive.unevenness()).as(print).isLessThan(unevenBefore);
        }
        assertThat(plan.leastMoves()).as(print).isLessThanOrEqualTo(plan.moves().size());
    }

    @ParameterizedTest
    @MethodSource("seeds")
    void theSamePlanWhateverTheOrderOfTheInput(long seed) {
        ClusterState cluster = RandomClusters.wild(seed);

        assertThat(planner.plan(RandomClusters.shuffled(cluster, seed), GOALS))
                .as("seed %d", seed)
                .isEqualTo(planner.plan(cluster, GOALS));
    }

    /**
     * What is odd about these clusters (a server that may take nothing, a region of a thousand times the heat, pins everywhere)
     * often leaves a server above its trigger, so that the next run tries again; it comes to rest soon. Healthy: 1.6 runs on
     * average, 7 at worst. Broken: with all of what keeps needless moves out gone (the trigger, PlanPruner, that a plan has to help a
     * server above its trigger) some never rest; each of these makes up for the others.
     */
    @Test
    void plansComeToRest() {
        PlanGoals unlimited = GOALS.withLimits(PlanLimits.DEFAULT);
        int clusters = 150 * Integer.getInteger("hearth.test.repetitions", 1);
        int runs = 0;
        for (long seed = 1; seed <= clusters; seed++) {
            ClusterState cluster = RandomClusters.wild(seed);
            Supplier<String> print = RandomClusters.print(seed, cluster);
            int ofCluster = 0;
            for (Plan plan = planner.plan(cluster, unlimited);
                    !plan.moves().isEmpty();
                    plan = planner.plan(cluster, unlimited)) {
                cluster = applied(cluster, plan);
                ofCluster++;
                assertThat(ofCluster).as(print).isLessThanOrEqualTo(12);
            }
            runs += ofCluster;
        }
        assertThat((double) runs / clusters).isLessThan(2.0);
    }

    private static long heatMovesOf(Plan plan, String table) {
        return plan.moves().stream()
                .filter(move ->
                        move.table().name().equals(table) && move.because().isHeat())
                .count();
    }

    private static RegionState state(ClusterState cluster, EncodedRegionName region) {
        for (int server = 0; server < cluster.servers().size(); server++) {
            for (RegionState state : cluster.regionsOf(server)) {
                if (state.region().equals(region)) {
                    return state;
                }
            }
        }
        throw new AssertionError("There is no region " + region);
    }

    static ClusterState applied(ClusterState before, Plan plan) {
        Walk walk = new Walk(before);
        plan.moves().forEach(walk::put);
        return walk.snapshot();
    }

    /** A cluster on which a plan is carried out move by move. */
    private static final class Walk {

        private final ClusterState before;
        private final List<List<RegionState>> regions = new ArrayList<>();
        private final Set<String> racks = new HashSet<>();
        private final Map<EncodedRegionName, Integer> replicas = new HashMap<>();

        Walk(ClusterState before) {
            this.before = before;
            for (int server = 0; server < before.servers().size(); server++) {
                regions.add(new ArrayList<>(before.regionsOf(server)));
                racks.add(before.server(server).rack());
                before.regionsOf(server).forEach(region -> replicas.merge(region.primary(), 1, Integer::sum));
            }
            racks.remove(ServerState.UNKNOWN_RACK);
        }

        void put(PlannedMove move) {
            RegionState region = state(before, move.region());
            if (!regions.get(before.serverIds().indexOf(move.from())).remove(region)) {
                throw new AssertionError(move.region() + " is not on " + move.from());
            }
            regions.get(before.serverIds().indexOf(move.to())).add(region);
        }

        void go(Supplier<String> print, PlannedMove move) {
            RegionState region = state(before, move.region());
            int to = before.serverIds().indexOf(move.to());
            Supplier<String> where = () -> print.get() + move;
            assertThat(region.isFree()).as(where).isTrue();
            assertThat(before.server(to).mayReceiveRegions()).as(where).isTrue();
            put(move);
            if (!move.swappedFor().isPresent()) {
                assertThat(sharing(region, to, false)).as(where).isEmpty();
                if (replicas.get(region.primary()) <= racks.size()) {
                    assertThat(sharing(region, to, true)).as(where).isEmpty();
                }
            }
        }

        private List<RegionState> sharing(RegionState region, int to, boolean rack) {
            List<RegionState> sharing = new ArrayList<>();
            ServerState here = before.server(to);
            for (int server = 0; server < regions.size(); server++) {
                ServerState other = before.server(server);
                boolean isSamePlace = rack
                        ? here.rack().equals(other.rack()) && !here.rack().equals(ServerState.UNKNOWN_RACK)
                        : here.server().host().equals(other.server().host());
                for (RegionState state : regions.get(server)) {
                    if (isSamePlace && state.primary().equals(region.primary()) && !state.equals(region)) {
                        sharing.add(state);
                    }
                }
            }
            return sharing;
        }

        /**
         * @param areHearths whether Hearth evens numbers, so that a server may have fewer than slop allows if most regions may be moved
         */
        void countsAreWithinSlop(Supplier<String> print, boolean areHearths) {
            long closed = before.servers().stream()
                    .flatMap(server -> server.regions().stream())
                    .filter(region -> region.pin() == Pin.HEAT_UNKNOWN || region.pin() == Pin.INACTIVE)
                    .count();
            boolean isOneEnough = areHearths && closed * 4 <= before.regionCount();
            double mean = 0;
            for (int server = 0; server < regions.size(); server++) {
                mean += (double) counted(before.regionsOf(server)) / regions.size();
            }
            for (int server = 0; server < regions.size(); server++) {
                long had = counted(before.regionsOf(server));
                double fair = mean * before.capacityByServer()[server];
                long bySlop = (long) Math.floor(fair * 0.8);
                assertThat(counted(regions.get(server)))
                        .as(print)
                        .isBetween(Math.min(had, isOneEnough ? Math.min(1, bySlop) : bySlop), Math.max(had, (long)
                                Math.ceil(fair * 1.2)));
            }
        }

        private static long counted(List<RegionState> regions) {
            return regions.stream().filter(RegionState::isCounted).count();
        }

        ClusterState snapshot() {
            Map<ServerId, List<RegionState>> byServer = new HashMap<>();
            Map<ServerId, ServerState> states = new HashMap<>();
            for (int server = 0; server < regions.size(); server++) {
                byServer.put(before.serverId(server), regions.get(server));
                states.put(before.serverId(server), before.server(server));
            }
            return ClusterState.of(byServer, states);
        }
    }
}
