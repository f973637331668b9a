// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.balancer.locality;

import io.hearth.common.model.EncodedRegionName;
import java.util.Collection;

/**
 * Is told that the blocks of some regions have moved, so that what was known of their locality is asked for again.
 * Implementations are thread-safe, return at once and never throw; a region that is not known is passed over.
 */
public interface BlocksMovedListener {

    void regionsChanged(Collection<EncodedRegionName> regions);
}
