package io.hearth.healing.plan;

import io.hearth.healing.model.BlockReplicas;
import io.hearth.healing.model.DataNode;
import java.util.List;
import java.util.stream.Stream;

/**
 * The rule that a move must not lower the number of racks that hold the block: what
 * {@code BlockPlacementPolicyDefault.isMovable} tests, and what the NameNode tests before it follows the hint which replica
 * to delete.
 */
public final class RackRule implements PlacementRule {

    @Override
    public boolean mayReplace(List<DataNode> holders, DataNode giver, DataNode target) {
        List<DataNode> after = Stream.concat(
                        holders.stream().filter(holder -> !holder.id().equals(giver.id())), Stream.of(target))
                .toList();
        return BlockReplicas.countRacks(after) >= BlockReplicas.countRacks(holders);
    }
}
