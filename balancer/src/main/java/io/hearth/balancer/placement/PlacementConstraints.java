// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.balancer.placement;

import io.hearth.common.model.LoadDimension;
import java.util.Map;

/**
 * What a placement keeps to. Immutable.
 *
 * @param capByDimension one cap for each dimension of load that matters
 * @param regionCountSlop how far a server's number of regions may be above the mean, as a share of it; below 0 means that the
 *     number does not matter (HBase's {@code hbase.regions.slop})
 * @param maxBurstFactor how many times its even share of the regions placed at once one server may take, at least 1
 */
public record PlacementConstraints(
        Map<LoadDimension, LoadCap> capByDimension, double regionCountSlop, double maxBurstFactor) {

    public PlacementConstraints {
        capByDimension = Map.copyOf(capByDimension);
        if (!(maxBurstFactor >= 1)) {
            throw new IllegalArgumentException("The intake factor is " + maxBurstFactor + ": it must be at least 1.");
        }
    }

    /**
     * The cap in one dimension. Immutable.
     *
     * @param overFairShare how many times its fair share a server may come to, at least 1
     * @param minMean mean load of a server below which the dimension does not matter, in the dimension's unit
     */
    public record LoadCap(double overFairShare, double minMean) {

        public LoadCap {
            if (!(overFairShare >= 1)) {
                throw new IllegalArgumentException(
                        "A cap of " + overFairShare + " times the fair share can't be kept: it must be at least 1.");
            }
        }
    }
}
