// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.healer.queue;

import io.hearth.balancer.locality.StaleLocalityListener;
import io.hearth.common.model.EncodedRegionName;
import java.util.Collection;
import java.util.Collections;
import java.util.Map;
import java.util.Set;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * What others ask of the healing loop, until it takes it: regions that a person wants healed now, and regions that are remote
 * though their servers report them local. Unlike a hint a request is not found by polling. One for a region that is not served,
 * or of a table that is not to be healed, comes to nothing. Thread-safe.
 */
public final class HealRequests implements StaleLocalityListener {

    private final SortedSet<EncodedRegionName> healNow = new TreeSet<>();
    private final Map<EncodedRegionName, String> staleHostByRegion = new TreeMap<>();

    /** A person wants these regions healed now. */
    public void healNow(Collection<EncodedRegionName> regions) {
        synchronized (healNow) {
            healNow.addAll(regions);
        }
    }

    /** The regions to heal now that were asked for since the last call. */
    public Set<EncodedRegionName> takeHealNow() {
        synchronized (healNow) {
            Set<EncodedRegionName> taken = Collections.unmodifiableSet(new TreeSet<>(healNow));
            healNow.clear();
            return taken;
        }
    }

    @Override
    public void localityStale(EncodedRegionName region, String host) {
        synchronized (staleHostByRegion) {
            staleHostByRegion.put(region, host);
        }
    }

    /** The regions with a stale locality since the last call: hosts by region. */
    public Map<EncodedRegionName, String> takeStale() {
        synchronized (staleHostByRegion) {
            Map<EncodedRegionName, String> taken = Collections.unmodifiableMap(new TreeMap<>(staleHostByRegion));
            staleHostByRegion.clear();
            return taken;
        }
    }
}
