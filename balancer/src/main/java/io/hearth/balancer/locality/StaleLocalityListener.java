// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.balancer.locality;

import io.hearth.common.model.EncodedRegionName;

/**
 * Is told that a region is not local, by the NameNode, though its server reports that every byte is. Implementations
 * are thread-safe, return at once and never throw; a region that is not known is passed over.
 */
@FunctionalInterface
public interface StaleLocalityListener {

    /**
     * This region is not local.
     *
     * @param host of the server that reports it, from which bytes of the region are away
     */
    void localityStale(EncodedRegionName region, String host);
}
