// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.balancer.plan;

import io.hearth.balancer.plan.PlanGoals.MoveCosts;
import java.util.Collections;
import java.util.Map;
import java.util.OptionalLong;
import java.util.TreeMap;

/**
 * What a move gains and costs, concern by concern, on the cluster as it was when the move was chosen. Immutable.
 *
 * @param gainByObjective the gain in each concern in the unit of {@link MoveCosts}; below 0 it is a cost; what is missing is 0
 * @param bytesToHeal the bytes that will have to be brought to the target less those that have to be made local where the
 *     region is now; below 0 where more of it is local at the target; empty where nobody knows
 */
public record MoveScore(Map<Objective, Double> gainByObjective, OptionalLong bytesToHeal) {

    public MoveScore {
        gainByObjective = Collections.unmodifiableMap(new TreeMap<>(gainByObjective));
    }

    /** The gain in this concern; below 0 it is a cost. */
    public double gain(Objective objective) {
        return gainByObjective.getOrDefault(objective, 0.0);
    }

    /** What it costs: bytes to heal, a cold cache, unavailability. Below 0 where bytes become local and nothing else counts. */
    public double cost() {
        return -(gain(Objective.BYTES_TO_HEAL) + gain(Objective.COLD_CACHE) + gain(Objective.UNAVAILABILITY));
    }

    /** What is left of the gain when every cost is paid. */
    public double net() {
        double net = 0;
        for (double gain : gainByObjective.values()) {
            net += gain;
        }
        return net;
    }

    /** The concern in which this move is most ahead of the other. */
    public Objective objectiveMostAhead(MoveScore other) {
        Objective most = Objective.READS;
        for (Objective objective : Objective.all()) {
            if (gain(objective) - other.gain(objective) > gain(most) - other.gain(most)) {
                most = objective;
            }
        }
        return most;
    }
}
