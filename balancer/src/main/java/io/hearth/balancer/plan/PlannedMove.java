// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.balancer.plan;

import io.hearth.balancer.plan.PlanGoals.MoveCosts;
import io.hearth.common.model.EncodedRegionName;
import io.hearth.common.model.LoadVector;
import io.hearth.common.model.ServerId;
import io.hearth.common.model.TableId;
import java.util.Collections;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.TreeMap;

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
     * What a move gains and costs, objective by objective, on the cluster as it was when the move was chosen. Immutable.
     *
     * @param gainByObjective the gain in each objective in the unit of {@link MoveCosts}; below 0 it is a cost; what is missing is 0
     * @param bytesToHeal the bytes that will have to be brought to the target less those that have to be made local where the
     *     region is now; below 0 where more of it is local at the target; empty where nobody knows
     */
    public record MoveScore(Map<Objective, Double> gainByObjective, OptionalLong bytesToHeal) {

        public MoveScore {
            gainByObjective = Collections.unmodifiableMap(new TreeMap<>(gainByObjective));
        }

        /** The gain in this objective; below 0 it is a cost. */
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

        /** The objective in which this move is most ahead of the other. */
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
