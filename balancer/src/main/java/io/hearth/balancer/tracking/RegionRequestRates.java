// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.balancer.tracking;

import io.hearth.common.model.EncodedRegionName;
import java.util.OptionalDouble;

/** Says how hot a region is now. Thread-safe. */
@FunctionalInterface
public interface RegionRequestRates {

    /** Reads and writes of this region, not weighted by its table, in requests per second; empty where unknown. */
    OptionalDouble requestsPerSecond(EncodedRegionName region);
}
