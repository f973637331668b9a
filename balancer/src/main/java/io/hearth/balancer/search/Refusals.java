package io.hearth.balancer.search;

import io.hearth.balancer.load.LoadDimension;
import io.hearth.balancer.plan.HardRule;
import io.hearth.balancer.plan.NotMoved;
import io.hearth.balancer.plan.NotMoved.Reason;
import io.hearth.balancer.snapshot.RegionState;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;

/** Why the hottest regions of servers that stay above their target were not moved. Scratch of one search. */
final class Refusals {

    /** How many regions of one server and dimension are explained at most. */
    private static final int REGIONS_OF_A_SERVER = 5;

    /** How many regions are explained at most in one plan. */
    private static final int REGIONS_OF_A_PLAN = 1000;

    private static final LoadDimension[] DIMENSION = LoadDimension.values();

    private final Workbench bench;
    private final PlanIndex index;
    private final PlanSimulation simulation;
    private final List<NotMoved> all = new ArrayList<>();

    Refusals(Workbench bench) {
        this.bench = bench;
        index = bench.index;
        simulation = bench.simulation;
    }

    /** The regions that would have to go, of every server that stays above its target, by dimension and server. */
    List<NotMoved> all() {
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
        bench.targets.list(server, dimension);
        double left = over;
        int[] hottest = hottest(server, dimension);
        for (int place = 0; place < hottest.length && left > 0; place++) {
            all.add(refusal(hottest[place], server, dimension));
            left -= index.load(hottest[place], dimension);
        }
    }

    private int[] hottest(int server, int dimension) {
        IntStream arrived =
                bench.draft.steps().stream().filter(step -> step.to() == server).mapToInt(PlanDraft.Step::region);
        return IntStream.concat(IntStream.range(index.firstRegion[server], index.firstRegion[server + 1]), arrived)
                .filter(region -> simulation.serverOf[region] == server && index.load(region, dimension) > 0)
                .boxed()
                .sorted(Comparator.comparingDouble((Integer region) -> -index.load(region, dimension))
                        .thenComparing(Comparator.naturalOrder()))
                .limit(REGIONS_OF_A_SERVER)
                .mapToInt(Integer::intValue)
                .toArray();
    }

    private NotMoved refusal(int region, int server, int dimension) {
        RegionState state = index.state[region];
        double share = index.load(region, dimension) / index.capacity[server];
        Optional<HardRule> rule = Optional.empty();
        Reason reason;
        if (!state.isFree()) {
            reason = Reason.PINNED;
            rule = Optional.of(HardRule.PINNED);
        } else if (share > 1) {
            reason = Reason.ABOVE_FAIR_SHARE;
        } else if (simulation.wasMoved(region)) {
            reason = Reason.MOVED_HERE;
        } else {
            rule = ruleInTheWay(region);
            reason = rule.isPresent() ? Reason.HARD_RULE : lackOfGain(region, server);
        }
        return new NotMoved(
                state.region(),
                state.table(),
                index.snapshot.servers().get(server),
                DIMENSION[dimension],
                share,
                reason,
                state.pin(),
                rule);
    }

    /** The rule that forbids every target; of the target that was tried first where they differ. */
    private Optional<HardRule> ruleInTheWay(int region) {
        if (!simulation.tables.hasMovesLeft(region)) {
            return Optional.of(HardRule.TABLE_BUDGET);
        }
        if (!bench.draft.hasRoomFor(1)) {
            return Optional.of(HardRule.MOVE_LIMIT);
        }
        if (!bench.draft.hasRoomForHeat(1)) {
            return Optional.of(HardRule.HEAT_MOVE_LIMIT);
        }
        Optional<HardRule> first = bench.targets.size() == 0 ? Optional.of(HardRule.NOT_A_TARGET) : Optional.empty();
        for (int position = 0; position < bench.targets.size(); position++) {
            Optional<HardRule> broken = simulation.broken(region, bench.targets.get(position));
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
        for (int position = 0; position < bench.targets.size(); position++) {
            int to = bench.targets.get(position);
            double net = bench.merits.net(region, from, to);
            bestNet = Math.max(bestNet, net);
            bestGain = Math.max(bestGain, net + bench.merits.cost(region, to));
        }
        if (bestGain <= 0) {
            return Reason.NO_GAIN;
        }
        return bestNet <= 0 ? Reason.COSTS_MORE : Reason.GAINS_LITTLE;
    }
}
