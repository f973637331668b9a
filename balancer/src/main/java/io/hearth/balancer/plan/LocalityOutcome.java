// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.balancer.plan;

/**
 * What a plan leaves to the healer. Immutable.
 *
 * @param bytesToHeal bytes that the moves add to what has to be made local; below 0 where they save more
 * @param unknownMoves moves of regions of which nobody knows where their bytes are, which are not in that sum
 */
public record LocalityOutcome(long bytesToHeal, int unknownMoves) {}
