// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.balancer.plan;

import io.hearth.balancer.plan.PlanGoals.MoveCosts;
import io.hearth.common.model.EncodedRegionName;
import io.hearth.common.model.LoadVector;
import io.hearth.common.model.ServerId;
import io.hearth.common.model.TableId;
import java.util.Arrays;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.SortedMap;
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
     * What a move gains and costs, objective by objective, on the cluster as it was when the move was chosen. Thousands of the last
     * plans are kept: so it is an array, where a map takes five times as much. Immutable.
     */
    public static final class MoveScore {

        /** Where nothing was said of an objective. */
        private static final double MISSING = Double.NaN;

        private final double[] gains = new double[Objective.all().size()];
        private final OptionalLong bytesToHeal;

        /**
         * The score with these gains.
         *
         * @param gainByObjective the gain in each objective in the unit of {@link MoveCosts}; below 0 it is a cost; what is missing is 0
         * @param bytesToHeal the bytes that will have to be brought to the target less those that have to be made local where the
         *     region is now; below 0 where more of it is local at the target; empty where nobody knows
         */
        public MoveScore(Map<Objective, Double> gainByObjective, OptionalLong bytesToHeal) {
            Arrays.fill(gains, MISSING);
            gainByObjective.forEach((objective, gain) -> gains[objective.order()] = gain);
            this.bytesToHeal = bytesToHeal;
        }

        /** The gain in each objective of which something was said, in their order; put together at each call. */
        public SortedMap<Objective, Double> gainByObjective() {
            SortedMap<Objective, Double> gainByObjective = new TreeMap<>();
            for (Objective objective : Objective.all()) {
                if (!Double.isNaN(gains[objective.order()])) {
                    gainByObjective.put(objective, gains[objective.order()]);
                }
            }
            return gainByObjective;
        }

        /** The bytes to heal; below 0 where more of it is local at the target, empty where nobody knows. */
        public OptionalLong bytesToHeal() {
            return bytesToHeal;
        }

        /** The gain in this objective; below 0 it is a cost. */
        public double gain(Objective objective) {
            double gain = gains[objective.order()];
            return Double.isNaN(gain) ? 0 : gain;
        }

        /** What it costs: bytes to heal, a cold cache, unavailability. Below 0 where bytes become local and nothing else counts. */
        public double cost() {
            return -(gain(Objective.BYTES_TO_HEAL) + gain(Objective.COLD_CACHE) + gain(Objective.UNAVAILABILITY));
        }

        /** What is left of the gain when every cost is paid. */
        public double net() {
            double net = 0;
            for (double gain : gains) {
                net += Double.isNaN(gain) ? 0 : gain;
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

        @Override
        public boolean equals(Object other) {
            return other instanceof MoveScore score
                    && Arrays.equals(gains, score.gains)
                    && bytesToHeal.equals(score.bytesToHeal);
        }

        @Override
        public int hashCode() {
            return 31 * Arrays.hashCode(gains) + bytesToHeal.hashCode();
        }

        @Override
        public String toString() {
            return gainByObjective() + ", bytes to heal " + bytesToHeal;
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
