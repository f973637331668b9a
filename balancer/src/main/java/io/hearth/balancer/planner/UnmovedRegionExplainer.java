// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.balancer.planner;

import io.hearth.balancer.plan.MoveConstraint;
import io.hearth.balancer.plan.UnmovedRegion;
import io.hearth.balancer.plan.UnmovedRegion.Reason;
import io.hearth.balancer.state.RegionState;
import io.hearth.common.model.LoadDimension;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;

/** Why the hottest regions of servers that stay above their target were not moved. Scratch of one search. */
final class UnmovedRegionExplainer {

    /** How many regions of one server and dimension are explained at most. */
    private static final int REGIONS_OF_A_SERVER = 5;

    /** How many regions are explained at most in one plan. */
    private static final int REGIONS_OF_A_PLAN = 1000;

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

    /** The regions that would have to go, of every server that stays above its target, by dimension and server. */
    List<UnmovedRegion> all() {
        for (int dimension = 0; dimension < PlanIndex.DIMENSIONS; dimension++) {
            for (int server = 0; index.counts(dimension) && server < index.servers; server++) {
                double over = simulation.shares.share(server, dimension) - index.target[dimension];
                if (over > 1e-9 && all.size() < REGIONS_OF_A_PLAN) {
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
        for (int place = 0; place < hottest.length && left > 0; place++) {
            all.add(refusal(hottest[place], server, dimension));
            left -= index.load(hottest[place], dimension);
        }
    }

    private int[] hottest(int server, int dimension) {
        IntStream arrived = context.partialPlan.steps().stream()
                .filter(step -> step.to() == server)
                .mapToInt(PartialPlan.Step::region);
        return IntStream.concat(IntStream.range(index.firstRegion[server], index.firstRegion[server + 1]), arrived)
                .filter(region -> simulation.serverOf[region] == server && index.load(region, dimension) > 0)
                .boxed()
                .sorted(Comparator.comparingDouble((Integer region) -> -index.load(region, dimension))
                        .thenComparing(Comparator.naturalOrder()))
                .limit(REGIONS_OF_A_SERVER)
                .mapToInt(Integer::intValue)
                .toArray();
    }

    private UnmovedRegion refusal(int region, int server, int dimension) {
        RegionState state = index.state[region];
        double share = index.load(region, dimension) / index.capacity[server];
        Optional<MoveConstraint> constraint = Optional.empty();
        Reason reason;
        if (!state.isFree()) {
            reason = Reason.PINNED;
            constraint = Optional.of(MoveConstraint.PINNED);
        } else if (share > 1) {
            reason = Reason.ABOVE_FAIR_SHARE;
        } else if (simulation.wasMoved(region)) {
            reason = Reason.MOVED_HERE;
        } else {
            constraint = violatedConstraint(region);
            reason = constraint.isPresent() ? Reason.CONSTRAINT : lackOfGain(region, server);
        }
        return new UnmovedRegion(
                state.region(),
                state.table(),
                index.snapshot.serverId(server),
                DIMENSION[dimension],
                share,
                reason,
                state.pin(),
                constraint);
    }

    /** The rule that forbids every target; of the target that was tried first where they differ. */
    private Optional<MoveConstraint> violatedConstraint(int region) {
        if (!simulation.tables.hasMovesLeft(region)) {
            return Optional.of(MoveConstraint.TABLE_BUDGET);
        }
        if (!context.partialPlan.hasRoomFor(1)) {
            return Optional.of(MoveConstraint.MOVE_LIMIT);
        }
        if (!context.partialPlan.hasRoomForHeat(1)) {
            return Optional.of(MoveConstraint.HEAT_MOVE_LIMIT);
        }
        Optional<MoveConstraint> first =
                context.destinations.size() == 0 ? Optional.of(MoveConstraint.NOT_A_TARGET) : Optional.empty();
        for (int position = 0; position < context.destinations.size(); position++) {
            Optional<MoveConstraint> broken = simulation.broken(region, context.destinations.get(position));
            if (broken.isEmpty()) {
                return Optional.empty();
            }
            first = first.or(() -> broken);
        }
        return first;
    }

    private Reason lackOfGain(int region, int from) {
        double bestGain = Double.NEGATIVE_INFINITY;
        double bestNet = Double.NEGATIVE_INFINITY;
        for (int position = 0; position < context.destinations.size(); position++) {
            int to = context.destinations.get(position);
            double net = context.scorer.net(region, from, to);
            bestNet = Math.max(bestNet, net);
            bestGain = Math.max(bestGain, net + context.scorer.cost(region, to));
        }
        if (bestGain <= 0) {
            return Reason.NO_GAIN;
        }
        return bestNet <= 0 ? Reason.COSTS_MORE : Reason.GAINS_LITTLE;
    }
}
