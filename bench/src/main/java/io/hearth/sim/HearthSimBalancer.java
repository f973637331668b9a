// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.sim;

import io.hearth.balancer.config.BalancerConfig;
import io.hearth.balancer.config.TableBudgets;
import io.hearth.balancer.config.TableWeights;
import io.hearth.balancer.engine.BalanceEngine;
import io.hearth.balancer.engine.ClusterStateBuilder;
import io.hearth.balancer.engine.Decision;
import io.hearth.balancer.engine.HBasePlanLimits;
import io.hearth.balancer.heat.ingest.ServerReport;
import io.hearth.balancer.heat.ingest.ServerReport.ReportBatch;
import io.hearth.balancer.plan.Plan;
import io.hearth.balancer.plan.PlanGoals;
import io.hearth.balancer.plan.UnmovedReason;
import io.hearth.balancer.planner.DirectedPlanner;
import io.hearth.balancer.state.ClusterState;
import io.hearth.common.config.RawSettings;
import io.hearth.common.config.RawSettings.MapSettings;
import io.hearth.common.model.EncodedRegionName;
import io.hearth.common.model.ServerId;
import io.hearth.common.model.TableId;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.BiFunction;

/** Hearth's engine, turned by the simulator as the master's adapter turns it. Not thread-safe. */
public final class HearthSimBalancer implements SimBalancer {

    /** HBase's default of {@code hbase.regions.slop}. */
    private static final double SLOP = 0.2;

    private static final String WHERE = "the scenario";
    private static final String ALL_TABLES = "hbase:ensemble";

    private final BalanceEngine engine;
    private final Set<EncodedRegionName> toSplit = new HashSet<>();

    /** @param settings as in hbase-site.xml */
    public HearthSimBalancer(Map<String, String> settings, Set<TableId> tables) {
        this(settings, tables, new DirectedPlanner()::plan);
    }

    /** One with another planner, such as one that breaks a rule on purpose. */
    public HearthSimBalancer(
            Map<String, String> settings, Set<TableId> tables, BiFunction<ClusterState, PlanGoals, Plan> planner) {
        RawSettings site = new MapSettings(settings);
        engine = new BalanceEngine(BalancerConfig.read(WHERE, site, TableWeights::isSiteKey), planner);
        Map<TableId, RawSettings> descriptors = new HashMap<>();
        tables.forEach(table -> descriptors.put(table, new MapSettings(Map.of())));
        engine.tables(TableWeights.read(WHERE, site, descriptors), TableBudgets.read(WHERE, site, descriptors));
    }

    @Override
    public void reported(List<ServerReport> reports, long nowMs, long monotonicMs) {
        engine.observe(ReportBatch.ofAll(reports), nowMs, monotonicMs);
    }

    @Override
    public List<Move> balance(ClusterState assignments, long nowMs) {
        Map<EncodedRegionName, ServerId> serverByRegion = new HashMap<>();
        assignments.servers().forEach(server -> server.regions()
                .forEach(region -> serverByRegion.put(region.region(), server.server())));
        engine.runStarted(region -> Optional.ofNullable(serverByRegion.get(region)), nowMs);
        PlanGoals goals = engine.goals(HBasePlanLimits.of(SLOP, serverByRegion.size(), 1), nowMs);
        ClusterState snapshot = snapshot(assignments, nowMs);
        Decision decision = engine.decide(ALL_TABLES, snapshot, goals, nowMs);
        decision.plan().unmovedRegions().stream()
                .filter(left -> left.reason() == UnmovedReason.ABOVE_FAIR_SHARE
                        || left.reason() == UnmovedReason.MOVED_ABOVE_FAIR_SHARE)
                .forEach(left -> toSplit.add(left.region()));
        if (!decision.isToBeCarriedOut()) {
            return List.of();
        }
        engine.planApplied(decision, snapshot, goals, nowMs);
        return decision.plan().moves().stream()
                .map(move -> new Move(move.region(), move.from(), move.to()))
                .toList();
    }

    private ClusterState snapshot(ClusterState assignments, long nowMs) {
        ClusterStateBuilder states = engine.view(nowMs);
        assignments.servers().forEach(server -> {
            states.add(server);
            server.regions()
                    .forEach(region -> states.add(
                            server.server(),
                            states.region(region.region(), region.primary(), region.table(), region.bytesByHost())));
        });
        return states.all();
    }

    @Override
    public void regionMovedManually(Move move, TableId table, long nowMs) {
        engine.tracker().regionMovedManually(move.region(), table, move.from(), move.to(), "operator", false, nowMs);
    }

    @Override
    public Set<EncodedRegionName> toSplit() {
        return toSplit;
    }
}
