package io.hearth.balancer.search;

import static io.hearth.balancer.search.RandomClusters.region;
import static io.hearth.balancer.search.RandomClusters.server;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.hearth.balancer.load.LoadDimension;
import io.hearth.balancer.load.ServerId;
import io.hearth.balancer.load.TableId;
import io.hearth.balancer.plan.Concern;
import io.hearth.balancer.plan.CountGoal;
import io.hearth.balancer.plan.DimensionGoal;
import io.hearth.balancer.plan.HardRule;
import io.hearth.balancer.plan.NotMoved;
import io.hearth.balancer.plan.Plan;
import io.hearth.balancer.plan.PlanGoals;
import io.hearth.balancer.plan.PlanLimits;
import io.hearth.balancer.plan.PlannedMove;
import io.hearth.balancer.snapshot.ClusterSnapshot;
import io.hearth.balancer.snapshot.LocalBytes;
import io.hearth.balancer.snapshot.Pin;
import io.hearth.balancer.snapshot.RegionState;
import io.hearth.balancer.snapshot.ServerState;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Small clusters on which one thing decides, and what the plan says of it. */
class PlanReasonsTest {

    private static final PlanGoals GOALS = PlanGoals.of(
                    Map.of(LoadDimension.READS, new DimensionGoal(200, 1.1, 1.03, 1)))
            .withCounts(CountGoal.DEFAULT.withSlop(-1));

    private final DirectedPlanner planner = new DirectedPlanner();

    private static RegionState with(int index, double reads, Pin pin, LocalBytes local) {
        RegionState free = region(index, reads, 0, 0);
        return new RegionState(free.region(), free.region(), free.table(), free.load(), pin, local);
    }

    private static RegionState replica(int index, int primary, double reads) {
        RegionState free = region(index, reads, 0, 0);
        return new RegionState(
                free.region(),
                region(primary, 0, 0, 0).region(),
                free.table(),
                free.load(),
                Pin.FREE,
                LocalBytes.UNKNOWN);
    }

    @Test
    void aServerOfTwiceTheCapacityHasTwiceTheFairShare() {
        Map<ServerId, List<RegionState>> regions = Map.of(
                server(0), List.of(region(1, 50, 0, 0), region(2, 50, 0, 0), region(3, 50, 0, 0)),
                server(1), List.of());
        Map<ServerId, ServerState> states = Map.of(server(0), new ServerState(server(0), ServerState.UNKNOWN_RACK, 2));

        Plan plan = planner.plan(ClusterSnapshot.of(regions, states), GOALS);

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

        Plan plan = planner.plan(ClusterSnapshot.of(regions), GOALS);

        PlannedMove move = plan.moves().get(0);
        assertThat(move.to()).isEqualTo(server(3));
        assertThat(move.merit().bytesToHeal()).hasValue(400);
        assertThat(move.runnerUp())
                .hasValueSatisfying(second -> assertThat(second.lostFor()).isIn(Concern.BYTES_TO_HEAL, Concern.READS));
    }

    @Test
    void aBudgetIsHardAndSaidSo() {
        Map<ServerId, List<RegionState>> regions =
                Map.of(server(0), List.of(region(1, 50, 0, 0), region(2, 50, 0, 0)), server(1), List.of());
        PlanGoals spent = GOALS.withLimits(PlanLimits.DEFAULT.withMovesLeftByTable(Map.of(new TableId("t"), 0)));

        Plan plan = planner.plan(ClusterSnapshot.of(regions), spent);

        assertThat(plan.moves()).isEmpty();
        assertThat(plan.notMoved()).extracting(NotMoved::rule).containsOnly(Optional.of(HardRule.TABLE_BUDGET));
        assertThat(plan.notMoved().get(0).why())
                .isEqualTo("its table has had all its moves of this hour (HEARTH_MAX_MOVES_PER_HOUR)");
    }

    private static final PlanGoals NONE_LEFT =
            GOALS.withLimits(PlanLimits.DEFAULT.withMovesLeftByTable(Map.of(new TableId("t"), 0)));

    @Test
    void replicasPartWhateverTheBudget() {
        Map<ServerId, List<RegionState>> together =
                Map.of(server(0), List.of(region(1, 5, 0, 0), replica(3, 1, 5)), server(1), List.of());

        assertThat(planner.plan(ClusterSnapshot.of(together), NONE_LEFT).moves())
                .extracting(PlannedMove::because)
                .containsExactly(Concern.REPLICAS);
    }

    @Test
    void numbersOfRegionsAreBroughtIntoSlopWhateverTheBudgetAndNothingMovesForHeat() {
        List<RegionState> many = IntStream.rangeClosed(1, 12)
                .mapToObj(number -> region(number, number == 1 ? 90 : 1, 0, 0))
                .toList();
        Map<ServerId, List<RegionState>> regions = Map.of(server(0), many, server(1), List.of());

        Plan plan = planner.plan(ClusterSnapshot.of(regions), NONE_LEFT.withCounts(CountGoal.DEFAULT));

        assertThat(plan.moves())
                .hasSizeGreaterThanOrEqualTo(4)
                .extracting(PlannedMove::because)
                .containsOnly(Concern.REGION_COUNT);
    }

    /** Three moves mend the numbers, and leave the one that heat may have. */
    @Test
    void whatMendsARuleTakesNothingFromTheBudget() {
        List<RegionState> onZero = List.of(
                region(1, 40, 0, 0), region(2, 40, 0, 0), region(3, 5, 0, 0), replica(4, 1, 0), replica(5, 2, 0));
        Map<ServerId, List<RegionState>> regions =
                Map.of(server(0), onZero, server(1), List.of(region(6, 5, 0, 0)), server(2), List.of());

        Plan plan = planner.plan(
                ClusterSnapshot.of(regions),
                GOALS.withLimits(PlanLimits.DEFAULT.withMovesLeftByTable(Map.of(new TableId("t"), 1))));

        assertThat(plan.moves())
                .extracting(PlannedMove::because)
                .containsExactlyInAnyOrder(Concern.REPLICAS, Concern.REPLICAS, Concern.READS);
    }

    @Test
    void replicasStayApartAndThoseTogetherArePartedFirst() {
        Map<ServerId, List<RegionState>> apart = Map.of(
                server(0), List.of(region(1, 50, 0, 0), region(2, 50, 0, 0)),
                server(1), List.of(replica(3, 1, 0), replica(4, 2, 0)));
        Plan stay = planner.plan(ClusterSnapshot.of(apart), GOALS);
        assertThat(stay.moves()).isEmpty();
        assertThat(stay.notMoved()).extracting(NotMoved::rule).containsOnly(Optional.of(HardRule.REPLICA_ON_HOST));

        Map<ServerId, List<RegionState>> together =
                Map.of(server(0), List.of(region(1, 5, 0, 0), replica(3, 1, 5)), server(1), List.of());
        assertThat(planner.plan(ClusterSnapshot.of(together), GOALS).moves())
                .singleElement()
                .satisfies(move -> assertThat(move.because()).isEqualTo(Concern.REPLICAS));
    }

    @Test
    void aServerThatIsNoTargetGivesButDoesNotTake() {
        Map<ServerId, List<RegionState>> regions =
                Map.of(server(0), List.of(region(1, 50, 0, 0), region(2, 50, 0, 0)), server(1), List.of());
        Map<ServerId, ServerState> states =
                Map.of(server(1), new ServerState(server(1), ServerState.UNKNOWN_RACK, 1, false));

        Plan plan = planner.plan(ClusterSnapshot.of(regions, states), GOALS);

        assertThat(plan.moves()).isEmpty();
        assertThat(plan.notMoved()).extracting(NotMoved::rule).containsOnly(Optional.of(HardRule.NOT_A_TARGET));
    }

    /** One region of 3 fair shares beside small ones: nothing is moved around it, and it is to be split. */
    @Test
    void nothingIsMovedAroundARegionAboveAFairShare() {
        Map<ServerId, List<RegionState>> regions = Map.of(
                server(0), List.of(region(1, 90, 0, 0), region(2, 1, 0, 0), region(3, 1, 0, 0)),
                server(1), List.of(region(4, 10, 0, 0)),
                server(2), List.of(region(5, 10, 0, 0)),
                server(3), List.of(region(6, 10, 0, 0)));

        Plan plan = planner.plan(ClusterSnapshot.of(regions), GOALS);

        assertThat(plan.moves()).isEmpty();
        assertThat(plan.notMoved().get(0).region()).isEqualTo(region(1, 0, 0, 0).region());
        assertThat(plan.notMoved().get(0).why())
                .isEqualTo(
                        "it alone has more than a server's fair share; only a split helps (rates do not tell at which key)");
        assertThat(plan.outcome(LoadDimension.READS).lowerBound()).isCloseTo(90 / 30.5, within(1e-9));
    }

    @Test
    void thePlanExplainsItself() {
        Map<ServerId, List<RegionState>> regions = Map.of(
                server(0), List.of(region(1, 4, 0, 0), region(2, 3, 0, 0), region(3, 2, 0, 0), region(4, 1, 0, 0)),
                server(1), List.of(region(5, 1, 0, 0), with(6, 1, Pin.COOLING, LocalBytes.UNKNOWN)));

        assertThat(planner.plan(ClusterSnapshot.of(regions), GOALS).explain())
                .containsExactly(
                        "1 move; max/mean of reads 1.67 -> 1.00, writes 1.00 -> 1.00, store size 1.00 -> 1.00, memstore 1.00"
                                + " -> 1.00",
                        "reads: max/mean 1.667 -> 1.000; no plan comes below 1.000, or there with fewer than 1 move",
                        "regions of a server: 2 to 4 -> 3 to 3; imbalance 0.3333 -> 0.0000",
                        "bytes to heal: 0, and those of 1 move that nobody knows",
                        "pinned: 1, because it was moved a short while ago",
                        "move r000001 of t from rs0000,16020,1 to rs0001,16020,1 for reads: gain 177.13 (reads +180.67, cold"
                                + " cache -3.33, unavailability -0.20)",
                        "  rather than r000002 from rs0000,16020,1 to rs0001,16020,1: gain 147.30, behind in reads");
    }

    @Test
    void anEmptyClusterHasAnEmptyPlan() {
        assertThat(planner.plan(ClusterSnapshot.of(Map.of()), GOALS).moves()).isEmpty();
        assertThat(planner.plan(ClusterSnapshot.of(Map.of(server(0), List.of())), GOALS)
                        .moves())
                .isEmpty();
    }
}
