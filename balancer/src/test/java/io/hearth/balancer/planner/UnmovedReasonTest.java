// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.balancer.planner;

import static io.hearth.balancer.planner.RandomClusters.region;
import static io.hearth.balancer.planner.RandomClusters.server;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.hearth.balancer.plan.PlanGoals;
import io.hearth.balancer.plan.PlanGoals.DimensionGoal;
import io.hearth.balancer.plan.PlanGoals.PlanLimits;
import io.hearth.balancer.plan.PlanGoals.RegionCountGoal;
import io.hearth.balancer.plan.PlannedMove;
import io.hearth.balancer.plan.UnmovedReason;
import io.hearth.balancer.plan.UnmovedRegion;
import io.hearth.balancer.planner.DirectedPlanner.ExplainedPlan;
import io.hearth.balancer.state.ClusterState;
import io.hearth.balancer.state.Pin;
import io.hearth.balancer.state.RegionState;
import io.hearth.common.model.EncodedRegionName;
import io.hearth.common.model.LoadDimension;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Every region that is not moved has one reason. */
class UnmovedReasonTest {

    private static final DimensionGoal HEAT = new DimensionGoal(200, 1.10, 1.03, 1);
    private static final PlanGoals GOALS = PlanGoals.of(Map.of(LoadDimension.READS, HEAT, LoadDimension.WRITES, HEAT));

    private final DirectedPlanner planner = new DirectedPlanner();

    static LongStream seeds() {
        return LongStream.rangeClosed(1, 20L * Integer.getInteger("hearth.test.repetitions", 1));
    }

    private static Set<EncodedRegionName> all(ClusterState state) {
        return state.servers().stream()
                .flatMap(each -> each.regions().stream())
                .map(RegionState::region)
                .collect(Collectors.toSet());
    }

    private static RegionState pinned() {
        RegionState free = region(3, 10, 0, 0);
        return new RegionState(free.region(), free.table(), free.plannedLoad(), Pin.MOVED_MANUALLY);
    }

    private static UnmovedReason reason(ExplainedPlan explained, RegionState of) {
        return explained.unmoved().stream()
                .filter(left -> left.region().equals(of.region()))
                .map(UnmovedRegion::reason)
                .findFirst()
                .orElseThrow();
    }

    @ParameterizedTest
    @MethodSource("seeds")
    void aRegionIsMovedOrHasOneReasonAndThePlanSaysTheSame(long seed) {
        ClusterState state = RandomClusters.lognormal(seed, 2 + (int) (seed % 9), 5 + (int) (seed % 30));
        Set<EncodedRegionName> asked = all(state);

        ExplainedPlan explained = planner.explain(state, GOALS, asked);

        assertThat(explained.plan()).as("seed %d", seed).isEqualTo(planner.plan(state, GOALS));
        Set<EncodedRegionName> moved =
                explained.plan().moves().stream().map(PlannedMove::region).collect(Collectors.toSet());
        Set<EncodedRegionName> named = new HashSet<>(moved);
        explained.unmoved().forEach(left -> assertThat(named.add(left.region()))
                .as("seed %d: %s once", seed, left)
                .isTrue());
        assertThat(named).as("seed %d", seed).isEqualTo(asked);
        Map<EncodedRegionName, UnmovedRegion> unmovedByRegion =
                explained.unmoved().stream().collect(Collectors.toMap(UnmovedRegion::region, left -> left));
        // A server may be above its targets in two dimensions, for one of which a region is named.
        explained.plan().unmovedRegions().stream()
                .filter(left -> !moved.contains(left.region())
                        && unmovedByRegion.get(left.region()).because() == left.because())
                .forEach(left -> assertThat(unmovedByRegion.get(left.region()))
                        .as("seed %d: %s", seed, left)
                        .isEqualTo(left));
    }

    @Test
    void whereNothingIsAboveItsTriggerNothingHasToMove() {
        RegionState one = region(1, 100, 0, 0);
        RegionState other = region(2, 100, 0, 0);
        ClusterState even = ClusterState.of(Map.of(server(0), List.of(one), server(1), List.of(other)));

        ExplainedPlan explained = planner.explain(even, GOALS, all(even));

        assertThat(explained.unmoved())
                .extracting(UnmovedRegion::reason)
                .containsExactly(UnmovedReason.NOTHING_ABOVE_TRIGGER, UnmovedReason.NOTHING_ABOVE_TRIGGER);
        assertThat(explained.unmoved().get(0).text())
                .isEqualTo(explained.unmoved().get(0).region() + " of t stays on " + server(0)
                        + ": no server is above its trigger: nothing has to be moved for load");
    }

    @Test
    void aServerThatIsNotAboveKeepsItsRegionsAndOneWithoutLoadIsNotWorthAMove() {
        RegionState tooLarge = region(1, 500, 0, 0);
        RegionState idle = region(2, 0, 0, 0);
        RegionState pinned = pinned();
        RegionState elsewhere = region(4, 100, 0, 0);
        ClusterState state =
                ClusterState.of(Map.of(server(0), List.of(tooLarge, idle, pinned), server(1), List.of(elsewhere)));

        ExplainedPlan explained =
                planner.explain(state, GOALS.withCounts(RegionCountGoal.DEFAULT.withSlop(-1)), all(state));

        assertThat(explained.plan().moves()).isEmpty();
        assertThat(reason(explained, tooLarge)).isEqualTo(UnmovedReason.ABOVE_FAIR_SHARE);
        assertThat(reason(explained, idle)).isEqualTo(UnmovedReason.NO_LOAD);
        assertThat(reason(explained, pinned)).isEqualTo(UnmovedReason.MOVED_MANUALLY);
        assertThat(reason(explained, elsewhere)).isEqualTo(UnmovedReason.SERVER_NOT_ABOVE_TARGET);
    }

    /** The server is further above in reads, of which the region has none. */
    @Test
    void theDimensionIsOneInWhichTheRegionCouldHelp() {
        RegionState readsOnly = region(1, 900, 0, 0);
        RegionState writesOnly = region(2, 0, 300, 0);
        ClusterState state = ClusterState.of(Map.of(
                server(0),
                List.of(readsOnly, writesOnly),
                server(1),
                List.of(region(3, 100, 50, 0), region(4, 0, 50, 0))));

        ExplainedPlan explained = planner.explain(
                state,
                GOALS.withCounts(RegionCountGoal.DEFAULT.withSlop(-1)).withLimits(PlanLimits.DEFAULT.withMaxMoves(0)),
                all(state));

        assertThat(explained.unmoved())
                .filteredOn(left -> left.region().equals(writesOnly.region()))
                .singleElement()
                .satisfies(left -> {
                    assertThat(left.because()).isEqualTo(LoadDimension.WRITES);
                    assertThat(left.reason()).isNotEqualTo(UnmovedReason.NO_LOAD);
                });
    }

    @Test
    void everyPinIsAReasonWithItsText() {
        Arrays.stream(Pin.values()).filter(pin -> pin != Pin.FREE).forEach(pin -> {
            assertThat(UnmovedReason.of(pin).name()).isEqualTo(pin.name());
            assertThat(UnmovedReason.of(pin).text()).startsWith(pin.reason());
        });
        assertThatThrownBy(() -> UnmovedReason.of(Pin.FREE)).isInstanceOf(IllegalArgumentException.class);
    }
}
