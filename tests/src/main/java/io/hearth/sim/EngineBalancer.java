package io.hearth.sim;

import io.hearth.balancer.config.BalancerConfig;
import io.hearth.balancer.config.MapSettings;
import io.hearth.balancer.config.RawSettings;
import io.hearth.balancer.cost.TableBudgets;
import io.hearth.balancer.cost.TableWeights;
import io.hearth.balancer.engine.BalanceEngine;
import io.hearth.balancer.engine.Decision;
import io.hearth.balancer.engine.RunLimits;
import io.hearth.balancer.engine.RunStates;
import io.hearth.balancer.engine.RunView;
import io.hearth.balancer.ingest.ServerReport;
import io.hearth.balancer.load.RegionId;
import io.hearth.balancer.load.ServerId;
import io.hearth.balancer.load.TableId;
import io.hearth.balancer.plan.NotMoved;
import io.hearth.balancer.plan.Plan;
import io.hearth.balancer.plan.PlanGoals;
import io.hearth.balancer.search.DirectedPlanner;
import io.hearth.balancer.snapshot.ClusterSnapshot;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.BiFunction;

/** Hearth's engine, turned by the simulator as the master's bridge turns it. Not thread-safe. */
public final class EngineBalancer implements SimBalancer {

    /** HBase's default of {@code hbase.regions.slop}. */
    private static final double SLOP = 0.2;

    private static final String WHERE = "the scenario";
    private static final String ALL_TABLES = "hbase:ensemble";

    private final BalanceEngine engine;
    private final Set<RegionId> toSplit = new HashSet<>();

    /** @param settings as in hbase-site.xml */
    public EngineBalancer(Map<String, String> settings, Set<TableId> tables) {
        this(settings, tables, new DirectedPlanner()::plan);
    }

    /** One with another planner, such as one that breaks a rule on purpose. */
    public EngineBalancer(
            Map<String, String> settings, Set<TableId> tables, BiFunction<ClusterSnapshot, PlanGoals, Plan> planner) {
        RawSettings site = new MapSettings(settings);
        engine = new BalanceEngine(BalancerConfig.read(WHERE, site, TableWeights::isSiteKey), planner);
        Map<TableId, RawSettings> descriptors = new HashMap<>();
        tables.forEach(table -> descriptors.put(table, new MapSettings(Map.of())));
        engine.tables(TableWeights.read(WHERE, site, descriptors), TableBudgets.read(WHERE, site, descriptors));
    }

    @Override
    public void reported(List<ServerReport> reports, long nowMs) {
        engine.observe(reports, nowMs);
    }

    @Override
    public List<Move> balance(Assignments assignments, long nowMs) {
        Map<RegionId, ServerId> serverByRegion = new HashMap<>();
        assignments
                .regionsByServer()
                .forEach((server, regions) ->
                        regions.forEach(region -> serverByRegion.put(region.region(), server.server())));
        engine.runStarted(region -> Optional.ofNullable(serverByRegion.get(region)), nowMs);
        PlanGoals goals = engine.goals(RunLimits.of(SLOP, serverByRegion.size(), 1), nowMs);
        ClusterSnapshot snapshot = snapshot(assignments, nowMs);
        Decision decision = engine.decide(ALL_TABLES, snapshot, goals, nowMs);
        decision.plan().notMoved().stream()
                .filter(left -> left.reason() == NotMoved.Reason.ABOVE_FAIR_SHARE)
                .forEach(left -> toSplit.add(left.region()));
        if (!decision.isToBeCarriedOut()) {
            return List.of();
        }
        engine.carriesOut(decision, snapshot, goals, nowMs);
        return decision.plan().moves().stream()
                .map(move -> new Move(move.region(), move.from(), move.to()))
                .toList();
    }

    private ClusterSnapshot snapshot(Assignments assignments, long nowMs) {
        RunView view = engine.view(nowMs);
        RunStates states = new RunStates();
        assignments.regionsByServer().forEach((server, assigned) -> {
            states.add(server);
            assigned.forEach(region -> states.add(
                    server.server(), view.region(region.region(), region.primary(), region.table(), region.local())));
        });
        return states.all();
    }

    @Override
    public void movedByHand(Move move, TableId table, long nowMs) {
        engine.steering().movedByHand(move.region(), table, move.from(), move.to(), "operator", false, nowMs);
    }

    @Override
    public Set<RegionId> toSplit() {
        return toSplit;
    }
}
