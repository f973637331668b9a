// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.sim.cli;

import io.hearth.balancer.plan.DimensionGoal;
import io.hearth.balancer.plan.PlanGoals;
import io.hearth.common.model.LoadDimension;
import java.util.EnumMap;
import java.util.Map;

/** Other weights of heat than those of a snapshot file, as {@code --weights read=200,write=200,size=35} says them. */
final class WeightOverrides {

    private static final double MOST = 1_000_000;

    private WeightOverrides() {}

    /**
     * The goals with these weights.
     *
     * @throws IllegalArgumentException if a name or a value is none that is allowed
     */
    static PlanGoals apply(PlanGoals goals, Map<String, Double> weightByName) {
        Map<LoadDimension, DimensionGoal> heat = new EnumMap<>(LoadDimension.class);
        heat.putAll(goals.goalByDimension());
        weightByName.forEach((name, weight) -> {
            LoadDimension dimension = dimension(name);
            if (!(weight >= 0 && weight <= MOST)) {
                throw new IllegalArgumentException(
                        "--weights has " + name + "=" + weight + "; allowed are 0 to 1000000");
            }
            DimensionGoal goal = heat.get(dimension);
            if (goal == null) {
                throw new IllegalArgumentException("--weights has " + name + ", for which the snapshot has no goal");
            }
            heat.put(dimension, new DimensionGoal(weight, goal.trigger(), goal.target(), goal.minMean()));
        });
        return new PlanGoals(heat, goals.counts(), goals.tables(), goals.moveCosts(), goals.limits());
    }

    private static LoadDimension dimension(String name) {
        return switch (name) {
            case "read" -> LoadDimension.READS;
            case "write" -> LoadDimension.WRITES;
            case "size" -> LoadDimension.STORE_SIZE;
            default ->
                throw new IllegalArgumentException("--weights has " + name + "; allowed are read, write and size");
        };
    }
}
