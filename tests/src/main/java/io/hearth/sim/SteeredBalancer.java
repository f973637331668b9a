package io.hearth.sim;

import io.hearth.balancer.config.BalancerConfig;
import io.hearth.balancer.config.GoalConfig;
import io.hearth.balancer.config.MapSettings;
import io.hearth.balancer.cost.TableWeights;
import io.hearth.balancer.heat.HeatModel;
import io.hearth.balancer.heat.RegionHeat;
import io.hearth.balancer.ingest.ServerReport;
import io.hearth.balancer.load.LoadDimension;
import io.hearth.balancer.load.LoadVector;
import io.hearth.balancer.load.RegionId;
import io.hearth.balancer.load.ServerId;
import io.hearth.balancer.load.TableId;
import io.hearth.balancer.plan.DimensionGoal;
import io.hearth.balancer.plan.NotMoved;
import io.hearth.balancer.plan.Plan;
import io.hearth.balancer.plan.PlanGoals;
import io.hearth.balancer.search.DirectedPlanner;
import io.hearth.balancer.snapshot.ClusterSnapshot;
import io.hearth.balancer.snapshot.LocalBytes;
import io.hearth.balancer.snapshot.Pin;
import io.hearth.balancer.snapshot.RegionState;
import io.hearth.balancer.snapshot.ServerState;
import io.hearth.balancer.steering.Steering;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.OptionalDouble;
import java.util.Set;
import java.util.stream.Collectors;

/** Hearth's balancer as the master runs it: heat, steering and planner. */
public final class SteeredBalancer implements SimBalancer {

    private final BalancerConfig config;
    private final HeatModel heat;
    private final Steering steering;
    private final PlanGoals goals;
    private final Set<RegionId> toSplit = new HashSet<>();

    /** @param settings as in hbase-site.xml */
    public SteeredBalancer(Map<String, String> settings) {
        config = BalancerConfig.read("scenario", new MapSettings(settings), TableWeights::isSiteKey);
        heat = new HeatModel(config.heat());
        steering = new Steering(config.steering());
        goals = goals(config.goals());
    }

    private static PlanGoals goals(GoalConfig config) {
        DimensionGoal store = new DimensionGoal(
                config.storeSizeCost(),
                config.storeSizeSkewTrigger(),
                config.storeSizeSkewTrigger(),
                config.minStoreBytes());
        return PlanGoals.of(Map.of(
                LoadDimension.READS, ofRequests(config.readHeatCost(), config),
                LoadDimension.WRITES, ofRequests(config.writeHeatCost(), config),
                LoadDimension.STORE_SIZE, store));
    }

    private static DimensionGoal ofRequests(double weight, GoalConfig config) {
        return new DimensionGoal(weight, config.skewTrigger(), config.skewTarget(), config.minRequestsPerSecond());
    }

    @Override
    public void reported(List<ServerReport> reports, long nowMs) {
        heat.update(reports, nowMs);
        steering.observed(reports, this::requestsPerSecond, nowMs);
    }

    private OptionalDouble requestsPerSecond(RegionId region) {
        return heat.heat(region) instanceof RegionHeat.Known known
                ? OptionalDouble.of(
                        known.load().get(LoadDimension.READS) + known.load().get(LoadDimension.WRITES))
                : OptionalDouble.empty();
    }

    @Override
    public List<Move> balance(Assignments assignments, long nowMs) {
        steering.runStarted(nowMs);
        Plan plan = new DirectedPlanner().plan(snapshot(assignments, nowMs), goals);
        steering.measured(plan.maxOverMeanBefore(), nowMs);
        plan.notMoved().stream()
                .filter(left -> left.reason() == NotMoved.Reason.ABOVE_FAIR_SHARE)
                .forEach(left -> toSplit.add(left.region()));
        if (steering.adviseOnly().isPresent()) {
            return List.of();
        }
        steering.planned(plan, triggers(), nowMs);
        return plan.moves().stream()
                .map(move -> new Move(move.region(), move.from(), move.to()))
                .toList();
    }

    private Map<LoadDimension, Double> triggers() {
        return goals.goalByDimension().entrySet().stream()
                .collect(Collectors.toMap(
                        Map.Entry::getKey, goal -> goal.getValue().trigger()));
    }

    private ClusterSnapshot snapshot(Assignments assignments, long nowMs) {
        Map<RegionId, Pin> pins = steering.pins(nowMs);
        Map<ServerId, List<RegionState>> regions = new HashMap<>();
        Map<ServerId, ServerState> states = new HashMap<>();
        assignments.regionsByServer().forEach((server, assigned) -> {
            states.put(server.server(), server);
            regions.put(
                    server.server(),
                    assigned.stream().map(region -> state(region, pins)).toList());
        });
        return ClusterSnapshot.of(regions, states);
    }

    private RegionState state(Assignments.Assigned region, Map<RegionId, Pin> pins) {
        RegionHeat known = heat.heat(region.region());
        LoadVector load = known instanceof RegionHeat.Known heatOf ? heatOf.load() : LoadVector.ZERO;
        Pin pin = known instanceof RegionHeat.Known ? Pin.FREE : Pin.HEAT_UNKNOWN;
        return new RegionState(
                region.region(),
                region.primary(),
                region.table(),
                load,
                pins.getOrDefault(region.region(), pin),
                LocalBytes.UNKNOWN);
    }

    @Override
    public void movedByHand(Move move, TableId table, long nowMs) {
        steering.movedByHand(move.region(), table, move.from(), move.to(), "operator", false, nowMs);
    }

    @Override
    public Set<RegionId> toSplit() {
        return toSplit;
    }
}
