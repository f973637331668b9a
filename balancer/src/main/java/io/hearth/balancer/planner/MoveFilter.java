// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.balancer.planner;

/** What a move is sought for, and so which moves come into question. */
interface MoveFilter {

    /** How many kinds of aims there are that look at all regions of a server. */
    int KINDS = PlanIndex.DIMENSIONS + 2;

    /** The kind of one that has to do with numbers of regions within slop. */
    int SLOP = PlanIndex.DIMENSIONS;

    /** The kind of one that evens numbers of regions. */
    int COUNTS = PlanIndex.DIMENSIONS + 1;

    /** What kind of aim it is, below {@link #KINDS}: the dimension of one that cools a server. What a region gains is remembered by it. */
    int kind();

    /** Whether it would help at all if this region left its server. */
    boolean considers(int region);

    /** Whether this move helps, and does no harm that this aim may not do. */
    boolean allows(int region, int from, int to);
}
