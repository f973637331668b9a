// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.balancer.tracking;

import io.hearth.common.model.EncodedRegionName;
import io.hearth.common.model.ServerId;
import io.hearth.common.model.TableId;

/**
 * Is told that somebody moved a region manually (a client's {@code move}), so that the balancer leaves it there for a time.
 * Implementations are thread-safe, return at once and never throw.
 */
public interface ManualMoveListener {

    /**
     * A manual move is done.
     *
     * @param who the user who asked for it, as HBase names users
     * @param fromDraining whether {@code from} is being emptied (draining or decommissioned), which is no wish to have the
     *     region where it went
     * @param whenMs when it was done, in milliseconds since 1970
     */
    void regionMovedManually(
            EncodedRegionName region,
            TableId table,
            ServerId from,
            ServerId to,
            String who,
            boolean fromDraining,
            long whenMs);
}
