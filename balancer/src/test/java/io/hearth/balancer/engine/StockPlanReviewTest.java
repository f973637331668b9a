// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.balancer.engine;

import static org.assertj.core.api.Assertions.assertThat;

import io.hearth.balancer.plan.PlanGoals;
import io.hearth.balancer.plan.PlanGoals.DimensionGoal;
import io.hearth.balancer.plan.PlanGoals.PlanLimits;
import io.hearth.balancer.plan.PlanGoals.RegionCountGoal;
import io.hearth.balancer.plan.RejectedStockMove;
import io.hearth.balancer.plan.UnmovedReason;
import io.hearth.balancer.state.ClusterState;
import io.hearth.balancer.state.LocalBytes;
import io.hearth.balancer.state.Pin;
import io.hearth.balancer.state.RegionState;
import io.hearth.common.model.EncodedRegionName;
import io.hearth.common.model.LoadDimension;
import io.hearth.common.model.LoadVector;
import io.hearth.common.model.ServerId;
import io.hearth.common.model.TableId;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Stock plans that are cut short because a region of them is to stay. */
class StockPlanReviewTest {

    private static final PlanGoals GOALS =
            PlanGoals.of(Map.of(LoadDimension.READS, new DimensionGoal(200, 1.1, 1.03, 1)));
    private static final ServerId A = new ServerId("a", 16020, 1);
    private static final ServerId B = new ServerId("b", 16020, 1);
    private static final ServerId C = new ServerId("c", 16020, 1);
    private static final String MEETS =
            "it would come to a host or rack with another replica of its region, whose own move is not made";

    private static final long AT_MS = 1234;

    private static Map<EncodedRegionName, String> why(StockPlanReview review) {
        return review.rejected().entrySet().stream()
                .collect(Collectors.toMap(
                        Map.Entry::getKey, rejected -> rejected.getValue().why()));
    }

    private static EncodedRegionName id(String name) {
        return new EncodedRegionName(name);
    }

    private static RegionState region(String name, String primary, Pin pin) {
        return new RegionState(id(name), id(primary), new TableId("t"), LoadVector.ZERO, pin, LocalBytes.UNKNOWN);
    }

    private static ClusterState cluster(Pin pinOfPrimary) {
        return ClusterState.of(Map.of(
                A, List.of(region("x", "x", pinOfPrimary), region("p", "p", Pin.FREE)),
                B, List.of(region("x1", "x", Pin.FREE), region("q", "q", Pin.FREE)),
                C, List.of(region("r", "r", Pin.FREE), region("s", "s", Pin.FREE))));
    }

    @Test
    void aReplicaDoesNotComeToTheOneThatHadToLeaveFirst() {
        StockPlanReview review = StockPlanReview.of(
                cluster(Pin.COOL_DOWN),
                GOALS,
                ExcludedServers.NONE,
                Map.of(id("x"), C, id("x1"), A, id("p"), B),
                AT_MS);

        assertThat(why(review)).isEqualTo(Map.of(id("x"), Pin.COOL_DOWN.reason(), id("x1"), MEETS));
        assertThat(review.rejected())
                .containsEntry(
                        id("x"),
                        new RejectedStockMove(
                                AT_MS,
                                id("x"),
                                new TableId("t"),
                                A,
                                C,
                                UnmovedReason.COOL_DOWN,
                                Pin.COOL_DOWN.reason()))
                .extractingByKey(id("x1"))
                .returns(UnmovedReason.REPLICA_ON_HOST, RejectedStockMove::reason)
                .returns(
                        "x1 of t stays on b,16020,1, the stock plan's move to a,16020,1 is not made: " + MEETS,
                        RejectedStockMove::text);
        assertThat(review.refusal()).isEmpty();
    }

    @Test
    void oneAfterTheOtherIsLeft() {
        ClusterState cluster = ClusterState.of(Map.of(
                A, List.of(region("x", "x", Pin.OSCILLATING), region("p", "p", Pin.FREE)),
                B, List.of(region("x1", "x", Pin.FREE), region("q", "q", Pin.FREE)),
                C, List.of(region("x2", "x", Pin.FREE), region("s", "s", Pin.FREE))));

        StockPlanReview review = StockPlanReview.of(
                cluster, GOALS, ExcludedServers.NONE, Map.of(id("x"), C, id("x1"), A, id("x2"), B), AT_MS);

        assertThat(why(review)).isEqualTo(Map.of(id("x"), Pin.OSCILLATING.reason(), id("x1"), MEETS, id("x2"), MEETS));
    }

    /** What the stock balancer moves is for counts, replicas or locality, and a budget is for heat. */
    @ParameterizedTest
    @ValueSource(ints = {0, 1})
    void aBudgetOfATableIsForHeatAndNotForTheStockBalancer(int movesLeft) {
        PlanGoals spent =
                GOALS.withLimits(PlanLimits.DEFAULT.withMovesLeftByTable(Map.of(new TableId("t"), movesLeft)));

        StockPlanReview review = StockPlanReview.of(
                cluster(Pin.FREE), spent, ExcludedServers.NONE, Map.of(id("x"), C, id("x1"), A, id("p"), B), AT_MS);

        assertThat(why(review)).isEmpty();
        assertThat(review.refusal()).isEmpty();
    }

    /** Broken (the stock balancer may fill it): a server on which nothing opens is empty, which is where the stock balancer moves regions. */
    @Test
    void aServerThatIsGivenNoRegionsIsGivenNoneByTheStockBalancerEither() {
        ExcludedServers closed = new ExcludedServers(
                new TreeMap<>(Map.of(C, "3 regions did not open there in the last 10 minutes")), Optional.empty());

        StockPlanReview review =
                StockPlanReview.of(cluster(Pin.FREE), GOALS, closed, Map.of(id("p"), C, id("q"), A, id("r"), B), AT_MS);

        assertThat(why(review))
                .isEqualTo(Map.of(
                        id("p"), "c,16020,1 is given no regions: 3 regions did not open there in the last 10 minutes"));
        assertThat(review.rejected().get(id("p")).reason()).isEqualTo(UnmovedReason.NOT_A_TARGET);
        assertThat(review.refusal()).isEmpty();
    }

    /** Broken (it has too few regions, so the whole plan counts as a repair): the stock balancer may make others hot meanwhile. */
    @Test
    void aServerThatIsGivenNoRegionsIsNoReasonToMakeOthersHot() {
        ExcludedServers closed = new ExcludedServers(new TreeMap<>(Map.of(C, "it is closed")), Optional.empty());
        List<RegionState> ofA =
                IntStream.range(0, 10).mapToObj(StockPlanReviewTest::busy).toList();
        List<RegionState> ofB =
                IntStream.range(10, 20).mapToObj(StockPlanReviewTest::busy).toList();
        ClusterState cluster = ClusterState.of(Map.of(A, ofA, B, ofB, C, List.of()));
        PlanGoals goals = GOALS.withCounts(RegionCountGoal.DEFAULT.withSlop(0.6));

        StockPlanReview review = StockPlanReview.of(cluster, goals, closed, Map.of(id("r10"), A), AT_MS);

        assertThat(why(review))
                .isEqualTo(Map.of(
                        id("r10"),
                        "the plan would take a,16020,1 from 1.50 to 1.65 of its fair share of reads, above 1.10"));
    }

    /** The replica's move falls because that of its region does: heat is why nothing is left. */
    @Test
    void whatHeatBeganIsRefusedForHeatThoughReplicasEndedIt() {
        ClusterState cluster = ClusterState.of(Map.of(
                A, List.of(replica("x", 100), busy(1)),
                B, List.of(replica("x1", 0), replica("q", 200)),
                C, List.of(busy(2), busy(3))));

        StockPlanReview review =
                StockPlanReview.of(cluster, GOALS, ExcludedServers.NONE, Map.of(id("x"), C, id("x1"), A), AT_MS);

        String heats = "the plan would take c,16020,1 from 1.00 to 1.50 of its fair share of reads, above 1.10";
        assertThat(why(review)).isEqualTo(Map.of(id("x"), heats, id("x1"), MEETS));
        assertThat(review.refusal()).contains(heats);
    }

    private static RegionState replica(String name, double reads) {
        return new RegionState(
                id(name),
                id(name.substring(0, 1)),
                new TableId("t"),
                LoadVector.ofReads(reads),
                Pin.FREE,
                LocalBytes.UNKNOWN);
    }

    private static RegionState busy(int number) {
        return new RegionState(id("r" + number), new TableId("t"), LoadVector.ofReads(100), Pin.FREE);
    }

    @Test
    void aWholePlanIsLeftToTheStockBalancer() {
        StockPlanReview review = StockPlanReview.of(
                cluster(Pin.FREE), GOALS, ExcludedServers.NONE, Map.of(id("x"), C, id("x1"), A, id("p"), B), AT_MS);

        assertThat(why(review)).isEmpty();
    }
}
