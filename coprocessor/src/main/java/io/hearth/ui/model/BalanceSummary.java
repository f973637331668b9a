// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.ui.model;

import io.hearth.common.model.LoadDimension;
import io.hearth.common.model.ServerId;
import java.util.Optional;

/**
 * How evenly one dimension of load is spread over the servers. Immutable.
 *
 * @param total of the cluster, as it is, in the dimension's unit
 * @param last the same between the servers' last two reports
 * @param meanPerServer of it, weighed as in plans, for a server of mean capacity
 * @param maxOverMean the largest share, at least 1
 * @param hottest the server that has it; empty where there is no load
 * @param lowerBound max/mean that no plan can come below: 1, or what the hottest regions make of the largest server
 * @param lowerBoundRegions how many of the hottest regions have to share a server for that: 1 is the hottest alone, 0 none
 * @param trigger max/mean above which moves are planned
 * @param weighed whether it has a weight, so that plans are made for it at all
 * @param hasEnoughLoad whether there is load enough for it to be planned for
 */
public record BalanceSummary(
        LoadDimension dimension,
        double total,
        double last,
        double meanPerServer,
        double maxOverMean,
        Optional<ServerId> hottest,
        double lowerBound,
        int lowerBoundRegions,
        double trigger,
        boolean weighed,
        boolean hasEnoughLoad) {

    /** How the page judges it. */
    public enum BalanceState {
        /** Its weight is 0: no plan is made for it. */
        ZERO_WEIGHT,
        /** Too little load to say, or none. */
        BELOW_MIN_LOAD,
        /** At or below the trigger. */
        BALANCED,
        /** Above the trigger, and as near to the lower bound as a plan would come: only splits help. */
        AT_LOWER_BOUND,
        /** Above the trigger. */
        UNBALANCED
    }

    public BalanceState state() {
        if (!weighed) {
            return BalanceState.ZERO_WEIGHT;
        }
        if (!hasEnoughLoad) {
            return BalanceState.BELOW_MIN_LOAD;
        }
        if (maxOverMean <= trigger) {
            return BalanceState.BALANCED;
        }
        return isBound() && maxOverMean <= lowerBound * trigger ? BalanceState.AT_LOWER_BOUND : BalanceState.UNBALANCED;
    }

    /** Plans bring a server with one region above its share to the target beside it, and any other to the target. */
    private boolean isBound() {
        return lowerBoundRegions > 0 && (lowerBoundRegions == 1 || lowerBound > trigger);
    }
}
