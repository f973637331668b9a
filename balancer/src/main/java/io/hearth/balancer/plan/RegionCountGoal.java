// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.balancer.plan;

/**
 * What a plan has to reach in the number of regions of a server. Every server has the same fair number, whatever its
 * capacity: the stock balancer's slop and its region count cost know no capacity, and would undo anything else. Immutable.
 *
 * @param weight how much an uneven number counts against heat (stock's {@code regionCountCost})
 * @param slop how far a server's number may be from the mean, as a share of it: a hard rule; below 0 means that the number
 *     does not matter at all (HBase's {@code hbase.regions.slop})
 * @param trigger the imbalance, measured as stock's {@code RegionCountSkewCostFunction} does (0 is even, 1 is everything on
 *     one server), above which moves are planned for the numbers alone where heat needs none: what stock would start a run
 *     of its own for; at 1 there are no such plans
 * @param target the imbalance, in the same measure, to which a plan brings the numbers when heat is even: low enough that
 *     stock does not start a run of its own to even them
 */
public record RegionCountGoal(double weight, double slop, double trigger, double target) {

    /**
     * Stock's weight and slop, the imbalance that by stock's default weights comes to its threshold of 0.025, and one that
     * leaves most of it to its other costs.
     */
    public static final RegionCountGoal DEFAULT = new RegionCountGoal(500, 0.2, 0.028, 0.01);

    /** The same with another slop. */
    public RegionCountGoal withSlop(double newSlop) {
        return new RegionCountGoal(weight, newSlop, trigger, target);
    }

    /** Whether the number of regions matters at all. */
    public boolean matters() {
        return slop >= 0;
    }
}
