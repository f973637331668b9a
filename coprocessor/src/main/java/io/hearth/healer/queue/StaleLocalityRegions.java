// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.healer.queue;

import io.hearth.balancer.locality.StaleLocalityListener;
import io.hearth.common.model.EncodedRegionName;
import java.util.Collections;
import java.util.Map;
import java.util.TreeMap;

/**
 * The regions that are said to be away from a host whose server reports them at home, until the loop takes them. Thread-safe.
 */
public final class StaleLocalityRegions implements StaleLocalityListener {

    private final Map<EncodedRegionName, String> hostByRegion = new TreeMap<>();

    @Override
    public void localityStale(EncodedRegionName region, String host) {
        synchronized (hostByRegion) {
            hostByRegion.put(region, host);
        }
    }

    /** The doubts since the last time: hosts by region. */
    public Map<EncodedRegionName, String> take() {
        synchronized (hostByRegion) {
            Map<EncodedRegionName, String> taken = Collections.unmodifiableMap(new TreeMap<>(hostByRegion));
            hostByRegion.clear();
            return taken;
        }
    }
}
