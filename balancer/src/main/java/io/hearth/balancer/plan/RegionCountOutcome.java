// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.balancer.plan;

/**
 * What a plan does to the number of regions of the servers. Immutable.
 *
 * @param imbalanceBefore as stock's {@code RegionCountSkewCostFunction} measures it, 0 to 1
 * @param imbalanceAfter the same when every move is done
 */
public record RegionCountOutcome(
        int fewestBefore,
        int mostBefore,
        int fewestAfter,
        int mostAfter,
        double imbalanceBefore,
        double imbalanceAfter) {}
