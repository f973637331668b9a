package io.hearth.balancer.search;

import io.hearth.balancer.load.LoadDimension;
import io.hearth.balancer.load.RegionId;
import io.hearth.balancer.load.ServerId;
import io.hearth.balancer.plan.DimensionGoal;
import io.hearth.balancer.plan.PlanGoals;
import io.hearth.balancer.snapshot.ClusterSnapshot;
import java.util.EnumMap;
import java.util.HashMap;
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
        Workbench bench = new Workbench(snapshot, goals);
        if (new Repairs(bench).areNeeded()) {
            return Optional.empty();
        }
        double[] before = maxOverMean(bench);
        apply(bench, serverByRegion);
        double[] after = maxOverMean(bench);
        for (LoadDimension dimension : LoadDimension.values()) {
            DimensionGoal goal = goals.goalByDimension().get(dimension);
            int number = dimension.ordinal();
            if (goal != null
                    && bench.index.counts(number)
                    && after[number] > goal.trigger()
                    && after[number] > before[number]) {
                return Optional.of(String.format(
                        Locale.ROOT,
                        "it would raise max/mean of %s from %.2f to %.2f, above %.2f",
                        dimension.label(),
                        before[number],
                        after[number],
                        goal.trigger()));
            }
        }
        return Optional.empty();
    }

    /** Max/mean in every dimension when this plan is done. */
    public static Map<LoadDimension, Double> maxOverMeanAfter(
            ClusterSnapshot snapshot, PlanGoals goals, Map<RegionId, ServerId> serverByRegion) {
        Workbench bench = new Workbench(snapshot, goals);
        apply(bench, serverByRegion);
        Map<LoadDimension, Double> after = new EnumMap<>(LoadDimension.class);
        double[] values = maxOverMean(bench);
        for (LoadDimension dimension : LoadDimension.values()) {
            after.put(dimension, values[dimension.ordinal()]);
        }
        return after;
    }

    private static double[] maxOverMean(Workbench bench) {
        double[] all = new double[PlanIndex.DIMENSIONS];
        for (int dimension = 0; dimension < all.length; dimension++) {
            all[dimension] = bench.simulation.shares.maxOverMean(dimension);
        }
        return all;
    }

    /** Makes these moves on the workbench's cluster. */
    static void apply(Workbench bench, Map<RegionId, ServerId> serverByRegion) {
        PlanIndex index = bench.index;
        Map<ServerId, Integer> indexByServer = new HashMap<>();
        for (int server = 0; server < index.servers; server++) {
            indexByServer.put(index.snapshot.servers().get(server), server);
        }
        for (int region = 0; region < index.regions; region++) {
            ServerId target = serverByRegion.get(index.state[region].region());
            Integer to = target == null ? null : indexByServer.get(target);
            if (to != null && to != index.home[region]) {
                bench.simulation.move(region, to);
            }
        }
    }
}
