// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package org.apache.hadoop.hbase.master.balancer;

import io.hearth.balancer.engine.Advice;
import io.hearth.balancer.engine.BalanceEngine;
import io.hearth.balancer.engine.Decision;
import io.hearth.balancer.engine.ExcludedServers;
import io.hearth.balancer.engine.HBasePlanLimits;
import io.hearth.balancer.engine.StockPlanReview;
import io.hearth.balancer.hbase.BalancerMetrics;
import io.hearth.balancer.hbase.HBaseNames;
import io.hearth.balancer.plan.PlanGoals;
import io.hearth.balancer.planner.StockPlanValidator;
import io.hearth.balancer.state.ClusterState;
import io.hearth.balancer.state.LocalBytes;
import io.hearth.common.model.EncodedRegionName;
import io.hearth.common.model.ServerId;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.LongSupplier;
import org.apache.hadoop.hbase.HConstants;
import org.apache.hadoop.hbase.ServerName;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.RegionInfo;
import org.apache.hadoop.hbase.master.RegionPlan;
import org.apache.hadoop.hbase.master.balancer.BalancerRun.ServerAttributes;
import org.jspecify.annotations.NullMarked;
import org.slf4j.Logger;

/**
 * The runs of the balancer as Hearth has them: a plan of its own for each table (or for all at once), and a review of what the
 * stock search plans where there is none. Confined to the balancer's lock.
 */
@NullMarked
final class BalancerRunner {

    /** So many moves of one stock plan that are not made get a line of their own. */
    private static final int LINES_OF_A_REVIEW = 100;

    /** Where a run has more tables than this, planned one by one, a plan of each is searched in one order only. */
    static final int MANY_TABLES = 100;

    /** Of a stock plan that is shown beside advice. */
    private static final int MOVES_SHOWN = 20;

    private final BalanceEngine engine;
    private final BalancerMetrics metrics;
    private final Logger logger;
    private final PlanLogger log;
    private final LongSupplier nowMs;
    private Optional<BalancerRun> run = Optional.empty();
    private final LongSupplier nanos;
    private final RunAllowance allowance = new RunAllowance();
    /** Of the group whose turn it is. */
    private Limits limits = new Limits(0, 1, 0, 0);
    /** For that group. */
    private long searchedNanos;

    private long deadlineOfRunMs;
    private boolean isOneOfMany;
    private int tables;
    private final PostponedTables postponed = new PostponedTables();

    BalancerRunner(
            BalanceEngine engine, BalancerMetrics metrics, Logger logger, LongSupplier nowMs, LongSupplier nanos) {
        this.engine = engine;
        this.metrics = metrics;
        this.logger = logger;
        this.log = new PlanLogger(logger);
        this.nowMs = nowMs;
        this.nanos = nanos;
    }

    /**
     * What one run may do.
     *
     * @param regionCountSlop HBase's {@code hbase.regions.slop}
     * @param maxMovePercent stock's {@code maxMovePercent}, a share
     * @param deadlineMs how long moves may be looked for, in milliseconds
     * @param maxMoves the most moves of all tables together
     */
    record Limits(double regionCountSlop, double maxMovePercent, long deadlineMs, int maxMoves) {}

    /**
     * A decision of ours and what it was made on.
     *
     * @param regionPlans its moves in HBase's form; none where nothing is to be moved by it
     */
    record HearthPlan(ClusterState snapshot, PlanGoals goals, Decision decision, List<RegionPlan> regionPlans) {

        /** Whether this is what the run will do. */
        boolean isCarriedOut() {
            return !regionPlans.isEmpty();
        }

        /** Whether it is not to be carried out, be there moves in it or not. */
        boolean isAdviceOnly() {
            return decision.whyNotCarriedOut().isPresent();
        }

        /** Whether numbers of regions are Hearth's to even, and its plans are carried out. */
        boolean evensCounts() {
            return !isAdviceOnly()
                    && goals.counts()
                            .isEvened(snapshot.regionCount(), decision.plan().pinnedRegions());
        }

        /** Whether the stock balancer plans and acts in this run as without Hearth. */
        boolean stockActsAlone() {
            return decision.stockActsAlone();
        }
    }

    /** What happened since the reports before these goes to the log. */
    void reported() {
        log.events(engine.tracker().takeEvents());
        log.suspects(engine.heat().suspects());
        log.flapping(engine.flapping());
    }

    /** There is no run of ours: the stock balancer does what it does. */
    void none() {
        run.ifPresent(ended -> allowance.moved(ended.moves()));
        run = Optional.empty();
    }

    /** HBase has new reports, so that its last run is over, over all groups of servers; these servers are live. */
    void over(Set<ServerName> live) {
        none();
        allowance.over(live);
        engine.tracker().runPlanned(nowMs.getAsLong());
    }

    /** Whether there is a run of ours under way. */
    boolean isUnderWay() {
        return run.isPresent();
    }

    /**
     * It is the turn of the servers that these assignments are of: of all, or with RSGroups of one group.
     *
     * @param ofRun what a run may do over all groups
     */
    void started(
            Map<TableName, Map<ServerName, List<RegionInfo>>> loadOfAllTables,
            Limits ofRun,
            ServerAttributes servers,
            Function<RegionInfo, LocalBytes> blocks) {
        long now = nowMs.getAsLong();
        Map<EncodedRegionName, ServerId> serverByRegion =
                BalancerRun.serverByRegion(loadOfAllTables, engine.tracker().followed(now));
        Set<ServerName> group = servers(loadOfAllTables);
        Set<ServerId> ids = new HashSet<>();
        group.forEach(server -> ids.add(HBaseNames.server(server)));
        engine.runStarted(ids, region -> Optional.ofNullable(serverByRegion.get(region)), now);
        none();
        if (allowance.begins(group)) {
            postponed.runBegins();
            metrics.runBegins();
        }
        postponed.turnBegins(loadOfAllTables.keySet());
        limits = allowance.partOf(ofRun);
        deadlineOfRunMs = ofRun.deadlineMs();
        searchedNanos = 0;
        tables = loadOfAllTables.size();
        run = Optional.of(new BalancerRun(loadOfAllTables, engine.view(now), blocks, servers));
    }

    private static Set<ServerName> servers(Map<TableName, Map<ServerName, List<RegionInfo>>> loadOfAllTables) {
        Set<ServerName> servers = new HashSet<>();
        loadOfAllTables.values().forEach(load -> servers.addAll(load.keySet()));
        return servers;
    }

    /** Whether what is planned now is one table of so many that a plan of each must cost little. */
    boolean isOneOfMany() {
        return isOneOfMany;
    }

    /** How much of the time to look for moves is left for the group whose turn it is, in milliseconds; 0 where there is none. */
    long searchMsLeft() {
        return Math.max(0, limits.deadlineMs - TimeUnit.NANOSECONDS.toMillis(searchedNanos));
    }

    /**
     * Whether this table can be planned in this run. One that can't comes first in the next run: HBase asks in the same order
     * each time, and half of the time is then kept for those that were left, or that were left twice where there are such.
     */
    boolean hasTimeFor(TableName table) {
        if (searchMsLeft() > (postponed.areBefore(table) ? limits.deadlineMs / 2 : 0)) {
            return true;
        }
        if (postponed.leave(table)) {
            logger.info(
                    "There is no time left to plan {} and the tables after it in this run"
                            + " (hearth.balancer.plan.deadline.ms is {}): the stock balancer plans them, Hearth reviews"
                            + " that, and plans them in the next run.",
                    table,
                    deadlineOfRunMs);
        }
        return false;
    }

    /** Whether there was no time to plan this table in the run that is under way. */
    boolean isLeft(TableName table) {
        return run.isPresent() && postponed.isLeft(table);
    }

    /** Hearth's plan for this table in the run that is under way; its moves count as handed over. */
    HearthPlan plan(TableName table) {
        long now = nowMs.getAsLong();
        BalancerRun current = run.orElseThrow();
        long began = nanos.getAsLong();
        isOneOfMany = tables > MANY_TABLES && !HConstants.ENSEMBLE_TABLE_NAME.equals(table);
        ClusterState snapshot = current.snapshot(table);
        PlanGoals goals = goals(current, snapshot, now);
        Decision decision = engine.decide(table.getNameAsString(), snapshot, goals, now);
        long took = nanos.getAsLong() - began;
        searchedNanos += took;
        allowance.searched(took);
        List<RegionPlan> regionPlans = decision.isToBeCarriedOut() ? current.toRegionPlans(decision.plan()) : List.of();
        metrics.planned(decision.plan());
        log.decided(decision);
        engine.adviceOutcomes(decision).forEach(log::outcome);
        if (!regionPlans.isEmpty()) {
            engine.planApplied(decision, snapshot, goals, now);
        }
        return new HearthPlan(snapshot, goals, decision, regionPlans);
    }

    private PlanGoals goals(BalancerRun current, ClusterState snapshot, long now) {
        HBasePlanLimits ofTable = HBasePlanLimits.of(limits.regionCountSlop, snapshot, limits.maxMovePercent)
                .atMost(Math.max(0, limits.maxMoves - current.moves()));
        return engine.goals(ofTable, now);
    }

    /** These plans are what is done for one table; the next table of the run is planned on top of them. */
    List<RegionPlan> applied(List<RegionPlan> chosen) {
        if (chosen != null) {
            run.ifPresent(now -> now.apply(chosen));
        }
        return chosen;
    }

    /** Says why nothing is moved at all. */
    void logNothingMoves(Decision decision) {
        logNothingMoves(decision.scope(), decision.whyNotCarriedOut().orElse("too many servers are suspect"));
    }

    private void logNothingMoves(String scope, String why) {
        logger.info("Nothing is moved for {}, not by the stock balancer either: {}.", scope, why);
    }

    /**
     * Shows what Hearth advises beside what the stock balancer plans.
     *
     * @param costs what the stock plan is good for by its own costs, as a sentence
     */
    void compare(HearthPlan ours, List<RegionPlan> stock, String costs) {
        Advice advice = engine.advised(
                ours.decision(),
                new Advice.StockPlan(
                        stock.size(),
                        stock.stream()
                                .limit(MOVES_SHOWN)
                                .map(BalancerRunner::text)
                                .toList(),
                        costs,
                        StockPlanValidator.maxOverMeanAfter(
                                ours.snapshot(), ours.goals(), BalancerRun.targets(stock))));
        log.advised(advice, ours.stockActsAlone());
    }

    private static String text(RegionPlan move) {
        return move.getRegionInfo().getEncodedName() + " of "
                + move.getRegionInfo().getTable() + " from " + move.getSource() + " to " + move.getDestination();
    }

    /**
     * What of the stock balancer's plan is carried out.
     *
     * @param refused hears why none of it is
     */
    List<RegionPlan> reviewed(HearthPlan ours, List<RegionPlan> stock, Consumer<String> refused) {
        Decision decision = ours.decision();
        return reviewed(decision.scope(), ours.snapshot(), ours.goals(), decision.excluded(), stock, refused);
    }

    /**
     * What of the stock balancer's plan is carried out for a table that there was no time to plan: what must not be moved is known
     * without a search.
     *
     * @param refused hears why none of it is
     */
    List<RegionPlan> reviewedUnplanned(TableName table, List<RegionPlan> stock, Consumer<String> refused) {
        if (engine.tracker().stockActsAlone()) {
            return stock;
        }
        BalancerRun current = run.orElseThrow();
        ClusterState snapshot = current.snapshot(table);
        ExcludedServers excluded = engine.excluded(snapshot);
        if (excluded.nothingMoves().isPresent()) {
            logNothingMoves(table.getNameAsString(), excluded.nothingMoves().get());
            return new ArrayList<>();
        }
        PlanGoals goals = goals(current, snapshot, nowMs.getAsLong());
        return reviewed(table.getNameAsString(), snapshot, goals, excluded, stock, refused);
    }

    private List<RegionPlan> reviewed(
            String scope,
            ClusterState snapshot,
            PlanGoals goals,
            ExcludedServers excluded,
            List<RegionPlan> stock,
            Consumer<String> refused) {
        StockPlanReview review =
                StockPlanReview.of(snapshot, goals, excluded, BalancerRun.targets(stock), nowMs.getAsLong());
        engine.stockPlanReviewed(review);
        review.rejected().values().stream().limit(LINES_OF_A_REVIEW).forEach(move -> logger.info("{}.", move.text()));
        if (review.rejected().size() > LINES_OF_A_REVIEW) {
            logger.info(
                    "{} moves more of the stock plan are not made.",
                    review.rejected().size() - LINES_OF_A_REVIEW);
        }
        if (review.refusal().isPresent()) {
            metrics.stockPlanRefused();
            logger.info(
                    "The stock plan of {} moves for {} is not used: {}.",
                    stock.size(),
                    scope,
                    review.refusal().get());
            refused.accept(review.refusal().get());
            return new ArrayList<>();
        }
        List<RegionPlan> kept = new ArrayList<>(stock);
        kept.removeIf(plan -> review.rejected().containsKey(HBaseNames.region(plan.getRegionInfo())));
        kept.forEach(this::stockMoveApplied);
        return kept;
    }

    private void stockMoveApplied(RegionPlan plan) {
        RegionInfo region = plan.getRegionInfo();
        engine.stockMoveApplied(
                HBaseNames.region(region),
                HBaseNames.table(region.getTable()),
                HBaseNames.server(plan.getSource()),
                HBaseNames.server(plan.getDestination()),
                nowMs.getAsLong());
    }
}
