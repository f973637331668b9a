// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.balancer.engine;

import io.hearth.balancer.config.BalancerConfig;
import io.hearth.balancer.config.TableBudgets;
import io.hearth.balancer.config.TableWeights;
import io.hearth.balancer.heat.HeatModel;
import io.hearth.balancer.heat.RegionHeat;
import io.hearth.balancer.heat.ingest.ServerReport;
import io.hearth.balancer.heat.ingest.ServerReport.ReportBatch;
import io.hearth.balancer.placement.CanaryPlacement;
import io.hearth.balancer.plan.Plan;
import io.hearth.balancer.plan.PlanGoals;
import io.hearth.balancer.plan.RejectedStockMove;
import io.hearth.balancer.state.ClusterState;
import io.hearth.balancer.state.RegionState;
import io.hearth.balancer.tracking.MoveTracker;
import io.hearth.balancer.tracking.PlannedPlacement;
import io.hearth.common.model.EncodedRegionName;
import io.hearth.common.model.LoadDimension;
import io.hearth.common.model.LoadVector;
import io.hearth.common.model.ServerId;
import io.hearth.common.model.TableId;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.Deque;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.Set;
import java.util.SortedMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.BiFunction;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.stream.IntStream;

/**
 * Hearth's balancer without HBase: heat that is learnt from reports, what is remembered between runs, and the planner, on a
 * clock that is handed in. HBase's master and the simulator drive the same engine.
 *
 * <p><b>Use.</b> {@link #observe} with each round of server reports. For each run {@link #runStarted}; for each table of the run
 * (or once, for all of them) {@link #view} to make the regions of a snapshot, {@link #decide} for a plan, and {@link
 * #planApplied} when its moves are handed over.
 *
 * <p>Runs and reports come one at a time: HBase holds the balancer's lock. {@link #decisions}, {@link #tracker} and {@link
 * #heat} may be read by any thread.
 */
public final class BalanceEngine {

    private final HeatModel heat;
    private final MoveTracker tracker;
    private final BiFunction<ClusterState, PlanGoals, Plan> planner;
    private final DecisionLog decisions = new DecisionLog();
    private final AdviceLog advice = new AdviceLog();
    private Function<Set<ServerId>, ? extends Map<ServerId, String>> excludedElsewhere = servers -> Map.of();
    private Supplier<Optional<String>> brake = Optional::empty;
    private volatile Optional<CanaryStatus> canaries = Optional.empty();
    private volatile Set<ServerId> live = Set.of();
    private final FlappingServers flapping = new FlappingServers();
    private final PersistentSkewDetector persistentSkew = new PersistentSkewDetector();
    private BalancerConfig config;
    private TableBudgets budgets = TableBudgets.UNLIMITED;
    private Set<TableId> neverHealed = Set.of();
    private Map<LoadDimension, Double> noiseMargin = Map.of();
    private volatile Optional<CompactPlanInput> lastPlanInput = Optional.empty();
    private final RejectedMoveLog rejectedStockMoves = new RejectedMoveLog();
    private final List<PlanListener> planListeners = new CopyOnWriteArrayList<>();

    /** @param planner how a plan is made, commonly {@code new DirectedPlanner()::plan} */
    public BalanceEngine(BalancerConfig config, BiFunction<ClusterState, PlanGoals, Plan> planner) {
        this.config = config;
        this.planner = planner;
        heat = new HeatModel(config.heat());
        tracker = new MoveTracker(config.tracker(), heat::shiftedAtMs);
    }

    /** Takes new settings; what is learnt and remembered stays. */
    public void configure(BalancerConfig changed, long nowMs) {
        config = changed;
        heat.configure(changed.heat());
        tracker.configure(changed.tracker(), nowMs);
    }

    /** Takes what the tables say of themselves. */
    public void tables(TableWeights newWeights, TableBudgets newBudgets) {
        heat.setWeights(newWeights);
        budgets = newBudgets;
    }

    /** Says which tables no healer makes local: their bytes stay remote where a move leaves them remote. */
    public void neverHealed(Set<TableId> tables) {
        neverHealed = Set.copyOf(tables);
    }

    /**
     * Says which of the servers that it is asked about are given no regions for another reason than what they serve, with the reason as the
     * end of a sentence.
     */
    public void excludedServers(Function<Set<ServerId>, ? extends Map<ServerId, String>> amongServers) {
        excludedElsewhere = amongServers;
    }

    /** Says why plans rest now, as the end of a sentence; empty where nobody brakes. Canary regions are in no plan, and do not rest. */
    public void brake(Supplier<Optional<String>> whyBraked) {
        brake = whyBraked;
    }

    /** Takes how the last run over canary regions has left them; empty where there is no canary table. */
    public void canariesPlaced(Optional<CanaryStatus> placed) {
        canaries = placed;
    }

    /** How the last run over canary regions has left them; empty where there is no canary table, or no run yet. */
    public Optional<CanaryStatus> canaries() {
        return canaries;
    }

    /** The canary table, and how its regions lie when the moves of a run are made. Immutable. */
    public record CanaryStatus(TableId table, CanaryPlacement placement) {}

    /**
     * The servers that are given no regions now: those that serve much less than they did, those on which regions did not open, and those
     * that are restarted again and again.
     */
    public List<ExcludedServers.ExcludedServer> excludedNow() {
        return ExcludedServers.now(heat.suspects(), excludedForOtherReasons(live));
    }

    /** The servers that were restarted three times within an hour, each with the reason as the end of a sentence. Any thread may ask. */
    public SortedMap<ServerId, String> flapping() {
        return flapping.now();
    }

    private Map<ServerId, String> excludedForOtherReasons(Set<ServerId> servers) {
        Map<ServerId, String> reasons = new HashMap<>(flapping.among(servers));
        reasons.putAll(excludedElsewhere.apply(servers));
        return reasons;
    }

    /** Learns from the last report of each live server, where nobody sets our clock. */
    public void observe(Collection<ServerReport> reports, long nowMs) {
        observe(ReportBatch.ofAll(reports), nowMs, nowMs);
    }

    /** Learns from what this look at the cluster brings; {@code monotonicMs} is our own time by a clock that nobody sets. */
    public void observe(ReportBatch batch, long nowMs, long monotonicMs) {
        live = batch.live();
        flapping.observe(live, monotonicMs);
        heat.update(batch, nowMs, monotonicMs);
        tracker.observed(batch, this::requestsPerSecond, nowMs);
    }

    private OptionalDouble requestsPerSecond(EncodedRegionName region) {
        return heat.heat(region) instanceof RegionHeat.Known known
                ? OptionalDouble.of(known.load().requestsPerSecond())
                : OptionalDouble.empty();
    }

    /**
     * The turn of these servers begins in a run: with RSGroups HBase asks for one group after the other.
     *
     * @param serverByRegion as for a run over all
     */
    public void runStarted(
            Set<ServerId> servers, Function<EncodedRegionName, Optional<ServerId>> serverByRegion, long nowMs) {
        runStarted(heat.detectShifts(servers, nowMs), serverByRegion, nowMs);
    }

    /**
     * A run over all servers begins, so that whatever of the last one was to be carried out has been.
     *
     * @param serverByRegion who serves a region as the master has it, which is newer than any report
     */
    public void runStarted(Function<EncodedRegionName, Optional<ServerId>> serverByRegion, long nowMs) {
        runStarted(heat.detectShifts(nowMs), serverByRegion, nowMs);
    }

    private void runStarted(
            Map<LoadDimension, Double> margin,
            Function<EncodedRegionName, Optional<ServerId>> serverByRegion,
            long nowMs) {
        noiseMargin = margin;
        tracker.runStarted(nowMs);
        tracker.assigned(serverByRegion, nowMs);
    }

    /** How regions look to the planner now. Any thread may ask. */
    public ClusterStateBuilder view(long nowMs) {
        return new ClusterStateBuilder(heat, tracker.pins(nowMs));
    }

    /**
     * The load of the last minutes of a region as its table's weights count it, for placement and for stock's search; empty where its
     * heat is unknown.
     */
    public Optional<LoadVector> load(EncodedRegionName region) {
        return heat.load(region);
    }

    /** The load that plans count, the mean of hours; empty too where no server has the region: what is known of it is from before. */
    private Optional<LoadVector> loadIfServed(EncodedRegionName region) {
        return heat.isServed(region) && heat.heat(region) instanceof RegionHeat.Known known
                ? Optional.of(known.planned())
                : Optional.empty();
    }

    /** What a plan has to reach in this run. */
    public PlanGoals goals(HBasePlanLimits limits, long nowMs) {
        return PlanGoals.of(
                config.goals(),
                noiseMargin,
                limits.regionCountSlop(),
                limits.maxMoves(),
                tracker.movesLeft(budgets, nowMs),
                neverHealed);
    }

    /**
     * Decides what is to be moved in this snapshot.
     *
     * @param scope the table that the snapshot is about, or the name that HBase has for all of them
     */
    public Decision decide(String scope, ClusterState snapshot, PlanGoals goals, long nowMs) {
        ExcludedServers excluded = excluded(snapshot);
        ClusterState observed =
                snapshot.withoutTargets(excluded.reasonByServer().keySet());
        String group = group(snapshot);
        PlanGoals limited = withHeatMoves(goals, tracker.maxHeatMoves(group, nowMs));
        Plan plan = planner.apply(observed, limited);
        tracker.measured(group, plan.maxOverMeanBefore(), this::loadIfServed, nowMs);
        Decision decision = new Decision(
                nowMs,
                scope,
                group,
                plan,
                tracker.adviseOnly().or(excluded::nothingMoves),
                tracker.stockActsAlone(),
                excluded);
        decisions.add(decision);
        planListeners.forEach(listener -> listener.planned(new PlanInput(observed, limited, nowMs), decision));
        // Table by table HBase asks about the same servers again and again.
        tracker.endRest(persistentSkew.restEndsOn(
                scope + " on " + group, plan, limited, noiseMargin, () -> heat.lastShiftMs(regions(snapshot)), nowMs));
        if (!plan.moves().isEmpty()) {
            lastPlanInput = Optional.of(new CompactPlanInput(new PlanInput(observed, limited, nowMs)));
        }
        return decision;
    }

    /**
     * A run makes no plan for this scope.
     *
     * @param servers whose regions it would have been about; asked for only where somebody listens
     * @param why the end of a sentence
     */
    public void notPlanned(String scope, Supplier<Set<ServerId>> servers, String why) {
        planListeners.forEach(listener -> listener.notPlanned(scope, servers.get(), why));
    }

    /** The servers of this snapshot that are given no regions now, not by the stock balancer either. */
    public ExcludedServers excluded(ClusterState snapshot) {
        return ExcludedServers.of(
                snapshot, heat.suspects(), excludedForOtherReasons(Set.copyOf(snapshot.serverIds())), brake.get());
    }

    private static List<EncodedRegionName> regions(ClusterState snapshot) {
        return IntStream.range(0, snapshot.servers().size())
                .mapToObj(snapshot::regionsOf)
                .flatMap(Collection::stream)
                .map(RegionState::region)
                .toList();
    }

    private static PlanGoals withHeatMoves(PlanGoals goals, OptionalInt most) {
        return most.isPresent() ? goals.withLimits(goals.limits().withMaxHeatMoves(most.getAsInt())) : goals;
    }

    /** RSGroups are balanced apart and have no server in common: the first one tells them from each other. */
    private static String group(ClusterState snapshot) {
        return snapshot.servers().isEmpty()
                ? ""
                : snapshot.serverId(0).host() + ":" + snapshot.serverId(0).port();
    }

    /**
     * The moves of this decision are handed over to be made.
     *
     * @param snapshot what it was decided on
     */
    public void planApplied(Decision decision, ClusterState snapshot, PlanGoals goals, long nowMs) {
        decision.plan().moves().forEach(move -> rejectedStockMoves.remove(move.region()));
        Map<LoadDimension, Double> triggers = new EnumMap<>(LoadDimension.class);
        goals.goalByDimension().forEach((dimension, goal) -> {
            if (decision.plan().outcome(dimension).weighed()) {
                triggers.put(dimension, goal.trigger());
            }
        });
        tracker.planned(
                decision.plan(),
                decision.group(),
                triggers,
                PlannedPlacement.of(snapshot, decision.plan()),
                this::loadIfServed,
                nowMs);
    }

    /** A plan of the stock balancer's was reviewed. */
    public void stockPlanReviewed(StockPlanReview review) {
        rejectedStockMoves.add(review.rejected().values());
        planListeners.forEach(listener -> listener.stockPlanReviewed(review));
    }

    /** The stock balancer's move of this region is handed over to be made. */
    public void stockMoveApplied(EncodedRegionName region, TableId table, ServerId from, ServerId to, long nowMs) {
        rejectedStockMoves.remove(region);
        tracker.plannedByStock(region, table, from, to, nowMs);
    }

    /** This decision was advice only, and the stock balancer made its own plan in its place. */
    public Advice advised(Decision decision, Advice.StockPlan stock) {
        Advice one = new Advice(
                decision.atMs(),
                decision.scope(),
                decision.group(),
                decision.whyNotCarriedOut().orElse(""),
                decision.plan().summary(),
                decision.plan().moves().size(),
                weighed(decision.plan(), decision.plan().maxOverMeanBefore()),
                weighed(decision.plan(), decision.plan().maxOverMeanAfter()),
                new Advice.StockPlan(
                        stock.moves(),
                        stock.firstMoves(),
                        stock.costs(),
                        weighed(decision.plan(), stock.maxOverMeanAfter())),
                Map.of(),
                OptionalLong.empty());
        advice.add(one);
        return one;
    }

    /** What came of the stock balancer's plans of earlier runs, by what this decision has seen; those that it tells of. */
    public List<Advice> adviceOutcomes(Decision decision) {
        return advice.measured(
                decision.scope(),
                decision.group(),
                weighed(decision.plan(), decision.plan().maxOverMeanBefore()),
                config.tracker().predictionCheckDelayMs(),
                decision.atMs());
    }

    private static Map<LoadDimension, Double> weighed(Plan plan, Map<LoadDimension, Double> maxOverMean) {
        Map<LoadDimension, Double> weighed = new EnumMap<>(LoadDimension.class);
        maxOverMean.forEach((dimension, value) -> {
            if (plan.outcome(dimension).weighed()) {
                weighed.put(dimension, value);
            }
        });
        return weighed;
    }

    /** What Hearth would have done beside what the stock balancer did, where Hearth only advised. */
    public AdviceLog advice() {
        return advice;
    }

    /** The last decisions that had moves, or a hot region that stays, newest first. */
    public List<Decision> decisions() {
        return decisions.newestFirst();
    }

    /**
     * What the last plan with moves was made from, so that it can be made again elsewhere; empty before the first one. It is put together at
     * each call.
     */
    public Optional<PlanInput> lastPlanInput() {
        return lastPlanInput.map(CompactPlanInput::planInput);
    }

    /** The moves of the stock balancer's last plans that were not made, newest first, each region once; none that a later plan moved. */
    public List<RejectedStockMove> rejectedStockMoves() {
        return rejectedStockMoves.newestFirst();
    }

    public void addPlanListener(PlanListener listener) {
        planListeners.add(listener);
    }

    public void removePlanListener(PlanListener listener) {
        planListeners.remove(listener);
    }

    boolean hasPlanListeners() {
        return !planListeners.isEmpty();
    }

    /** All that a plan is made from. Immutable. */
    public record PlanInput(ClusterState snapshot, PlanGoals goals, long atMs) {}

    public HeatModel heat() {
        return heat;
    }

    public MoveTracker tracker() {
        return tracker;
    }

    public TableWeights weights() {
        return heat.weights();
    }

    /** The moves of stock plans that were not made. Thread-safe. */
    static final class RejectedMoveLog {

        /** Ten times as many as the log names of one review of a stock plan. */
        static final int KEPT = 1000;

        private final LinkedHashMap<EncodedRegionName, RejectedStockMove> oldestFirst = new LinkedHashMap<>();

        synchronized void add(Collection<RejectedStockMove> moves) {
            moves.forEach(move -> {
                oldestFirst.remove(move.region());
                oldestFirst.put(move.region(), move);
            });
            Iterator<EncodedRegionName> oldest = oldestFirst.keySet().iterator();
            while (oldestFirst.size() > KEPT) {
                oldest.next();
                oldest.remove();
            }
        }

        /** A later plan moves this region. */
        synchronized void remove(EncodedRegionName region) {
            oldestFirst.remove(region);
        }

        synchronized List<RejectedStockMove> newestFirst() {
            List<RejectedStockMove> moves = new ArrayList<>(oldestFirst.values());
            Collections.reverse(moves);
            return moves;
        }
    }

    /** The last decisions that say something: a plan with moves, or a hot region that stays. Thread-safe. */
    static final class DecisionLog {

        /** A day of runs with moves on a restless cluster. */
        static final int KEPT = 50;

        /** All of them together hold no more moves and reasons than this, of a few hundred bytes each, but for the newest one. */
        static final int LINES_KEPT = 20_000;

        private final Deque<Decision> newestFirst = new ArrayDeque<>();

        synchronized void add(Decision decision) {
            if (!decision.isNotable()) {
                return;
            }
            newestFirst.addFirst(decision);
            while (newestFirst.size() > 1 && (newestFirst.size() > KEPT || lines() > LINES_KEPT)) {
                newestFirst.removeLast();
            }
        }

        private int lines() {
            return newestFirst.stream()
                    .map(Decision::plan)
                    .mapToInt(
                            plan -> plan.moves().size() + plan.unmovedRegions().size())
                    .sum();
        }

        synchronized List<Decision> newestFirst() {
            return List.copyOf(newestFirst);
        }
    }
}
