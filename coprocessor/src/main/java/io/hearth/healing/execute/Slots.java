package io.hearth.healing.execute;

import io.hearth.healing.model.BlockMove;
import io.hearth.healing.model.DataNode;
import io.hearth.healing.model.DataNodeId;
import java.util.HashMap;
import java.util.List;
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

    /** A part in a move at a DataNode, which has places for several moves. */
    public record Place(Part part, DataNodeId node) {}

    /** The places that one move holds. Releasing it twice is the same as once. */
    public final class Lease {

        private final List<Place> places;
        private boolean released;

        private Lease(List<Place> places) {
            this.places = places;
        }

        /** Where, besides in the cluster. */
        public List<Place> places() {
            return places;
        }

        public void release() {
            if (!released) {
                released = true;
                taken--;
                places.forEach(
                        place -> takenByPlace.computeIfPresent(place, (at, count) -> count > 1 ? count - 1 : null));
            }
        }
    }

    private final Map<Place, Integer> takenByPlace = new HashMap<>();
    private int taken;

    /** A place in the cluster and one at each of the move's DataNodes for its part, or nothing at all. */
    public Optional<Lease> take(BlockMove move, DataNode proxy, MoveLimits limits) {
        if (taken >= limits.concurrentMoves() || full(move, proxy, limits).isPresent()) {
            return Optional.empty();
        }
        List<Place> places = places(move, proxy);
        taken++;
        places.forEach(place -> takenByPlace.merge(place, 1, Integer::sum));
        return Optional.of(new Lease(places));
    }

    /** The first of the move's DataNodes that has no place free for its part; empty if all have. */
    public Optional<Place> full(BlockMove move, DataNode proxy, MoveLimits limits) {
        return places(move, proxy).stream()
                .filter(place -> taken(place) >= limits.concurrentMovesPerDataNode())
                .findFirst();
    }

    /** The places taken in the cluster. */
    public int taken() {
        return taken;
    }

    /** The places taken at this DataNode for this part. */
    public int taken(Place place) {
        return takenByPlace.getOrDefault(place, 0);
    }

    private static List<Place> places(BlockMove move, DataNode proxy) {
        return List.of(
                new Place(Part.TARGET, move.target().id()),
                new Place(Part.PROXY, proxy.id()),
                new Place(Part.GIVER, move.giver().id()));
    }
}
