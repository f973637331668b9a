package io.hearth.sim;

import io.hearth.balancer.config.BalancerConfig;
import io.hearth.balancer.config.GoalConfig;
import io.hearth.balancer.config.MapSettings;
import io.hearth.balancer.heat.HeatModel;
import io.hearth.balancer.heat.RegionHeat;
import io.hearth.balancer.ingest.ServerReport;
import io.hearth.balancer.load.LoadDimension;
import io.hearth.balancer.load.LoadVector;
import io.hearth.balancer.load.RegionId;
import io.hearth.balancer.load.ServerId;
import io.hearth.balancer.search.DirectedPlanner;
import io.hearth.balancer.search.NotMoved;
import io.hearth.balancer.search.Plan;
import io.hearth.balancer.search.PlanGoals;
import io.hearth.balancer.search.PlanGoals.DimensionGoal;
import io.hearth.balancer.snapshot.ClusterSnapshot;
import io.hearth.balancer.snapshot.LocalBytes;
import io.hearth.balancer.snapshot.Pin;
import io.hearth.balancer.snapshot.RegionState;
import io.hearth.balancer.snapshot.ServerState;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;

/** The heat model and the planner, without steering: each run knows nothing of the one before but the heat. */
public final class PlannerBalancer implements SimBalancer {

    private static final double SLOP = 0.2;

    private final HeatModel heat;
    private final PlanGoals goals;
    private final Set<RegionId> toSplit = new HashSet<>();

    /** @param settings as in hbase-site.xml */
    public PlannerBalancer(Map<String, String> settings) {
        BalancerConfig config = BalancerConfig.read("scenario", new MapSettings(settings), key -> false);
        heat = new HeatModel(config.heat().halfLifeMs(), config.heat().minObservedMs());
        goals = goals(config.goals());
    }

    private static PlanGoals goals(GoalConfig config) {
        DimensionGoal store = new DimensionGoal(
                config.storeSizeCost(),
                config.storeSizeSkewTrigger(),
                config.storeSizeSkewTrigger(),
                config.minStoreBytes());
        return new PlanGoals(
                Map.of(
                        LoadDimension.READS, ofRequests(config.readHeatCost(), config),
                        LoadDimension.WRITES, ofRequests(config.writeHeatCost(), config),
                        LoadDimension.STORE_SIZE, store),
                SLOP,
                600);
    }

    private static DimensionGoal ofRequests(double weight, GoalConfig config) {
        return new DimensionGoal(weight, config.skewTrigger(), config.skewTarget(), config.minRequestsPerSecond());
    }

    @Override
    public void reported(List<ServerReport> reports, long nowMs) {
        heat.update(reports);
    }

    @Override
    public List<Move> balance(Assignments assignments, long nowMs) {
        Plan plan = new DirectedPlanner().plan(snapshot(assignments), goals);
        plan.notMoved().stream()
                .filter(left -> left.reason() == NotMoved.Reason.ABOVE_FAIR_SHARE)
                .forEach(left -> toSplit.add(left.region()));
        return plan.moves().stream()
                .map(move -> new Move(move.region(), move.from(), move.to()))
                .toList();
    }

    private ClusterSnapshot snapshot(Assignments assignments) {
        Set<RegionId> replicated = assignments.regionsByServer().values().stream()
                .flatMap(List::stream)
                .filter(region -> !region.primary().equals(region.region()))
                .map(Assignments.Assigned::primary)
                .collect(Collectors.toSet());
        Map<ServerId, List<RegionState>> regions = new HashMap<>();
        Map<ServerId, ServerState> states = new HashMap<>();
        assignments.regionsByServer().forEach((server, assigned) -> {
            states.put(server.server(), server);
            regions.put(
                    server.server(),
                    assigned.stream().map(region -> state(region, replicated)).toList());
        });
        return ClusterSnapshot.of(regions, states);
    }

    private RegionState state(Assignments.Assigned region, Set<RegionId> replicated) {
        RegionHeat known = heat.heat(region.region());
        LoadVector load = known instanceof RegionHeat.Known heatOf ? heatOf.load() : LoadVector.ZERO;
        Pin pin = known instanceof RegionHeat.Known ? Pin.FREE : Pin.HEAT_UNKNOWN;
        boolean isReplicated = replicated.contains(region.primary());
        return new RegionState(
                region.region(),
                region.primary(),
                region.table(),
                load,
                isReplicated ? Pin.REGION_REPLICA : pin,
                LocalBytes.UNKNOWN);
    }

    @Override
    public void movedByHand(RegionId region, ServerId to, long nowMs) {
        // Without steering nobody remembers.
    }

    @Override
    public Set<RegionId> toSplit() {
        return toSplit;
    }
}
