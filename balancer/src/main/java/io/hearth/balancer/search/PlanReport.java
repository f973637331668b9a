package io.hearth.balancer.search;

import io.hearth.balancer.load.LoadDimension;
import io.hearth.balancer.plan.CountOutcome;
import io.hearth.balancer.plan.DimensionOutcome;
import io.hearth.balancer.plan.HealOutcome;
import io.hearth.balancer.plan.NotMoved;
import io.hearth.balancer.plan.Plan;
import io.hearth.balancer.plan.PlannedMove;
import io.hearth.balancer.snapshot.Pin;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;

/** What a search found, as a plan: made before the search, so that it knows how things were. Not thread-safe. */
final class PlanReport {

    private static final int UNKNOWN = -1;

    private final Workbench bench;
    private final PlanIndex index;
    private final double[] maxBefore = new double[PlanIndex.DIMENSIONS];
    private final int[] countBefore;
    private final double imbalanceBefore;
    /** By dimension, once asked for. */
    private final int[] leastMoves = new int[PlanIndex.DIMENSIONS];

    PlanReport(Workbench bench) {
        this.bench = bench;
        index = bench.index;
        for (int dimension = 0; dimension < PlanIndex.DIMENSIONS; dimension++) {
            maxBefore[dimension] = maxOverMean(dimension);
        }
        countBefore = bench.simulation.countByServer.clone();
        imbalanceBefore = bench.simulation.countImbalance();
        Arrays.fill(leastMoves, UNKNOWN);
    }

    private double maxOverMean(int dimension) {
        return index.overMean(bench.simulation.shares.maxOverMean(dimension), dimension);
    }

    /** The least number of moves that any plan needs to be as even, of the dimensions that count. To be asked when the search is over. */
    int leastMoves() {
        int least = 0;
        for (int dimension = 0; dimension < PlanIndex.DIMENSIONS; dimension++) {
            least = Math.max(least, leastMoves(dimension));
        }
        return least;
    }

    private int leastMoves(int dimension) {
        if (leastMoves[dimension] == UNKNOWN) {
            leastMoves[dimension] = index.counts(dimension) ? new Bounds(bench.simulation).leastMoves(dimension) : 0;
        }
        return leastMoves[dimension];
    }

    Plan plan(List<NotMoved> notMoved) {
        List<PlannedMove> moves =
                bench.draft.steps().stream().map(PlanDraft.Step::move).toList();
        return new Plan(moves, outcomes(), counts(), heal(moves), notMoved, pinned(), bench.deadline.isOver());
    }

    private Map<LoadDimension, DimensionOutcome> outcomes() {
        Bounds bounds = new Bounds(bench.simulation);
        Map<LoadDimension, DimensionOutcome> outcomes = new EnumMap<>(LoadDimension.class);
        for (LoadDimension dimension : LoadDimension.values()) {
            int number = dimension.ordinal();
            double after = maxOverMean(number);
            outcomes.put(
                    dimension,
                    new DimensionOutcome(
                            index.counts(number),
                            maxBefore[number],
                            after,
                            index.overMean(bounds.lowerBound(number), number),
                            leastMoves(number)));
        }
        return outcomes;
    }

    private CountOutcome counts() {
        int[] after = bench.simulation.countByServer;
        return new CountOutcome(
                Arrays.stream(countBefore).min().orElse(0),
                Arrays.stream(countBefore).max().orElse(0),
                Arrays.stream(after).min().orElse(0),
                Arrays.stream(after).max().orElse(0),
                imbalanceBefore,
                bench.simulation.countImbalance());
    }

    private static HealOutcome heal(List<PlannedMove> moves) {
        long bytes = 0;
        int unknown = 0;
        for (PlannedMove move : moves) {
            bytes += move.merit().bytesToHeal().orElse(0);
            unknown += move.merit().bytesToHeal().isPresent() ? 0 : 1;
        }
        return new HealOutcome(bytes, unknown);
    }

    private Map<Pin, Integer> pinned() {
        int[] count = new int[Pin.values().length];
        for (int region = 0; region < index.regions; region++) {
            count[index.state[region].pin().ordinal()]++;
        }
        Map<Pin, Integer> pinned = new EnumMap<>(Pin.class);
        for (Pin pin : Pin.values()) {
            if (pin != Pin.FREE && count[pin.ordinal()] > 0) {
                pinned.put(pin, count[pin.ordinal()]);
            }
        }
        return pinned;
    }
}
