package io.hearth.balancer.heat;

import io.hearth.balancer.load.LoadVector;

/** How hot a region is: known, or unknown with the reason. Immutable. */
public sealed interface RegionHeat {

    /** Enough has been seen to act on. */
    record Known(LoadVector load) implements RegionHeat {}

    /** Too little has been seen to act on; a region with unknown heat is not moved for the sake of heat. */
    record Unknown(Reason reason) implements RegionHeat {}

    /** Why heat is unknown. */
    enum Reason {
        /** No server has reported the region yet. */
        NEVER_REPORTED,
        /** It has been seen for less than the time that is asked for. */
        SEEN_TOO_BRIEFLY
    }
}
