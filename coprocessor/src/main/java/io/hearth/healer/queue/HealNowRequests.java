// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.healer.queue;

import io.hearth.common.model.EncodedRegionName;
import java.util.Collection;
import java.util.Collections;
import java.util.Set;
import java.util.SortedSet;
import java.util.TreeSet;

/**
 * The regions that a person wants to be looked at now, until the loop takes them. Unlike a hint a wish is not found by looking;
 * one for a region that is not served, or of a table that is not to be healed, comes to nothing. Thread-safe.
 */
public final class HealNowRequests {

    private final SortedSet<EncodedRegionName> healNowRequests = new TreeSet<>();

    public void healNow(Collection<EncodedRegionName> regions) {
        synchronized (healNowRequests) {
            healNowRequests.addAll(regions);
        }
    }

    /** The wishes since the last time. */
    public Set<EncodedRegionName> take() {
        synchronized (healNowRequests) {
            Set<EncodedRegionName> taken = Collections.unmodifiableSet(new TreeSet<>(healNowRequests));
            healNowRequests.clear();
            return taken;
        }
    }
}
