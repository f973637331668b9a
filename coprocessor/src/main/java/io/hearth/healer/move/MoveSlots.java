// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.healer.move;

import io.hearth.healer.model.BlockMove;
import io.hearth.healer.model.DataNode;
import io.hearth.healer.move.MoveExecutor.MoveLimits;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * The places for concurrent moves: so many in the cluster, and as many at each DataNode in each of the three parts that it can
 * have in a move. They are counted apart: what a DataNode receives and what it sends go opposite ways through its network, and
 * the source does no work but is missed by the readers that use its replica. Taking places gives a {@link Lease}, and they are
 * free again when it is released. The limits are given at each taking, so that they can change at any time. Not thread-safe.
 */
public final class MoveSlots {

    /** What a DataNode does in a move. */
    public enum MoveRole {
        /** Receives the replica. */
        TARGET,
        /** Is copied from. */
        PROXY,
        /** Gives its replica up. */
        SOURCE
    }

    /** A part in a move at a DataNode, which has places for several moves. */
    public record Slot(MoveRole role, DataNode.Id node) {}

    /** The places that one move holds. Releasing it twice is the same as once. */
    public final class Lease {

        private final List<Slot> slots;
        private boolean released;

        private Lease(List<Slot> slots) {
            this.slots = slots;
        }

        /** Where, besides in the cluster. */
        public List<Slot> slots() {
            return slots;
        }

        public void release() {
            if (!released) {
                released = true;
                taken--;
                slots.forEach(slot -> takenBySlot.computeIfPresent(slot, (at, count) -> count > 1 ? count - 1 : null));
            }
        }
    }

    private final Map<Slot, Integer> takenBySlot = new HashMap<>();
    private int taken;

    /** A place in the cluster and one at each of the move's DataNodes for its part, or nothing at all. */
    public Optional<Lease> take(BlockMove move, DataNode proxy, MoveLimits limits) {
        if (taken >= limits.concurrentMoves() || full(move, proxy, limits).isPresent()) {
            return Optional.empty();
        }
        List<Slot> slots = slots(move, proxy);
        taken++;
        slots.forEach(slot -> takenBySlot.merge(slot, 1, Integer::sum));
        return Optional.of(new Lease(slots));
    }

    /** The first of the move's DataNodes that has no place free for its part; empty if all have. */
    public Optional<Slot> full(BlockMove move, DataNode proxy, MoveLimits limits) {
        return slots(move, proxy).stream()
                .filter(slot -> taken(slot) >= limits.concurrentMovesPerDataNode())
                .findFirst();
    }

    /** The places taken in the cluster. */
    public int taken() {
        return taken;
    }

    /** The places taken at this DataNode for this part. */
    public int taken(Slot slot) {
        return takenBySlot.getOrDefault(slot, 0);
    }

    private static List<Slot> slots(BlockMove move, DataNode proxy) {
        return List.of(
                new Slot(MoveRole.TARGET, move.target().id()),
                new Slot(MoveRole.PROXY, proxy.id()),
                new Slot(MoveRole.SOURCE, move.source().id()));
    }
}
