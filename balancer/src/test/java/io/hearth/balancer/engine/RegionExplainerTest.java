// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.balancer.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.hearth.balancer.config.BalancerConfig;
import io.hearth.balancer.engine.RegionExplainer.AskedRegion;
import io.hearth.balancer.plan.PlanGoals;
import io.hearth.balancer.plan.PlannedMove;
import io.hearth.balancer.plan.RegionReason;
import io.hearth.balancer.plan.RejectedStockMove;
import io.hearth.balancer.plan.UnmovedReason;
import io.hearth.balancer.planner.DirectedPlanner;
import io.hearth.balancer.state.ClusterState;
import io.hearth.balancer.state.Pin;
import io.hearth.balancer.state.RegionState;
import io.hearth.common.config.RawSettings.MapSettings;
import io.hearth.common.model.EncodedRegionName;
import io.hearth.common.model.LoadVector;
import io.hearth.common.model.ServerId;
import io.hearth.common.model.TableId;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

class RegionExplainerTest {

    private static final TableId TABLE = new TableId("t");
    private static final ServerId HOT = new ServerId("hot", 16020, 1);
    private static final ServerId COOL = new ServerId("cool", 16020, 1);

    private static final ClusterState SNAPSHOT = ClusterState.of(Map.of(
            HOT,
            List.of(
                    region("h1", 500, Pin.FREE),
                    region("h2", 500, Pin.FREE),
                    region("pinned", 100, Pin.MOVED_MANUALLY)),
            COOL,
            List.of(region("c1", 50, Pin.FREE), region("c2", 50, Pin.FREE), region("c3", 50, Pin.FREE))));

    private final BalanceEngine engine = new BalanceEngine(
            BalancerConfig.read("test", new MapSettings(Map.of()), key -> false), new DirectedPlanner()::plan);

    private static RegionState region(String name, double reads, Pin pin) {
        return new RegionState(new EncodedRegionName(name), TABLE, LoadVector.ofReads(reads), pin);
    }

    private static Set<AskedRegion> asked(String... names) {
        return Set.of(names).stream().map(name -> asked(name, TABLE, HOT)).collect(Collectors.toSet());
    }

    private static AskedRegion asked(String name, TableId table, ServerId server) {
        return new AskedRegion(new EncodedRegionName(name), table, Optional.of(server), false);
    }

    private boolean decide() {
        engine.decide("all", SNAPSHOT, engine.goals(HBasePlanLimits.of(0.2, SNAPSHOT.regionCount(), 1), 0), 0);
        return true;
    }

    private List<RegionReason> explain(String... names) throws IOException {
        return new RegionExplainer(engine, this::decide, new DirectedPlanner()).explain(asked(names));
    }

    /** The plan is the run's own: the region that it moves is said to move, and the one that stays has its reason. */
    @Test
    void everyRegionThatIsAskedForHasItsReason() throws IOException {
        List<RegionReason> reasons = explain("h1", "h2", "pinned", "c1");

        assertThat(reasons).extracting(RegionReason::region).containsExactlyInAnyOrder("h1", "h2", "pinned", "c1");
        Set<String> moved = engine.decisions().get(0).plan().moves().stream()
                .map(move -> move.region().encodedName())
                .collect(Collectors.toSet());
        assertThat(moved).containsAnyOf("h1", "h2");
        assertThat(reasons).allSatisfy(one -> assertThat(one.reason().equals(RegionReason.MOVED))
                .isEqualTo(moved.contains(one.region())));
        assertThat(reason(reasons, "h1").server()).isEqualTo("hot,16020,1");
        assertThat(reason(reasons, "pinned").reason()).isEqualTo(UnmovedReason.MOVED_MANUALLY.name());
    }

    private static RegionReason reason(List<RegionReason> reasons, String region) {
        return reasons.stream()
                .filter(one -> one.region().equals(region))
                .findFirst()
                .orElseThrow();
    }

    private static StockPlanReview review(String region, ServerId from, ServerId to) {
        RejectedStockMove rejected = new RejectedStockMove(
                5,
                new EncodedRegionName(region),
                TABLE,
                from,
                to,
                UnmovedReason.STOCK_MOVE_HEATS,
                "the plan would take it too far");
        return new StockPlanReview(
                new TreeMap<>(), new TreeMap<>(Map.of(rejected.region(), rejected)), Optional.empty());
    }

    /** What keeps the stock balancer from moving a region tells more than that load asks for no move. */
    @Test
    void aRegionThatTheStockBalancerMayNotMoveHasThatReason() throws IOException {
        RegionExplainer.DryRun run = () -> {
            decide();
            engine.stockPlanReviewed(review("c1", COOL, HOT));
            engine.stockPlanReviewed(review("c2", COOL, HOT));
            return true;
        };

        List<RegionReason> reasons = new RegionExplainer(engine, run, new DirectedPlanner()).explain(asked("c1", "h1"));

        assertThat(reasons).extracting(RegionReason::region).containsExactlyInAnyOrder("c1", "h1");
        assertThat(reason(reasons, "c1"))
                .isEqualTo(new RegionReason(
                        "c1",
                        "t",
                        "cool,16020,1",
                        "STOCK_MOVE_HEATS",
                        "c1 of t stays on cool,16020,1, the stock plan's move to hot,16020,1 is not made:"
                                + " the plan would take it too far"));
    }

    /** Broken (only what is rejected is looked at): it was said to stay, because no server is above its trigger. */
    @Test
    void aRegionThatTheStockBalancerMovesIsSaidToMove() throws IOException {
        StockPlanReview review = new StockPlanReview(
                new TreeMap<>(Map.of(new EncodedRegionName("pinned"), COOL)), new TreeMap<>(), Optional.empty());
        RegionExplainer.DryRun run = () -> {
            engine.stockPlanReviewed(review("pinned", HOT, COOL));
            decide();
            engine.stockPlanReviewed(review);
            return true;
        };

        assertThat(new RegionExplainer(engine, run, new DirectedPlanner()).explain(asked("pinned")))
                .containsExactly(new RegionReason(
                        "pinned",
                        "t",
                        "hot,16020,1",
                        "MOVED_BY_STOCK",
                        "the stock balancer moves pinned of t from hot,16020,1 to cool,16020,1,"
                                + " which takes no server above its trigger"));
    }

    /** Broken (why the plan is not carried out is not kept): a region that nobody moves was said to move. */
    @Test
    void aMoveThatIsOnlyAdvisedIsSaidToBe() throws IOException {
        BalanceEngine advises = new BalanceEngine(
                BalancerConfig.read("test", new MapSettings(Map.of("hearth.balancer.mode", "advise")), key -> false),
                new DirectedPlanner()::plan);
        RegionExplainer.DryRun run = () -> {
            advises.decide("all", SNAPSHOT, advises.goals(HBasePlanLimits.of(0.2, SNAPSHOT.regionCount(), 1), 0), 0);
            return true;
        };

        List<RegionReason> reasons =
                new RegionExplainer(advises, run, new DirectedPlanner()).explain(asked("h1", "h2", "pinned"));

        assertThat(reasons)
                .filteredOn(reason -> !reason.region().equals("pinned"))
                .anySatisfy(reason -> assertThat(reason.text())
                        .startsWith("move " + reason.region() + " of t from hot,16020,1 to cool,16020,1")
                        .endsWith("; it is not carried out: hearth.balancer.mode is advise"))
                .extracting(RegionReason::reason)
                .contains("ADVISED")
                .doesNotContain("MOVED");
        assertThat(reason(reasons, "pinned").reason()).isEqualTo("MOVED_MANUALLY");
    }

    /** A run of the master's own may come between. */
    @Test
    void ofTwoRunsTheLastOneCounts() throws IOException {
        RegionExplainer.DryRun run = () -> {
            engine.stockPlanReviewed(review("pinned", HOT, COOL));
            return decide();
        };

        List<RegionReason> reasons = new RegionExplainer(engine, run, new DirectedPlanner()).explain(asked("pinned"));

        assertThat(reasons).extracting(RegionReason::reason).containsExactly(UnmovedReason.MOVED_MANUALLY.name());
    }

    @Test
    void theNewestRejectedMoveOfEachRegionIsKept() {
        for (int number = 0; number < BalanceEngine.RejectedMoveLog.KEPT + 2; number++) {
            engine.stockPlanReviewed(review("r" + number, COOL, HOT));
        }
        engine.stockPlanReviewed(review("r5", HOT, COOL));

        assertThat(engine.rejectedStockMoves()).hasSize(BalanceEngine.RejectedMoveLog.KEPT);
        assertThat(engine.rejectedStockMoves().get(0))
                .returns("r5", move -> move.region().encodedName())
                .returns(HOT, RejectedStockMove::from);
        assertThat(engine.rejectedStockMoves())
                .extracting(move -> move.region().encodedName())
                .doesNotHaveDuplicates()
                .doesNotContain("r0", "r1")
                .contains("r2");
    }

    /** Broken (they stay for ever): the page would name a move as not made that the next run made. */
    @Test
    void aRejectedMoveIsForgottenWhenALaterPlanMovesItsRegion() {
        List.of("h1", "h2", "c1", "other").forEach(name -> engine.stockPlanReviewed(review(name, HOT, COOL)));
        engine.stockMoveApplied(new EncodedRegionName("other"), TABLE, HOT, COOL, 0);
        PlanGoals goals = engine.goals(HBasePlanLimits.of(0.2, SNAPSHOT.regionCount(), 1), 0);
        Decision decision = engine.decide("all", SNAPSHOT, goals, 0);
        engine.planApplied(decision, SNAPSHOT, goals, 0);

        Set<EncodedRegionName> moved =
                decision.plan().moves().stream().map(PlannedMove::region).collect(Collectors.toSet());
        assertThat(moved).containsAnyOf(new EncodedRegionName("h1"), new EncodedRegionName("h2"));
        assertThat(engine.rejectedStockMoves())
                .extracting(RejectedStockMove::region)
                .isNotEmpty()
                .doesNotContain(new EncodedRegionName("other"))
                .doesNotContainAnyElementsOf(moved);
    }

    private static String text(RegionExplainer explainer, AskedRegion region) throws IOException {
        RegionReason reason = explainer.explain(List.of(region)).get(0);
        return reason.reason() + " " + reason.text();
    }

    /** Broken (why there is no plan is not kept): five reasons are named for it, of which one may hold. */
    @Test
    void aRegionThatNoPlanIsAboutIsToldWhyThereIsNone() throws IOException {
        ServerId alone = new ServerId("alone", 16020, 1);
        RegionExplainer explainer = new RegionExplainer(
                engine,
                () -> {
                    engine.notPlanned("u", () -> Set.of(HOT, COOL), "the run had no time left");
                    engine.notPlanned("hbase:ensemble", () -> Set.of(alone), "there is only alone,16020,1");
                    return decide();
                },
                new DirectedPlanner());

        assertThat(text(explainer, asked("u1", new TableId("u"), HOT)))
                .isEqualTo("NO_PLAN u1 of u stays on hot,16020,1: no plan is made for it: the run had no time left");
        assertThat(text(explainer, asked("t9", TABLE, alone)))
                .as("of another RSGroup")
                .isEqualTo(
                        "NO_PLAN t9 of t stays on alone,16020,1: no plan is made for it: there is only alone,16020,1");
        assertThat(text(explainer, asked("t9", TABLE, HOT)))
                .isEqualTo("NO_PLAN t9 of t stays on hot,16020,1: no plan is made for it: the run was not about it;"
                        + " ask again, it may have moved meanwhile");
    }

    /** HBase takes such servers out before it plans, so that no run says a word about their regions. */
    @Test
    void aRegionOnADrainingServerIsToldSo() throws IOException {
        AskedRegion region = new AskedRegion(new EncodedRegionName("d"), TABLE, Optional.of(COOL), true);

        assertThat(text(new RegionExplainer(engine, this::decide, new DirectedPlanner()), region))
                .isEqualTo("SERVER_DRAINING d of t stays on cool,16020,1: its server is draining or decommissioned, and"
                        + " HBase balances without it");
    }

    @Test
    void aRegionThatIsNotOpenIsToldSo() throws IOException {
        AskedRegion region = new AskedRegion(new EncodedRegionName("c"), TABLE, Optional.empty(), false);

        assertThat(text(new RegionExplainer(engine, this::decide, new DirectedPlanner()), region))
                .isEqualTo("REGION_NOT_OPEN c of t is on no server: it is not open");
    }

    @Test
    void whereTheBalancerIsOffThatIsWhy() throws IOException {
        BalanceEngine off = new BalanceEngine(
                BalancerConfig.read("test", new MapSettings(Map.of("hearth.balancer.mode", "off")), key -> false),
                new DirectedPlanner()::plan);

        assertThat(text(new RegionExplainer(off, () -> true, new DirectedPlanner()), asked("t9", TABLE, HOT)))
                .isEqualTo(
                        "BALANCER_OFF t9 of t stays on hot,16020,1: hearth.balancer.mode is off: no plan is made for heat");
    }

    @Test
    void whereThereCanBeNoRunThatIsSaidAndNobodyListensAnyLonger() {
        RegionExplainer explainer = new RegionExplainer(engine, () -> false, new DirectedPlanner());

        assertThatThrownBy(() -> explainer.explain(asked("h1"))).isInstanceOf(RegionExplainer.NoRunException.class);
        assertThat(engine.hasPlanListeners()).isFalse();
    }
}
