package io.hearth.healing.execute;

import io.hearth.healing.model.DataNodeId;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * The places for concurrent moves: so many in the cluster, so many at each DataNode that copies (as target or as proxy), and
 * as many at each that gives its replica up. A giver has a count of its own, since it does no work but is missed by the readers
 * that use its replica. Taking places gives a {@link Lease}, and they are free again when it is released. The limits are given
 * at each taking, so that they can change at any time. Not thread-safe.
 */
public final class Slots {

    /** The places that one move holds. Releasing it twice is the same as once. */
    public final class Lease {

        private final Set<DataNodeId> copying;
        private final DataNodeId giver;
        private boolean released;

        private Lease(Set<DataNodeId> copying, DataNodeId giver) {
            this.copying = Set.copyOf(copying);
            this.giver = giver;
        }

        public void release() {
            if (!released) {
                released = true;
                taken--;
                copying.forEach(node -> giveBack(copyingByNode, node));
                giveBack(givingByNode, giver);
            }
        }
    }

    private final Map<DataNodeId, Integer> copyingByNode = new HashMap<>();
    private final Map<DataNodeId, Integer> givingByNode = new HashMap<>();
    private int taken;

    /** A place in the cluster, one at each of the DataNodes that copy and one at the giver, or nothing at all. */
    public Optional<Lease> take(Set<DataNodeId> copying, DataNodeId giver, MoveLimits limits) {
        int perNode = limits.concurrentMovesPerDataNode();
        if (taken >= limits.concurrentMoves()
                || giving(giver) >= perNode
                || copying.stream().anyMatch(node -> copying(node) >= perNode)) {
            return Optional.empty();
        }
        taken++;
        copying.forEach(node -> copyingByNode.merge(node, 1, Integer::sum));
        givingByNode.merge(giver, 1, Integer::sum);
        return Optional.of(new Lease(copying, giver));
    }

    /** The places taken in the cluster. */
    public int taken() {
        return taken;
    }

    /** The places taken at this DataNode for copying. */
    public int copying(DataNodeId node) {
        return copyingByNode.getOrDefault(node, 0);
    }

    /** The places taken at this DataNode for giving a replica up. */
    public int giving(DataNodeId node) {
        return givingByNode.getOrDefault(node, 0);
    }

    private static void giveBack(Map<DataNodeId, Integer> takenByNode, DataNodeId node) {
        takenByNode.computeIfPresent(node, (id, count) -> count > 1 ? count - 1 : null);
    }
}
