// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.balancer.placement;

import io.hearth.balancer.state.LocalBytes;
import io.hearth.common.model.EncodedRegionName;
import io.hearth.common.model.LoadVector;

/**
 * A region without a server. Immutable.
 *
 * @param load the load that it will bring, as it counts
 * @param local which host holds how many of its bytes
 */
public record UnassignedRegion(EncodedRegionName region, LoadVector load, LocalBytes local) {}
