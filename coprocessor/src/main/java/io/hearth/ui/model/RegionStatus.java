// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.ui.model;

import io.hearth.balancer.heat.RegionHeat;
import io.hearth.common.model.EncodedRegionName;
import io.hearth.common.model.LoadVector;
import io.hearth.common.model.TableId;
import java.util.OptionalDouble;

/**
 * One region as its server reported it last. Immutable.
 *
 * @param storeBytes size of the store files, in bytes
 * @param localBytes bytes of the store files' blocks with a replica on the server
 * @param blockBytes bytes of all of them; 0 where the server did not say, or the region is empty
 * @param heat as the balancer knows it
 */
public record RegionStatus(
        EncodedRegionName region, TableId table, long storeBytes, long localBytes, long blockBytes, RegionHeat heat) {

    /** What plans count; where heat is not known yet, its first rates, or nothing where there are none. */
    LoadVector load() {
        return heat instanceof RegionHeat.Known known ? known.planned() : first();
    }

    private LoadVector first() {
        return heat instanceof RegionHeat.Unknown unknown ? unknown.first() : LoadVector.ZERO;
    }

    /** The same between the last two reports of it. */
    LoadVector last() {
        return heat instanceof RegionHeat.Known known ? known.measuredLast() : first();
    }

    /** What was measured; where heat is not known yet, its first rates, or nothing where there are none. */
    LoadVector measured() {
        return heat instanceof RegionHeat.Known known ? known.measured() : first();
    }

    /** Reads and writes a second over the short horizon; empty where heat is not known. */
    public OptionalDouble recentRequestsPerSecond() {
        return heat instanceof RegionHeat.Known known
                ? OptionalDouble.of(TotalRequestRate.perSecond(known.measuredRecently()))
                : OptionalDouble.empty();
    }

    boolean isHeatKnown() {
        return heat instanceof RegionHeat.Known;
    }

    long remoteBytes() {
        return Math.max(0, blockBytes - localBytes);
    }
}
