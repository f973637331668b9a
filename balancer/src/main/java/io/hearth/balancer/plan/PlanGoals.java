// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.balancer.plan;

import io.hearth.common.model.LoadDimension;
import java.util.Map;

/**
 * What a plan has to reach, what a move costs, and what the plan may not exceed. Immutable: {@link #of} has defaults for all
 * but heat, each {@code with} method gives a copy with one group replaced.
 *
 * @param goalByDimension one goal for each dimension of heat that matters at all
 * @param counts the number of regions of a server
 * @param tables the number of regions of one table on a server
 * @param moveCosts what a move costs
 * @param limits what the plan may not exceed
 */
public record PlanGoals(
        Map<LoadDimension, DimensionGoal> goalByDimension,
        RegionCountGoal counts,
        TableGoal tables,
        MoveCosts moveCosts,
        PlanLimits limits) {

    public PlanGoals {
        goalByDimension = Map.copyOf(goalByDimension);
    }

    /** These goals of heat, and the defaults of everything else. */
    public static PlanGoals of(Map<LoadDimension, DimensionGoal> goalByDimension) {
        return new PlanGoals(
                goalByDimension, RegionCountGoal.DEFAULT, TableGoal.DEFAULT, MoveCosts.DEFAULT, PlanLimits.DEFAULT);
    }

    /** Whether evenness is all that counts: moves cost nothing, and the least gain is worth one. */
    public boolean movesAreFree() {
        return moveCosts.equals(MoveCosts.NONE) && limits.minGain() == 0;
    }

    public PlanGoals withCounts(RegionCountGoal newCounts) {
        return new PlanGoals(goalByDimension, newCounts, tables, moveCosts, limits);
    }

    public PlanGoals withMoveCosts(MoveCosts newMoveCosts) {
        return new PlanGoals(goalByDimension, counts, tables, newMoveCosts, limits);
    }

    public PlanGoals withLimits(PlanLimits newLimits) {
        return new PlanGoals(goalByDimension, counts, tables, moveCosts, newLimits);
    }
}
