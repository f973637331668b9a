// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.balancer.planner;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.hearth.balancer.heat.RegionLoads;
import io.hearth.balancer.plan.Plan;
import io.hearth.balancer.plan.PlanGoals;
import io.hearth.balancer.plan.PlanGoals.DimensionGoal;
import io.hearth.balancer.plan.PlanGoals.PlanLimits;
import io.hearth.balancer.state.ClusterState;
import io.hearth.balancer.state.Pin;
import io.hearth.balancer.state.RegionState;
import io.hearth.balancer.state.ServerState;
import io.hearth.balancer.tracking.PlannedPlacement;
import io.hearth.common.model.EncodedRegionName;
import io.hearth.common.model.LoadDimension;
import io.hearth.common.model.LoadVector;
import io.hearth.common.model.ServerId;
import io.hearth.common.model.TableId;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class PlannedPlacementTest {

    private static final TableId TABLE = new TableId("t");
    private static final PlanGoals GOALS = PlanGoals.of(Map.of(
                    LoadDimension.READS, new DimensionGoal(200, 1.10, 1.03, 1),
                    LoadDimension.WRITES, new DimensionGoal(200, 1.10, 1.03, 1)))
            .withLimits(PlanLimits.DEFAULT.withMaxMoves(600));

    /** The loads of the snapshot itself. */
    private static RegionLoads loadsOf(ClusterState snapshot) {
        Map<EncodedRegionName, LoadVector> loads = new HashMap<>();
        for (int server = 0; server < snapshot.servers().size(); server++) {
            snapshot.regionsOf(server).forEach(region -> loads.put(region.region(), region.plannedLoad()));
        }
        return region -> Optional.ofNullable(loads.get(region));
    }

    /** The same snapshot with servers of capacity 1, 2 and 3 in turn, and all heat known. */
    private static ClusterState ofDifferentCapacity(ClusterState snapshot) {
        Map<ServerId, List<RegionState>> regions = new HashMap<>();
        Map<ServerId, ServerState> states = new HashMap<>();
        for (int server = 0; server < snapshot.servers().size(); server++) {
            ServerId id = snapshot.serverId(server);
            regions.put(id, new ArrayList<>(snapshot.regionsOf(server)));
            states.put(id, new ServerState(id, "", 1 + server % 3));
        }
        return ClusterState.of(regions, states);
    }

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8})
    void withTheSameLoadsItIsWhatThePlanPromised(long seed) {
        ClusterState snapshot = ofDifferentCapacity(RandomClusters.lognormal(seed, 4 + (int) seed, 12));
        Plan plan = new DirectedPlanner().plan(snapshot, GOALS);
        assertThat(plan.moves()).as("seed " + seed).isNotEmpty();

        Map<LoadDimension, Double> after = PlannedPlacement.of(snapshot, plan).maxOverMean(loadsOf(snapshot));
        for (LoadDimension dimension : LoadDimension.values()) {
            assertThat(after.get(dimension))
                    .as("%s, seed %d", dimension, seed)
                    .isCloseTo(plan.maxOverMeanAfter().get(dimension), within(1e-9));
        }
    }

    private static RegionState region(String name, double writes, Pin pin) {
        return new RegionState(new EncodedRegionName(name), TABLE, LoadVector.ofWrites(writes), pin);
    }

    private static Plan nothing() {
        return new DirectedPlanner().plan(ClusterState.of(Map.of()), GOALS);
    }

    /** Max/mean of writes when nothing is moved and every region that can be asked for has a write a second. */
    private static double writesWithOneEach(List<RegionState> onFirst, List<RegionState> onSecond) {
        ClusterState snapshot =
                ClusterState.of(Map.of(RandomClusters.server(0), onFirst, RandomClusters.server(1), onSecond));
        return PlannedPlacement.of(snapshot, nothing())
                .maxOverMean(region -> Optional.of(LoadVector.ofWrites(1)))
                .get(LoadDimension.WRITES);
    }

    @Test
    void aRegionOfUnknownHeatIsNotPartOfWhatAPlanAnswersFor() {
        List<RegionState> one = List.of(region("a", 0, Pin.FREE));
        assertThat(writesWithOneEach(one, List.of(region("b", 0, Pin.FREE), region("c", 0, Pin.HEAT_UNKNOWN))))
                .isEqualTo(1);
        assertThat(writesWithOneEach(one, List.of(region("b", 0, Pin.FREE), region("c", 0, Pin.COOL_DOWN))))
                .isEqualTo(2 / 1.5);
    }

    /** Those of a table that was dropped; and what stands for the other tables of a server, which nobody can be asked for. */
    @Test
    void regionsThatNobodyKnowsAnyMoreKeepTheLoadThatTheyHad() {
        ClusterState snapshot = ClusterState.of(Map.of(
                RandomClusters.server(0),
                List.of(region("a", 5, Pin.FREE)),
                RandomClusters.server(1),
                List.of(region("b", 5, Pin.FREE), region("others", 2, Pin.OTHER_TABLE))));
        PlannedPlacement placement = PlannedPlacement.of(snapshot, nothing());

        assertThat(placement.maxOverMean(region -> region.equals(new EncodedRegionName("others"))
                        ? Optional.empty()
                        : Optional.of(LoadVector.ofWrites(1))))
                .containsEntry(LoadDimension.WRITES, 3 / 2.0)
                .containsEntry(LoadDimension.READS, 1.0);
        assertThat(placement.maxOverMean(region -> Optional.empty())).containsEntry(LoadDimension.WRITES, 7 / 6.0);
    }
}
