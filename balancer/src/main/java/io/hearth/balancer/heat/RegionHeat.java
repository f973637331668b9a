// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.balancer.heat;

import io.hearth.common.model.LoadVector;

/** How hot a region is: known, or unknown with the reason. Immutable. */
public sealed interface RegionHeat {

    /**
     * Enough has been seen to act on: loads as measured, and the load that the planner uses.
     *
     * @param load the load with the half-life of {@code hearth.balancer.heat.half.life.ms}, by default 5 min
     * @param recent the load with the half-life of {@code hearth.balancer.heat.recent.half.life.ms}, by default a minute
     * @param last the load between the last two reports of it, blended with the one before where they are less than 10 s apart
     * @param readCost how many reads a read counts as in plans, at least 1: more than 1 where reads that are not local cost more
     * @param planned the load that the planner uses, with what reads cost: with {@code hearth.balancer.noise.filter} the mean of hours,
     *     which starts over from {@code recent} at a shift of load; without it, or while the server is suspect, {@code load}.
     *     Weighted by its table
     */
    record Known(LoadVector load, LoadVector recent, LoadVector last, double readCost, LoadVector planned)
            implements RegionHeat {

        /** A heat that is planned with its {@code load}, in which a read counts as one read. */
        public Known(LoadVector load, LoadVector recent, LoadVector last) {
            this(load, recent, last, 1, load);
        }

        /** The same, with the recent load as the last one. */
        public Known(LoadVector load, LoadVector recent) {
            this(load, recent, recent);
        }
    }

    /**
     * Too little has been seen to act on; a region with unknown heat is not moved for the sake of heat.
     *
     * @param first the rates between its last two reports: for who wants to see them, too few to act on
     */
    record Unknown(Reason reason, LoadVector first) implements RegionHeat {

        /** One of which nothing was seen. */
        public Unknown(Reason reason) {
            this(reason, LoadVector.ZERO);
        }
    }

    /** Why heat is unknown. */
    enum Reason {
        /** No server has reported the region yet, or none for an hour, so that it was forgotten. */
        NEVER_REPORTED,
        /** It has been seen for less than the time that is asked for. */
        OBSERVED_TOO_BRIEFLY,
        /** It is known from before the master changed, and no server has reported it since. */
        NOT_REPORTED_SINCE_RESTORE
    }
}
