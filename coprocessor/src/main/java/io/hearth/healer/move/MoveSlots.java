// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.healer.move;

import io.hearth.healer.metrics.HealLimit;
import io.hearth.healer.model.BlockMove;
import io.hearth.healer.model.DataNode;
import io.hearth.healer.move.MoveAdmission.Gate;
import io.hearth.healer.move.MoveAdmission.Link;
import io.hearth.healer.move.MoveExecutor.MoveLimits;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * The places for concurrent moves: so many in the cluster, and so many at each DataNode. A move in which a DataNode receives and one
 * in which it sends take the same places, as they do in HDFS ({@code DataXceiverServer.BlockBalanceThrottler}). A DataNode that gives
 * its replica up does no work, but the readers that use the replica miss it: for that it has as many places of another kind. A move
 * between racks is counted at both of their uplinks, which {@link UplinkWindows} limits.
 *
 * <p>Taking places gives a {@link Lease}, and they are free again when it is released. The limits are given at each taking, so that
 * they can change at any time. Not thread-safe.
 */
public final class MoveSlots {

    /** What a DataNode does in a move. */
    public enum MoveRole {
        /** Receives the replica, or is copied from. */
        TRANSFER,
        /** Gives its replica up. */
        SOURCE
    }

    /** A part in a move at a DataNode, which has places for several moves. */
    public record Slot(MoveRole role, DataNode.Id node) implements Gate {

        @Override
        public HealLimit limit() {
            return HealLimit.DATANODE_MOVES;
        }
    }

    /** The places that one move holds. Each is given back once. */
    public final class Lease {

        private final List<Gate> gates;
        private final List<Link> unanswered = new ArrayList<>();
        private boolean released;

        private Lease(List<Gate> gates) {
            this.gates = new ArrayList<>(gates);
        }

        /** Nobody has answered it in time: it gives back the places on uplinks, where it is counted apart, once. Returns where. */
        List<Gate> unanswered() {
            List<Gate> ofUplinks =
                    gates.stream().filter(gate -> !(gate instanceof Slot)).toList();
            giveBack(ofUplinks);
            for (Gate gate : ofUplinks) {
                if (gate instanceof Link uplink) {
                    unanswered.add(uplink);
                    unansweredByUplink.merge(uplink, 1, Integer::sum);
                }
            }
            return ofUplinks;
        }

        /** Gives back all that it still holds. Returns where more may pass, besides in the cluster. */
        public List<Gate> release() {
            taken -= released ? 0 : 1;
            released = true;
            List<Gate> all = new ArrayList<>(gates);
            all.addAll(unanswered);
            giveBack(List.copyOf(gates));
            unanswered.forEach(uplink -> countDown(unansweredByUplink, uplink));
            unanswered.clear();
            return all;
        }

        private void giveBack(List<Gate> given) {
            given.forEach(gate -> countDown(takenByGate, gate));
            gates.removeAll(given);
        }
    }

    private final Map<Gate, Integer> takenByGate = new HashMap<>();
    private final Map<Link, Integer> unansweredByUplink = new HashMap<>();
    private int taken;

    /** A place in the cluster and one at each of the move's DataNodes for its part, or nothing at all. */
    public Optional<Lease> take(BlockMove move, DataNode proxy, MoveLimits limits) {
        if (taken >= limits.concurrentMoves()
                || fullAtTarget(move, limits).isPresent()
                || fullAtProxy(proxy, limits).isPresent()) {
            return Optional.empty();
        }
        List<Gate> gates = new ArrayList<>(List.of(
                new Slot(MoveRole.TRANSFER, move.target().id()),
                new Slot(MoveRole.TRANSFER, proxy.id()),
                new Slot(MoveRole.SOURCE, move.source().id())));
        MoveAdmission.uplinkGates(move, proxy).forEach(gates::add);
        taken++;
        gates.forEach(gate -> takenByGate.merge(gate, 1, Integer::sum));
        return Optional.of(new Lease(List.copyOf(gates)));
    }

    /** The place that is missing at the target or the source, whichever proxy the move copies from; empty if none is. */
    Optional<Slot> fullAtTarget(BlockMove move, MoveLimits limits) {
        return full(MoveRole.TRANSFER, move.target(), limits).or(() -> full(MoveRole.SOURCE, move.source(), limits));
    }

    /** The place that is missing at this proxy; empty if none is. */
    Optional<Slot> fullAtProxy(DataNode proxy, MoveLimits limits) {
        return full(MoveRole.TRANSFER, proxy, limits);
    }

    private Optional<Slot> full(MoveRole role, DataNode node, MoveLimits limits) {
        Slot slot = new Slot(role, node.id());
        int most = role == MoveRole.SOURCE
                ? limits.dataNodes().movesAsSource(node)
                : limits.dataNodes().apply(node).moves();
        return taken(slot) >= most ? Optional.of(slot) : Optional.empty();
    }

    /** The places taken in the cluster. */
    public int taken() {
        return taken;
    }

    private static <K> void countDown(Map<K, Integer> counts, K key) {
        counts.computeIfPresent(key, (at, count) -> count > 1 ? count - 1 : null);
    }

    /** The moves over this uplink that nobody has answered in time: whether they pass it still is not known. */
    int unanswered(Link uplink) {
        return unansweredByUplink.getOrDefault(uplink, 0);
    }

    /** The places taken at this DataNode for this part, or by moves over this uplink. */
    int taken(Gate gate) {
        return takenByGate.getOrDefault(gate, 0);
    }
}
