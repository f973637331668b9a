// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.balancer.tracking;

import io.hearth.common.model.EncodedRegionName;
import io.hearth.common.model.LoadVector;
import java.util.Optional;

/**
 * Tells the load of a region, in the measure of plans: per second and in bytes, weighed by its table. Asked under the lock of
 * {@link MoveTracker}, which it must not need.
 */
@FunctionalInterface
public interface RegionLoads {

    /** Its load now; empty where that is not known, or nobody serves it. */
    Optional<LoadVector> load(EncodedRegionName region);
}
