package io.hearth.healing.execute;

import io.hearth.healing.model.DataNodeId;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * The places for concurrent moves: so many in the cluster, so many at each DataNode. Taking them gives a {@link Lease}, and
 * they are free again when it is released. The limits are given at each taking, so that they can change at any time. Not
 * thread-safe.
 */
public final class Slots {

    /** The places that one move holds. Releasing it twice is the same as once. */
    public final class Lease {

        private final Set<DataNodeId> nodes;
        private boolean released;

        private Lease(Set<DataNodeId> nodes) {
            this.nodes = Set.copyOf(nodes);
        }

        public void release() {
            if (!released) {
                released = true;
                taken--;
                nodes.forEach(node -> takenByNode.computeIfPresent(node, (id, count) -> count > 1 ? count - 1 : null));
            }
        }
    }

    private final Map<DataNodeId, Integer> takenByNode = new HashMap<>();
    private int taken;

    /** A place in the cluster and one at each of these DataNodes, or nothing at all. */
    public Optional<Lease> take(Set<DataNodeId> nodes, MoveLimits limits) {
        if (taken >= limits.concurrentMoves()
                || nodes.stream().anyMatch(node -> taken(node) >= limits.concurrentMovesPerDataNode())) {
            return Optional.empty();
        }
        taken++;
        nodes.forEach(node -> takenByNode.merge(node, 1, Integer::sum));
        return Optional.of(new Lease(nodes));
    }

    /** The places taken in the cluster. */
    public int taken() {
        return taken;
    }

    /** The places taken at this DataNode. */
    public int taken(DataNodeId node) {
        return takenByNode.getOrDefault(node, 0);
    }
}
