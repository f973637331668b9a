package io.hearth.balancer.search;

import io.hearth.balancer.load.LoadDimension;
import io.hearth.balancer.load.RegionId;
import io.hearth.balancer.load.ServerId;
import io.hearth.balancer.search.PlanGoals.DimensionGoal;
import io.hearth.balancer.snapshot.ClusterSnapshot;
import io.hearth.balancer.snapshot.Pin;
import io.hearth.balancer.snapshot.RegionState;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;

/**
 * Looks at a plan that was made elsewhere (by the stock balancer, for region counts, locality or tables) and refuses it if it
 * would make heat uneven that is even enough: the next run would have to undo it.
 *
 * <p>It never stands in the way of a plan for what heat may not override: region replicas that must part, and servers with
 * more or fewer regions than slop allows. A pure function; thread-safe.
 */
public final class HeatGuard {

    private HeatGuard() {}

    /**
     * Why this plan is refused, as one sentence, or empty where it may go ahead.
     *
     * @param serverByRegion where the plan takes each region that it moves; regions and servers that the snapshot does not
     *     have are passed over
     */
    public static Optional<String> refusal(
            ClusterSnapshot snapshot, PlanGoals goals, Map<RegionId, ServerId> serverByRegion) {
        PlanSimulation simulation = new PlanSimulation(snapshot, goals);
        if (snapshot.countPinned(Pin.REGION_REPLICA) > 0 || isOutsideSlop(simulation)) {
            return Optional.empty();
        }
        Map<LoadDimension, Double> before = simulation.loads().maxOverMean();
        apply(snapshot, simulation, serverByRegion);
        for (LoadDimension dimension : LoadDimension.values()) {
            DimensionGoal goal = goals.goalByDimension().get(dimension);
            double after = simulation.loads().maxOverMean(dimension);
            if (goal != null
                    && simulation.loads().counts(dimension)
                    && after > goal.trigger()
                    && after > before.getOrDefault(dimension, 1.0)) {
                return Optional.of(String.format(
                        Locale.ROOT,
                        "it would raise max/mean of %s from %.2f to %.2f, above %.2f",
                        dimension.label(),
                        before.getOrDefault(dimension, 1.0),
                        after,
                        goal.trigger()));
            }
        }
        return Optional.empty();
    }

    private static boolean isOutsideSlop(PlanSimulation simulation) {
        for (int server = 0; server < simulation.servers(); server++) {
            if (simulation.hasTooMany(server) || simulation.hasTooFew(server)) {
                return true;
            }
        }
        return false;
    }

    private static void apply(
            ClusterSnapshot snapshot, PlanSimulation simulation, Map<RegionId, ServerId> serverByRegion) {
        Map<ServerId, Integer> indexByServer = new HashMap<>();
        for (int server = 0; server < snapshot.servers().size(); server++) {
            indexByServer.put(snapshot.servers().get(server), server);
        }
        for (int from = 0; from < simulation.servers(); from++) {
            List<RegionState> regions = new ArrayList<>(snapshot.regionsOf(from));
            for (RegionState region : regions) {
                ServerId target = serverByRegion.get(region.region());
                Integer to = target == null ? null : indexByServer.get(target);
                if (to != null && to != from) {
                    simulation.move(region, from, to);
                }
            }
        }
    }
}
