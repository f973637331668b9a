package io.hearth.healing.model;

import java.util.Collection;
import java.util.List;

/**
 * A block and where the NameNode says its replicas are. Immutable; replicas are sorted; ordered by block.
 *
 * @param corrupt the NameNode knows of no sound replica
 */
public record BlockReplicas(BlockId block, long lengthBytes, List<Replica> replicas, boolean corrupt)
        implements Comparable<BlockReplicas> {

    public BlockReplicas {
        replicas = replicas.stream().sorted().toList();
    }

    /** The DataNodes that hold a replica, sorted. */
    public List<DataNode> holders() {
        return replicas.stream().map(Replica::node).toList();
    }

    public boolean isHeldBy(DataNodeId node) {
        return replicas.stream().anyMatch(replica -> replica.node().id().equals(node));
    }

    public boolean isLocalTo(String host) {
        return replicas.stream().anyMatch(replica -> replica.node().isOn(host));
    }

    /** The number of racks that hold a replica. */
    public int racks() {
        return countRacks(holders());
    }

    /** The number of different racks among these DataNodes. */
    public static int countRacks(Collection<DataNode> nodes) {
        return (int) nodes.stream().map(DataNode::rack).distinct().count();
    }

    @Override
    public int compareTo(BlockReplicas other) {
        return block.compareTo(other.block);
    }
}
