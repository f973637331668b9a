package io.hearth.healing.execute;

import io.hearth.healing.model.BlockMove;
import io.hearth.healing.model.DataNode;
import io.hearth.healing.model.DataNodeId;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;

/**
 * The places for concurrent moves: so many in the cluster, and as many at each DataNode in each of the three parts that it can
 * have in a move. They are counted apart: what a DataNode receives and what it sends go opposite ways through its network, and
 * a giver does no work but is missed by the readers that use its replica. Taking places gives a {@link Lease}, and they are
 * free again when it is released. The limits are given at each taking, so that they can change at any time. Not thread-safe.
 */
public final class Slots {

    /** What a DataNode does in a move. */
    public enum Part {
        /** Receives the replica. */
        TARGET,
        /** Is copied from. */
        PROXY,
        /** Gives its replica up. */
        GIVER
    }

    /** The places that one move holds. Releasing it twice is the same as once. */
    public final class Lease {

        private final Map<Part, DataNodeId> nodeByPart;
        private boolean released;

        private Lease(Map<Part, DataNodeId> nodeByPart) {
            this.nodeByPart = nodeByPart;
        }

        public void release() {
            if (!released) {
                released = true;
                taken--;
                nodeByPart.forEach((part, node) ->
                        takenBy(part).computeIfPresent(node, (id, count) -> count > 1 ? count - 1 : null));
            }
        }
    }

    private final Map<Part, Map<DataNodeId, Integer>> takenByPart = new EnumMap<>(Part.class);
    private int taken;

    /** A place in the cluster and one at each of the move's DataNodes for its part, or nothing at all. */
    public Optional<Lease> take(BlockMove move, DataNode proxy, MoveLimits limits) {
        Map<Part, DataNodeId> nodeByPart = new EnumMap<>(Part.class);
        nodeByPart.put(Part.TARGET, move.target().id());
        nodeByPart.put(Part.PROXY, proxy.id());
        nodeByPart.put(Part.GIVER, move.giver().id());
        boolean isFree = taken < limits.concurrentMoves()
                && nodeByPart.entrySet().stream()
                        .allMatch(
                                place -> taken(place.getKey(), place.getValue()) < limits.concurrentMovesPerDataNode());
        if (!isFree) {
            return Optional.empty();
        }
        taken++;
        nodeByPart.forEach((part, node) -> takenBy(part).merge(node, 1, Integer::sum));
        return Optional.of(new Lease(nodeByPart));
    }

    /** The places taken in the cluster. */
    public int taken() {
        return taken;
    }

    /** The places taken at this DataNode for this part. */
    public int taken(Part part, DataNodeId node) {
        return takenBy(part).getOrDefault(node, 0);
    }

    private Map<DataNodeId, Integer> takenBy(Part part) {
        return takenByPart.computeIfAbsent(part, unused -> new HashMap<>());
    }
}
