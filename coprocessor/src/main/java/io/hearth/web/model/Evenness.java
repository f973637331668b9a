package io.hearth.web.model;

import io.hearth.balancer.load.LoadDimension;
import io.hearth.balancer.load.ServerId;
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
 * @param boundTogether how many of the hottest regions have to share a server for that: 1 is the hottest alone, 0 none
 * @param trigger max/mean above which moves are planned
 * @param weighed whether it has a weight, so that plans are made for it at all
 * @param matters whether there is load enough for it to be planned for
 */
public record Evenness(
        LoadDimension dimension,
        double total,
        double last,
        double meanPerServer,
        double maxOverMean,
        Optional<ServerId> hottest,
        double lowerBound,
        int boundTogether,
        double trigger,
        boolean weighed,
        boolean matters) {

    /** How the page judges it. */
    public enum Verdict {
        /** Its weight is 0: no plan is made for it. */
        NOT_WEIGHED,
        /** Too little load to say, or none. */
        TOO_LITTLE,
        /** At or below the trigger. */
        EVEN,
        /** Above the trigger, and as near to the lower bound as a plan would come: only splits help. */
        AS_EVEN_AS_CAN_BE,
        /** Above the trigger. */
        UNEVEN
    }

    public Verdict verdict() {
        if (!weighed) {
            return Verdict.NOT_WEIGHED;
        }
        if (!matters) {
            return Verdict.TOO_LITTLE;
        }
        if (maxOverMean <= trigger) {
            return Verdict.EVEN;
        }
        return isBound() && maxOverMean <= lowerBound * trigger ? Verdict.AS_EVEN_AS_CAN_BE : Verdict.UNEVEN;
    }

    /** Plans bring a server with one region above its share to the target beside it, and any other to the target. */
    private boolean isBound() {
        return boundTogether > 0 && (boundTogether == 1 || lowerBound > trigger);
    }
}
