// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.balancer.heat;

import io.hearth.common.model.EncodedRegionName;

/** Says how hot each region is. Implementations are thread-safe and answer at once from what they know. */
@FunctionalInterface
public interface RegionHeats {

    /** The heat of this region; unknown, with the reason, where too little has been seen. */
    RegionHeat heat(EncodedRegionName region);
}
