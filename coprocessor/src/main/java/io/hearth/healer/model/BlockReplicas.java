// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.healer.model;

import io.hearth.healer.model.DataNode.ServiceState;
import io.hearth.healer.model.DataNode.StorageType;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Predicate;

/**
 * A block and where the NameNode says its replicas are. Immutable; replicas are sorted; ordered by block.
 *
 * @param corrupt the NameNode knows of no sound replica
 */
public record BlockReplicas(BlockId block, long lengthBytes, List<Replica> replicas, boolean corrupt)
        implements Comparable<BlockReplicas> {

    public BlockReplicas {
        replicas = isSorted(replicas)
                ? List.copyOf(replicas)
                : replicas.stream().sorted().toList();
    }

    private static boolean isSorted(List<Replica> replicas) {
        for (int index = 1; index < replicas.size(); index++) {
            if (replicas.get(index - 1).compareTo(replicas.get(index)) > 0) {
                return false;
            }
        }
        return true;
    }

    /** The DataNodes that hold a replica, sorted. */
    public List<DataNode> holders() {
        return replicas.stream().map(Replica::node).toList();
    }

    public boolean isHeldBy(DataNode.Id node) {
        return replicas.stream().anyMatch(replica -> replica.node().id().equals(node));
    }

    /**
     * The same without replicas on DataNodes that leave. HDFS does not count them, and names them until they are gone: beside as many
     * others as are wanted, nothing is in excess ({@code BlockManager.processExtraRedundancyBlock}).
     */
    public BlockReplicas counted() {
        return on(node -> node.state() != ServiceState.NOT_IN_SERVICE);
    }

    /** The same with those replicas alone whose DataNodes are such; the same object where all are. */
    public BlockReplicas on(Predicate<DataNode> which) {
        List<Replica> kept =
                replicas.stream().filter(replica -> which.test(replica.node())).toList();
        return kept.size() == replicas.size() ? this : new BlockReplicas(block, lengthBytes, kept, corrupt);
    }

    public boolean isLocalTo(String host) {
        for (Replica replica : replicas) {
            if (replica.node().isOn(host)) {
                return true;
            }
        }
        return false;
    }

    /** The number of racks that hold a replica. */
    public int racks() {
        return countRacks(holders());
    }

    /** The number of different racks among these DataNodes. */
    public static int countRacks(Collection<DataNode> nodes) {
        Set<String> racks = new HashSet<>(8);
        nodes.forEach(node -> racks.add(node.rack()));
        return racks.size();
    }

    @Override
    public int compareTo(BlockReplicas other) {
        return block.compareTo(other.block);
    }

    /**
     * One HDFS block in one block pool. Equal if pool, number and generation stamp are; {@link #sameBlock} passes over the
     * stamp, which an append or a recovery raises. Immutable; ordered by pool, number and stamp.
     */
    public record BlockId(String poolId, long number, long generationStamp) implements Comparable<BlockId> {

        private static final Comparator<BlockId> ORDER = Comparator.comparing(BlockId::poolId)
                .thenComparingLong(BlockId::number)
                .thenComparingLong(BlockId::generationStamp);

        /** Whether both name the same block, whatever its generation stamp. */
        public boolean sameBlock(BlockId other) {
            return number == other.number && poolId.equals(other.poolId);
        }

        @Override
        public int compareTo(BlockId other) {
            return ORDER.compare(this, other);
        }

        @Override
        public String toString() {
            return poolId + ":blk_" + number + "_" + generationStamp;
        }
    }

    /** One replica of a block: the DataNode that holds it and the kind of storage it lies on. Immutable; ordered by DataNode. */
    public record Replica(DataNode node, StorageType storageType) implements Comparable<Replica> {

        private static final Comparator<Replica> ORDER =
                Comparator.comparing(Replica::node).thenComparing(Replica::storageType);

        @Override
        public int compareTo(Replica other) {
            return ORDER.compare(this, other);
        }
    }
}
