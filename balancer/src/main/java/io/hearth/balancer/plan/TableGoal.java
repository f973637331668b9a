// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.balancer.plan;

/**
 * What a plan has to reach in the number of regions of one table on one server. Immutable.
 *
 * @param weight how much all tables together count against heat (stock's {@code tableSkewCost}); 0 leaves them out
 * @param slop how many regions of a table above the mean a server may have at no cost, as a share of the mean; one region
 *     of a table never costs
 */
public record TableGoal(double weight, double slop) {

    /** Stock's weight, and two and a half times the mean. */
    public static final TableGoal DEFAULT = new TableGoal(35, 1.5);

    /** Tables do not matter. */
    public static final TableGoal NONE = new TableGoal(0, 0.5);
}
