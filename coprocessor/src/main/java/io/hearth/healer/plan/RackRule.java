// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.healer.plan;

import io.hearth.healer.model.DataNode;
import java.util.List;

/**
 * The rule that a move must not lower the number of racks that hold the block: what
 * {@code BlockPlacementPolicyDefault.isMovable} tests, and what the NameNode tests before it follows the hint which replica
 * to delete. So the source's rack has another holder, or the target's rack has none but the source.
 */
public final class RackRule implements PlacementRule {

    @Override
    public boolean mayReplace(List<DataNode> holders, DataNode source, DataNode target) {
        return isHeld(holders, source.rack(), source) || !isHeld(holders, target.rack(), source);
    }

    /** Whether some holder other than {@code without} is on this rack. */
    private static boolean isHeld(List<DataNode> holders, String rack, DataNode without) {
        for (DataNode holder : holders) {
            if (holder.rack().equals(rack) && !holder.id().equals(without.id())) {
                return true;
            }
        }
        return false;
    }
}
