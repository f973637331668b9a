// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.healer.spi;

import io.hearth.balancer.heat.RegionHeat;
import io.hearth.common.model.EncodedRegionName;
import io.hearth.healer.model.ServedRegion;
import java.util.Collection;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;

/** Who serves which region, what the servers report of them, and whether this process may still act on it. */
public interface Assignments {

    /** A fresh snapshot; unknown while the master is not active and initialised. Asks nobody outside of the process. */
    Observed<AssignmentSnapshot> snapshot();

    /** How hot a region is, by what the servers have reported; asks nobody. Unknown where nobody follows heat. */
    default RegionHeat heat(EncodedRegionName region) {
        return new RegionHeat.Unknown(RegionHeat.Reason.NEVER_REPORTED);
    }

    /** Whether this process still leads: asked just before moves start, so that the answer must be at hand. */
    default boolean mayAct() {
        return true;
    }

    /**
     * The assignments at one time: every region that is served, and those that exist but are not served just now (in
     * transition, splitting, offline). Immutable; not sorted, because with 100,000 regions a sort costs more than all else that
     * is done with a snapshot.
     */
    final class AssignmentSnapshot {

        /** What is known before the first poll: nothing. */
        public static final AssignmentSnapshot EMPTY = of(Set.of(), Set.of());

        private final Map<EncodedRegionName, ServedRegion> servedById;
        private final Set<EncodedRegionName> unserved;

        private AssignmentSnapshot(Map<EncodedRegionName, ServedRegion> servedById, Set<EncodedRegionName> unserved) {
            this.servedById = servedById;
            this.unserved = unserved;
        }

        public static AssignmentSnapshot of(Collection<ServedRegion> served, Collection<EncodedRegionName> unserved) {
            Map<EncodedRegionName, ServedRegion> servedById = new HashMap<>(served.size() * 4 / 3 + 1);
            served.forEach(region -> servedById.put(region.region(), region));
            return new AssignmentSnapshot(
                    Collections.unmodifiableMap(servedById), Collections.unmodifiableSet(new HashSet<>(unserved)));
        }

        public Map<EncodedRegionName, ServedRegion> servedById() {
            return servedById;
        }

        public Set<EncodedRegionName> unserved() {
            return unserved;
        }
    }
}
