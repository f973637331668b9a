// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.balancer.plan;

/**
 * What a plan has to reach in one dimension of heat. Immutable.
 *
 * @param weight how much it counts against the other dimensions, at least 0; 0 leaves it out
 * @param trigger max/mean above which moves are planned
 * @param target max/mean at which it is good enough
 * @param minMean mean load of a server below which its skew does not matter, in the dimension's unit
 */
public record DimensionGoal(double weight, double trigger, double target, double minMean) {}
