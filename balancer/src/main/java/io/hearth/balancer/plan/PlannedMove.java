// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.balancer.plan;

import io.hearth.common.model.EncodedRegionName;
import io.hearth.common.model.LoadVector;
import io.hearth.common.model.ServerId;
import io.hearth.common.model.TableId;
import java.util.Optional;

/**
 * One region that is to be served elsewhere, and why. Immutable.
 *
 * @param load the region's load as it counts in the plan
 * @param because what the move is for
 * @param score what it gains and costs
 * @param runnerUp the second-best candidate; empty where there was none
 * @param swappedFor the region that goes the other way for the sake of this move; empty for a move alone
 */
public record PlannedMove(
        EncodedRegionName region,
        TableId table,
        LoadVector load,
        ServerId from,
        ServerId to,
        Objective because,
        MoveScore score,
        Optional<RunnerUp> runnerUp,
        Optional<EncodedRegionName> swappedFor) {

    /** One sentence without its full stop: what is moved where, for what, and what that gains. */
    public String text() {
        return PlanText.move(this);
    }

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
}
