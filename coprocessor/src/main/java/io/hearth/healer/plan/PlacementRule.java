// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.healer.plan;

import io.hearth.healer.model.DataNode;
import java.util.List;

/** A hard rule for the place of replicas: whether one DataNode may take the place of another. */
@FunctionalInterface
public interface PlacementRule {

    /**
     * Whether the block may have the replica of {@code source} deleted once {@code target} has one.
     *
     * @param holders the DataNodes that hold a replica, {@code source} among them and {@code target} not
     */
    boolean mayReplace(List<DataNode> holders, DataNode source, DataNode target);

    /** Both rules at once. */
    default PlacementRule and(PlacementRule other) {
        return (holders, source, target) ->
                mayReplace(holders, source, target) && other.mayReplace(holders, source, target);
    }
}
