// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.balancer.plan;

/**
 * What a plan does to one dimension of heat, and what any plan could. A server's share is its load over its fair share, which
 * goes by its capacity; max/mean is the largest share, at least 1. Immutable.
 *
 * @param weighed whether the dimension mattered: it has a goal with a weight above 0, and load enough
 * @param maxOverMeanBefore max/mean of the servers as the snapshot has it
 * @param maxOverMeanAfter the same when every move is done
 * @param lowerBound max/mean below which no plan can come: 1; or the hottest region on the largest server, with as many of the
 *     coldest regions as a server has to have at least; or what is pinned to a server; or what some server has of the hottest
 *     regions, wherever they are; whichever is most
 * @param leastMoves a number of moves that no plan can do without to reach {@code maxOverMeanAfter} in this dimension: for
 *     each server above it, its hottest movable regions until it is not, and what a region costs for which nobody has room
 */
public record DimensionOutcome(
        boolean weighed, double maxOverMeanBefore, double maxOverMeanAfter, double lowerBound, int leastMoves) {}
