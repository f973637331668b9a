// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.balancer.heat;

import java.util.List;

/**
 * The heat of every region at one time, for the next master. Immutable.
 *
 * @param takenAtMs when reports were last learnt from, in milliseconds since 1970 by the master's clock
 */
public record HeatSnapshot(long takenAtMs, List<RegionEntry> regions) {

    public HeatSnapshot {
        regions = List.copyOf(regions);
    }

    /**
     * The heat of one region.
     *
     * @param high the first half of its encoded name
     * @param low the second half
     */
    record RegionEntry(long high, long low, InheritedRates heat) {}
}
