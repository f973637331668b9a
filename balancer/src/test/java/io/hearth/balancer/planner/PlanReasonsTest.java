// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.balancer.planner;

import static io.hearth.balancer.planner.RandomClusters.region;
import static io.hearth.balancer.planner.RandomClusters.server;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.hearth.balancer.plan.Objective;
import io.hearth.balancer.plan.Plan;
import io.hearth.balancer.plan.Plan.LocalityOutcome;
import io.hearth.balancer.plan.PlanGoals;
import io.hearth.balancer.plan.PlanGoals.DimensionGoal;
import io.hearth.balancer.plan.PlanGoals.PlanLimits;
import io.hearth.balancer.plan.PlanGoals.RegionCountGoal;
import io.hearth.balancer.plan.PlannedMove;
import io.hearth.balancer.plan.UnmovedReason;
import io.hearth.balancer.plan.UnmovedRegion;
import io.hearth.balancer.state.ClusterState;
import io.hearth.balancer.state.LocalBytes;
import io.hearth.balancer.state.Pin;
import io.hearth.balancer.state.RegionState;
import io.hearth.balancer.state.ServerState;
import io.hearth.common.model.LoadDimension;
import io.hearth.common.model.ServerId;
import io.hearth.common.model.TableId;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Small clusters on which one thing decides, and what the plan says of it. */
class PlanReasonsTest {

    private static final PlanGoals GOALS = PlanGoals.of(
                    Map.of(LoadDimension.READS, new DimensionGoal(200, 1.1, 1.03, 1)))
            .withCounts(RegionCountGoal.DEFAULT.withSlop(-1));

    private final DirectedPlanner planner = new DirectedPlanner();

    private static RegionState with(int index, double reads, Pin pin, LocalBytes local) {
        RegionState free = region(index, reads, 0, 0);
        return new RegionState(free.region(), free.region(), free.table(), free.plannedLoad(), pin, local);
    }

    private static RegionState replica(int index, int primary, double reads) {
        RegionState free = region(index, reads, 0, 0);
        return new RegionState(
                free.region(),
                region(primary, 0, 0, 0).region(),
                free.table(),
                free.plannedLoad(),
                Pin.FREE,
                LocalBytes.UNKNOWN);
    }

    @Test
    void aServerOfTwiceTheCapacityHasTwiceTheFairShare() {
        Map<ServerId, List<RegionState>> regions = Map.of(
                server(0), List.of(region(1, 50, 0, 0), region(2, 50, 0, 0), region(3, 50, 0, 0)),
                server(1), List.of());
        Map<ServerId, ServerState> states = Map.of(server(0), new ServerState(server(0), ServerState.UNKNOWN_RACK, 2));

        Plan plan = planner.plan(ClusterState.of(regions, states), GOALS);

        assertThat(plan.outcome(LoadDimension.READS).maxOverMeanBefore()).isCloseTo(1.5, within(1e-9));
        assertThat(plan.outcome(LoadDimension.READS).maxOverMeanAfter()).isCloseTo(1, within(1e-9));
        assertThat(plan.moves()).hasSize(1);
    }

    @Test
    void ofServersAlikeTheOneWithTheBytesWins() {
        LocalBytes onThree = LocalBytes.of(1000, Map.of("rs0000", 1000L, "rs0003", 600L));
        Map<ServerId, List<RegionState>> regions = Map.of(
                server(0), List.of(with(1, 50, Pin.FREE, onThree), with(2, 50, Pin.FREE, onThree)),
                server(1), List.of(region(3, 20, 0, 0)),
                server(2), List.of(region(4, 20, 0, 0)),
                server(3), List.of(region(5, 20, 0, 0)));

        Plan plan = planner.plan(ClusterState.of(regions), GOALS);

        PlannedMove move = plan.moves().get(0);
        assertThat(move.to()).isEqualTo(server(3));
        assertThat(move.score().bytesToHeal()).hasValue(400);
        assertThat(move.runnerUp()).hasValueSatisfying(second -> assertThat(second.weakerIn())
                .isIn(Objective.BYTES_TO_HEAL, Objective.READS));
    }

    /** Its DataNode has the blocks of a third of the regions: those come back, nothing is copied for them, and that is counted. */
    @Test
    void aServerThatCameBackGetsBackWhatItsHostHas() {
        Map<ServerId, List<RegionState>> regions = new TreeMap<>();
        for (int server = 0; server < 3; server++) {
            List<RegionState> ofServer = new ArrayList<>();
            for (int number = 0; number < 6; number++) {
                Map<String, Long> hosts = new HashMap<>(Map.of("rs000" + server, 1000L));
                if (number >= 4) {
                    hosts.put("rs0003", 900L);
                }
                ofServer.add(with(server * 6 + number, 50, Pin.FREE, LocalBytes.of(1000, hosts)));
            }
            regions.put(server(server), ofServer);
        }
        regions.put(server(3), List.of());

        Plan plan = planner.plan(ClusterState.of(regions), GOALS);

        assertThat(plan.moves())
                .hasSizeGreaterThanOrEqualTo(4)
                .allSatisfy(move -> assertThat(move.to()).isEqualTo(server(3)))
                .allSatisfy(move -> assertThat(move.score().bytesToHeal()).hasValue(100));
        assertThat(plan.heal())
                .isEqualTo(new LocalityOutcome(
                        100 * plan.moves().size(), 0, 900 * plan.moves().size()));
    }

    @Test
    void aBudgetIsHardAndSaidSo() {
        Map<ServerId, List<RegionState>> regions =
                Map.of(server(0), List.of(region(1, 50, 0, 0), region(2, 50, 0, 0)), server(1), List.of());
        PlanGoals spent = GOALS.withLimits(PlanLimits.DEFAULT.withMovesLeftByTable(Map.of(new TableId("t"), 0)));

        Plan plan = planner.plan(ClusterState.of(regions), spent);

        assertThat(plan.moves()).isEmpty();
        assertThat(plan.unmovedRegions()).extracting(UnmovedRegion::reason).containsOnly(UnmovedReason.TABLE_BUDGET);
        assertThat(plan.unmovedRegions().get(0).reason().text())
                .isEqualTo("its table has had all its moves of this hour (HEARTH_MAX_MOVES_PER_HOUR)");
    }

    private static final PlanGoals NONE_LEFT =
            GOALS.withLimits(PlanLimits.DEFAULT.withMovesLeftByTable(Map.of(new TableId("t"), 0)));

    @Test
    void replicasPartWhateverTheBudget() {
        Map<ServerId, List<RegionState>> together =
                Map.of(server(0), List.of(region(1, 5, 0, 0), replica(3, 1, 5)), server(1), List.of());

        assertThat(planner.plan(ClusterState.of(together), NONE_LEFT).moves())
                .extracting(PlannedMove::because)
                .containsExactly(Objective.REPLICAS);
    }

    @Test
    void numbersOfRegionsAreBroughtIntoSlopWhateverTheBudgetAndNothingMovesForHeat() {
        List<RegionState> many = IntStream.rangeClosed(1, 12)
                .mapToObj(number -> region(number, number == 1 ? 90 : 1, 0, 0))
                .toList();
        Map<ServerId, List<RegionState>> regions = Map.of(server(0), many, server(1), List.of());

        Plan plan = planner.plan(ClusterState.of(regions), NONE_LEFT.withCounts(RegionCountGoal.DEFAULT));

        assertThat(plan.moves())
                .hasSizeGreaterThanOrEqualTo(4)
                .extracting(PlannedMove::because)
                .containsOnly(Objective.REGION_COUNT);
    }

    /** Three moves mend the numbers, and leave the one that heat may have. */
    @Test
    void whatMendsARuleTakesNothingFromTheBudget() {
        List<RegionState> onZero = List.of(
                region(1, 40, 0, 0), region(2, 40, 0, 0), region(3, 5, 0, 0), replica(4, 1, 0), replica(5, 2, 0));
        Map<ServerId, List<RegionState>> regions =
                Map.of(server(0), onZero, server(1), List.of(region(6, 5, 0, 0)), server(2), List.of());

        Plan plan = planner.plan(
                ClusterState.of(regions),
                GOALS.withLimits(PlanLimits.DEFAULT.withMovesLeftByTable(Map.of(new TableId("t"), 1))));

        assertThat(plan.moves())
                .extracting(PlannedMove::because)
                .containsExactlyInAnyOrder(Objective.REPLICAS, Objective.REPLICAS, Objective.READS);
    }

    @Test
    void replicasStayApartAndThoseTogetherArePartedFirst() {
        Map<ServerId, List<RegionState>> apart = Map.of(
                server(0), List.of(region(1, 50, 0, 0), region(2, 50, 0, 0)),
                server(1), List.of(replica(3, 1, 0), replica(4, 2, 0)));
        Plan stay = planner.plan(ClusterState.of(apart), GOALS);
        assertThat(stay.moves()).isEmpty();
        assertThat(stay.unmovedRegions()).extracting(UnmovedRegion::reason).containsOnly(UnmovedReason.REPLICA_ON_HOST);

        Map<ServerId, List<RegionState>> together =
                Map.of(server(0), List.of(region(1, 5, 0, 0), replica(3, 1, 5)), server(1), List.of());
        assertThat(planner.plan(ClusterState.of(together), GOALS).moves())
                .singleElement()
                .satisfies(move -> assertThat(move.because()).isEqualTo(Objective.REPLICAS));
    }

    @Test
    void aServerThatIsNoTargetGivesButDoesNotTake() {
        Map<ServerId, List<RegionState>> regions =
                Map.of(server(0), List.of(region(1, 50, 0, 0), region(2, 50, 0, 0)), server(1), List.of());
        Map<ServerId, ServerState> states =
                Map.of(server(1), new ServerState(server(1), ServerState.UNKNOWN_RACK, 1, false));

        Plan plan = planner.plan(ClusterState.of(regions, states), GOALS);

        assertThat(plan.moves()).isEmpty();
        assertThat(plan.unmovedRegions()).extracting(UnmovedRegion::reason).containsOnly(UnmovedReason.NOT_A_TARGET);
    }

    /** One region of 3 fair shares beside small ones: nothing is moved around it, and it is to be split. */
    @Test
    void nothingIsMovedAroundARegionAboveAFairShare() {
        Map<ServerId, List<RegionState>> regions = Map.of(
                server(0), List.of(region(1, 90, 0, 0), region(2, 1, 0, 0), region(3, 1, 0, 0)),
                server(1), List.of(region(4, 10, 0, 0)),
                server(2), List.of(region(5, 10, 0, 0)),
                server(3), List.of(region(6, 10, 0, 0)));

        Plan plan = planner.plan(ClusterState.of(regions), GOALS);

        assertThat(plan.moves()).isEmpty();
        assertThat(plan.unmovedRegions().get(0).region())
                .isEqualTo(region(1, 0, 0, 0).region());
        assertThat(plan.unmovedRegions().get(0).reason().text())
                .isEqualTo(
                        "it alone has more than a server's fair share; only a split helps (rates do not tell at which key)");
        assertThat(plan.outcome(LoadDimension.READS).lowerBound()).isCloseTo(90 / 30.5, within(1e-9));
    }

    @Test
    void thePlanExplainsItself() {
        Map<ServerId, List<RegionState>> regions = Map.of(
                server(0), List.of(region(1, 4, 0, 0), region(2, 3, 0, 0), region(3, 2, 0, 0), region(4, 1, 0, 0)),
                server(1), List.of(region(5, 1, 0, 0), with(6, 1, Pin.COOL_DOWN, LocalBytes.UNKNOWN)));

        assertThat(planner.plan(ClusterState.of(regions), GOALS).explain())
                .containsExactly(
                        "1 move; max/mean of reads 1.67 -> 1.00, "
                                + Arrays.stream(LoadDimension.values())
                                        .skip(1)
                                        .map(dimension -> dimension.label() + " 1.00 -> 1.00")
                                        .collect(Collectors.joining(", ")),
                        "reads: max/mean 1.667 -> 1.000; no plan comes below 1.000, or there with fewer than 1 move",
                        "regions of a server: 2 to 4 -> 3 to 3; imbalance 0.3333 -> 0.0000",
                        "bytes to heal: 0; on the targets' hosts already: 0, and those of 1 move that nobody knows",
                        "pinned: 1, because it was moved a short while ago",
                        "gain: what moves count by, after their costs; at weight 200 one server that comes 1 % of its fair share"
                                + " nearer to its target is a gain of 2",
                        "move r000001 of t from rs0000,16020,1 to rs0001,16020,1 for reads: gain 177.13 (reads +180.67, cold"
                                + " cache -3.33, unavailability -0.20)",
                        "  rather than r000002 from rs0000,16020,1 to rs0001,16020,1: gain 147.30, behind in reads");
    }

    @Test
    void anEmptyClusterHasAnEmptyPlan() {
        assertThat(planner.plan(ClusterState.of(Map.of()), GOALS).moves()).isEmpty();
        assertThat(planner.plan(ClusterState.of(Map.of(server(0), List.of())), GOALS)
                        .moves())
                .isEmpty();
    }
}
