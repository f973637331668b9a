// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.balancer.heat;

import io.hearth.common.model.LoadDimension;
import io.hearth.common.model.LoadVector;

/** How hot a region is: known, or unknown with the reason. Immutable. */
public sealed interface RegionHeat {

    /**
     * Enough has been seen to act on: loads as measured, and what plans count.
     *
     * @param load with the half-life of {@code hearth.balancer.heat.half.life.ms}, 5 min: without the ups and downs of a minute
     * @param recent with the half-life of {@code hearth.balancer.heat.recent.half.life.ms}: the last minute
     * @param last between the last two reports of it
     * @param readCost what a read counts in plans, at least 1: more than 1 where reads that are not local cost more
     * @param planned what plans count: over hours, as long as the load of the last minutes may be a swing around that; in a cluster's
     *     state weighted by its table
     */
    record Known(LoadVector load, LoadVector recent, LoadVector last, double readCost, LoadVector planned)
            implements RegionHeat {

        /** Heat that does not swing, in which a read is a read. */
        public Known(LoadVector load, LoadVector recent, LoadVector last) {
            this(load, recent, last, 1, load);
        }

        /** One whose last rates were its recent ones. */
        public Known(LoadVector load, LoadVector recent) {
            this(load, recent, recent);
        }

        /** The same with this for plans. */
        public Known withPlanned(LoadVector newPlanned) {
            return new Known(load, recent, last, readCost, newPlanned);
        }

        /** The load with what its reads cost. */
        public LoadVector counted() {
            return load.withReads(load.get(LoadDimension.READS) * readCost);
        }
    }

    /**
     * Too little has been seen to act on; a region with unknown heat is not moved for the sake of heat.
     *
     * @param first what little was seen: its first rates, for who wants to see them
     */
    record Unknown(Reason reason, LoadVector first) implements RegionHeat {

        /** One of which nothing was seen. */
        public Unknown(Reason reason) {
            this(reason, LoadVector.ZERO);
        }
    }

    /** Why heat is unknown. */
    enum Reason {
        /** No server has reported the region yet. */
        NEVER_REPORTED,
        /** It has been seen for less than the time that is asked for. */
        OBSERVED_TOO_BRIEFLY,
        /** It is known from before the master changed, and no server has reported it since. */
        NOT_REPORTED_SINCE_RESTORE
    }
}
