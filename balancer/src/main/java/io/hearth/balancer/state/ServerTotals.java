// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.balancer.state;

import io.hearth.common.model.LoadDimension;
import io.hearth.common.model.LoadVector;
import java.util.Collection;

/**
 * What all regions of one server come to. Immutable.
 *
 * @param regions how many there are
 * @param unknownHeat of how many the heat is not known
 * @param plannedLoad what plans count
 * @param measuredLoad what was measured, with the first rates of regions whose heat is not known yet
 * @param recentRequestsPerSecond reads and writes over the short horizon
 * @param reported what the server reported of their store files
 */
public record ServerTotals(
        int regions,
        int unknownHeat,
        LoadVector plannedLoad,
        LoadVector measuredLoad,
        double recentRequestsPerSecond,
        StoreFileBytes reported) {

    /** What these regions come to. */
    public static ServerTotals of(Collection<RegionState> regions) {
        double[] planned = new double[LoadDimension.values().length];
        double[] measured = new double[planned.length];
        int unknown = 0;
        double recent = 0;
        StoreFileBytes reported = StoreFileBytes.NONE;
        for (RegionState region : regions) {
            add(planned, region.plannedLoad());
            add(measured, region.measuredLoad());
            unknown += region.heatKnown() ? 0 : 1;
            recent += region.recentRequestsPerSecond().orElse(0);
            reported = reported.plus(region.reported().orElse(StoreFileBytes.NONE));
        }
        return new ServerTotals(
                regions.size(),
                unknown,
                LoadVector.of(dimension -> planned[dimension.ordinal()]),
                LoadVector.of(dimension -> measured[dimension.ordinal()]),
                recent,
                reported);
    }

    private static void add(double[] sums, LoadVector load) {
        for (LoadDimension dimension : LoadDimension.values()) {
            sums[dimension.ordinal()] += load.get(dimension);
        }
    }
}
