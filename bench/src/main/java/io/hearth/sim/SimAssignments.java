// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.sim;

import io.hearth.balancer.state.LocalBytes;
import io.hearth.balancer.state.ServerState;
import io.hearth.common.model.EncodedRegionName;
import io.hearth.common.model.TableId;
import java.util.List;
import java.util.Map;

/**
 * Which live server serves which regions, as the master knows it. Immutable.
 *
 * @param regionsByServer every live server, those without regions too
 */
public record SimAssignments(Map<ServerState, List<AssignedRegion>> regionsByServer) {

    public SimAssignments {
        regionsByServer = Map.copyOf(regionsByServer);
    }

    /** One region, the primary of its replicas, and where its bytes are. */
    public record AssignedRegion(
            EncodedRegionName region, EncodedRegionName primary, TableId table, LocalBytes local) {}
}
