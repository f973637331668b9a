// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.healer.spi;

import io.hearth.balancer.heat.RegionHeat;
import io.hearth.common.model.EncodedRegionName;

/** Who serves which region, what the servers report of them, and whether this process may still act on it. */
public interface Assignments {

    /** A fresh look; unknown while the master is not active and initialised. Asks nobody outside of the process. */
    Observed<AssignmentSnapshot> snapshot();

    /** How hot a region is, by what the servers have reported; asks nobody. Unknown where nobody follows heat. */
    default RegionHeat heat(EncodedRegionName region) {
        return new RegionHeat.Unknown(RegionHeat.Reason.NEVER_REPORTED);
    }

    /** Whether this process still leads: asked just before moves start, so that the answer must be at hand. */
    default boolean mayAct() {
        return true;
    }
}
