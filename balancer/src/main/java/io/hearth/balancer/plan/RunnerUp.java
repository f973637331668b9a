// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.balancer.plan;

import io.hearth.common.model.EncodedRegionName;
import io.hearth.common.model.ServerId;

/**
 * The second best choice that was found where a move was chosen. Immutable.
 *
 * @param region the region that would have moved; the same one to another server, or another region
 * @param from where that region is served
 * @param to where it would have gone
 * @param score what that would have gained and cost
 * @param weakerIn the objective in which the chosen move was most ahead of it
 */
public record RunnerUp(EncodedRegionName region, ServerId from, ServerId to, MoveScore score, Objective weakerIn) {}
