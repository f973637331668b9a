package io.hearth.balancer.search;

import io.hearth.balancer.load.LoadDimension;
import java.util.Map;

/**
 * What a plan has to reach and may not exceed. Immutable.
 *
 * @param goalByDimension one goal for each dimension that matters at all
 * @param regionCountSlop how far a server's number of regions may be from the mean, as a share of it; below 0 means that the
 *     number does not matter (HBase's {@code hbase.regions.slop})
 * @param maxMoves the most moves that one plan may hold
 */
public record PlanGoals(Map<LoadDimension, DimensionGoal> goalByDimension, double regionCountSlop, int maxMoves) {

    public PlanGoals {
        goalByDimension = Map.copyOf(goalByDimension);
    }

    /**
     * The goal in one dimension. Immutable.
     *
     * @param weight how much it counts against the other dimensions, at least 0; 0 leaves it out
     * @param trigger max/mean above which moves are planned
     * @param target max/mean at which it is good enough
     * @param minMean mean load of a server below which its skew does not matter, in the dimension's unit
     */
    public record DimensionGoal(double weight, double trigger, double target, double minMean) {}
}
