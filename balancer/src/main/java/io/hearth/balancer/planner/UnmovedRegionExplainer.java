// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.balancer.planner;

import io.hearth.balancer.plan.UnmovedReason;
import io.hearth.balancer.plan.UnmovedRegion;
import io.hearth.balancer.state.RegionState;
import io.hearth.common.model.LoadDimension;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;

/** Why regions were not moved: the hottest of servers that stay above their target, or any that is asked for. Scratch of one search. */
final class UnmovedRegionExplainer {

    /** How many regions of one server and dimension are explained at most. */
    private static final int REGIONS_OF_A_SERVER = 5;

    /** How many entries a plan has at most: a region has one for each dimension in which it is explained. */
    private static final int REGIONS_OF_A_PLAN = 1000;

    private static final double ROUNDING = 1e-9;

    private static final LoadDimension[] DIMENSION = LoadDimension.values();

    private final SearchContext context;
    private final PlanIndex index;
    private final PlanSimulation simulation;
    private final List<UnmovedRegion> all = new ArrayList<>();

    UnmovedRegionExplainer(SearchContext context) {
        this.context = context;
        index = context.index;
        simulation = context.simulation;
    }

    /**
     * The regions that would have to go, of every server that stays above its target, by dimension and server; at most {@value
     * #REGIONS_OF_A_PLAN}.
     */
    List<UnmovedRegion> all() {
        for (int dimension = 0; dimension < PlanIndex.DIMENSIONS; dimension++) {
            for (int server = 0; index.counts(dimension) && server < index.servers; server++) {
                double over = over(server, dimension);
                if (over > ROUNDING && all.size() < REGIONS_OF_A_PLAN) {
                    explain(server, dimension, over * index.capacity[server]);
                }
            }
        }
        return all;
    }

    private void explain(int server, int dimension, double over) {
        context.destinations.list(server, dimension);
        double left = over;
        int[] hottest = hottest(server, dimension);
        for (int place = 0; place < hottest.length && left > 0 && all.size() < REGIONS_OF_A_PLAN; place++) {
            all.add(explained(hottest[place], server, dimension));
            left -= index.load(hottest[place], dimension);
        }
    }

    private int[] hottest(int server, int dimension) {
        IntStream moved = context.partialPlan.steps().stream().mapToInt(PartialPlan.Step::region);
        return IntStream.concat(IntStream.range(index.firstRegion[server], index.firstRegion[server + 1]), moved)
                .filter(region -> simulation.serverOf[region] == server && index.load(region, dimension) > 0)
                .boxed()
                .sorted(Comparator.comparingDouble((Integer region) -> -index.load(region, dimension))
                        .thenComparing(Comparator.naturalOrder()))
                .limit(REGIONS_OF_A_SERVER)
                .mapToInt(Integer::intValue)
                .toArray();
    }

    /**
     * Why this region stays where it is, whatever its load.
     *
     * @param isPlanNeeded whether a server is above its trigger
     */
    UnmovedRegion of(int region, boolean isPlanNeeded) {
        int server = simulation.serverOf[region];
        int dimension = mostAbove(server, region);
        if (!isPlanNeeded) {
            return unmoved(region, server, dimension, UnmovedReason.NOTHING_ABOVE_TRIGGER);
        }
        if (over(server, dimension) <= ROUNDING) {
            return unmoved(region, server, dimension, UnmovedReason.SERVER_NOT_ABOVE_TARGET);
        }
        context.destinations.list(server, dimension);
        return explained(region, server, dimension);
    }

    /** The dimension in which the server is furthest above its target, of those in which the region could help if there are such. */
    private int mostAbove(int server, int region) {
        return IntStream.range(0, PlanIndex.DIMENSIONS)
                .filter(index::counts)
                .boxed()
                .max(Comparator.comparing((Integer dimension) ->
                                over(server, dimension) > ROUNDING && index.load(region, dimension) > 0)
                        .thenComparing(dimension -> over(server, dimension)))
                .orElse(0);
    }

    private double over(int server, int dimension) {
        return simulation.shares.share(server, dimension) - index.target[dimension];
    }

    private UnmovedRegion explained(int region, int server, int dimension) {
        return unmoved(region, server, dimension, reason(region, server, dimension));
    }

    private UnmovedReason reason(int region, int server, int dimension) {
        RegionState state = index.state[region];
        if (!state.isFree()) {
            return UnmovedReason.of(state.pin());
        }
        if (index.load(region, dimension) <= 0) {
            return UnmovedReason.NO_LOAD;
        }
        boolean isAboveFairShare = index.load(region, dimension) > index.capacity[server];
        if (simulation.wasMoved(region)) {
            return isAboveFairShare ? UnmovedReason.MOVED_ABOVE_FAIR_SHARE : UnmovedReason.MOVED_HERE;
        }
        if (isAboveFairShare) {
            return UnmovedReason.ABOVE_FAIR_SHARE;
        }
        return ruleOfAllTargets(region).orElseGet(() -> lackOfGain(region, server));
    }

    private UnmovedRegion unmoved(int region, int server, int dimension, UnmovedReason reason) {
        RegionState state = index.state[region];
        return new UnmovedRegion(
                state.region(),
                state.table(),
                index.snapshot.serverId(server),
                DIMENSION[dimension],
                index.load(region, dimension) / index.capacity[server],
                reason);
    }

    /** The rule that forbids every target; of the target that was tried first where they differ. */
    private Optional<UnmovedReason> ruleOfAllTargets(int region) {
        if (!simulation.tables.hasMovesLeft(region)) {
            return Optional.of(UnmovedReason.TABLE_BUDGET);
        }
        if (!context.partialPlan.hasRoomFor(1)) {
            return Optional.of(UnmovedReason.MOVE_LIMIT);
        }
        if (!context.partialPlan.hasRoomForHeat(1)) {
            return Optional.of(UnmovedReason.HEAT_MOVE_LIMIT);
        }
        Optional<UnmovedReason> first =
                context.destinations.size() == 0 ? Optional.of(UnmovedReason.NOT_A_TARGET) : Optional.empty();
        for (int position = 0; position < context.destinations.size(); position++) {
            Optional<UnmovedReason> broken = simulation.broken(region, context.destinations.get(position));
            if (broken.isEmpty()) {
                return Optional.empty();
            }
            first = first.or(() -> broken);
        }
        return first;
    }

    private UnmovedReason lackOfGain(int region, int from) {
        double bestGain = Double.NEGATIVE_INFINITY;
        double bestNet = Double.NEGATIVE_INFINITY;
        for (int position = 0; position < context.destinations.size(); position++) {
            int to = context.destinations.get(position);
            double net = context.scorer.net(region, from, to);
            bestNet = Math.max(bestNet, net);
            bestGain = Math.max(bestGain, net + context.scorer.cost(region, to));
        }
        if (bestGain <= 0) {
            return UnmovedReason.NO_GAIN;
        }
        return bestNet <= 0 ? UnmovedReason.COSTS_MORE : UnmovedReason.GAINS_LITTLE;
    }
}
