// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.healer.move;

import io.hearth.healer.metrics.HealLimit;
import io.hearth.healer.model.BlockMove;
import io.hearth.healer.model.BlockReplicas.BlockId;
import io.hearth.healer.model.DataNode.StorageType;
import io.hearth.healer.move.MoveAdmission.Deferred;
import io.hearth.healer.move.MoveAdmission.Link;
import io.hearth.healer.move.MoveAdmission.UplinkPart;
import io.hearth.healer.move.TrackedMove.MoveState;
import java.util.ArrayList;
import java.util.Collections;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * The moves that have not ended, one for each block, with the places that they hold. A move's state is replaced in one place,
 * {@link #replace}: each state has a list of its own, since a large heal has tens of thousands of moves and every turn asks for
 * them by state. Not thread-safe.
 */
final class MoveRegistry {

    private record NumberedMove(long number, TrackedMove move) {}

    private record Started(MoveSlots.Lease lease, long callId) {}

    private final StaleReaderGuard readerGuard;
    private final WaitingMoves waiting = new WaitingMoves();
    private final Map<BlockId, NumberedMove> moveByBlock = new HashMap<>();
    private final Map<MoveState, SortedMap<Long, TrackedMove>> moveByNumber = new EnumMap<>(MoveState.class);
    private final Map<String, Integer> plannedByHost = new HashMap<>();
    private final Map<String, Map<StorageType, Long>> bytesByHost = new HashMap<>();
    private final Map<BlockId, Started> startedByBlock = new HashMap<>();
    private List<TrackedMove> ended = new ArrayList<>();
    private long nextNumber;

    MoveRegistry(StaleReaderGuard readerGuard) {
        this.readerGuard = readerGuard;
    }

    /** Takes a move in, unless the block has one already. */
    boolean add(TrackedMove planned) {
        if (moveByBlock.containsKey(planned.move().block())) {
            return false;
        }
        keep(nextNumber++, planned);
        countBytes(planned.move(), planned.move().lengthBytes());
        readerGuard.planned(planned.move());
        return true;
    }

    Optional<TrackedMove> of(BlockId block) {
        return Optional.ofNullable(moveByBlock.get(block)).map(NumberedMove::move);
    }

    /** The moves in this state, in the order in which they were taken in. */
    List<TrackedMove> in(MoveState state) {
        return List.copyOf(moves(state).values());
    }

    /** The planned move whose turn it is to ask whether it may start, if there is one. */
    Optional<TrackedMove> nextToStart() {
        OptionalLong number = waiting.first();
        return number.isEmpty()
                ? Optional.empty()
                : Optional.ofNullable(planned().get(number.getAsLong()));
    }

    /** The planned move that waits longest, if there is one. */
    Optional<TrackedMove> oldestPlanned() {
        return planned().values().stream().findFirst();
    }

    /** This planned move is not asked again before one of these things has come about. */
    void defer(TrackedMove tracked, Deferred reason) {
        Optional.ofNullable(moveByBlock.get(tracked.move().block()))
                .ifPresent(numbered -> waiting.defer(numbered.number(), reason));
    }

    /** Has those asked again that time or readers held back. */
    void tick(long nowMs) {
        waiting.advanceTo(nowMs);
        readerGuard.takeUnblockedFiles().forEach(waiting::readersRefreshed);
    }

    /** What holds most of the planned moves back; empty where none is held back. */
    Optional<HealLimit> limit() {
        return waiting.limit();
    }

    /** Has every planned move asked again: other limits hold, or other proxies can be asked. */
    void retryAll() {
        waiting.retryAll();
    }

    /** More moves may pass this uplink than before, of any DataNode. */
    void uplinkWidened(Link uplink) {
        waiting.gatesOpened(gate -> gate.equals(uplink)
                || gate instanceof UplinkPart part && part.uplink().equals(uplink));
    }

    /** The number of planned moves that are held back. */
    int deferred() {
        return waiting.deferred();
    }

    /** When time alone lets the next planned move ask; empty where none waits for time. */
    OptionalLong nextWakeUpMs() {
        return waiting.nextWakeUpMs();
    }

    int count(MoveState state) {
        return moves(state).size();
    }

    /** The number of moves to the DataNodes on this host that have not been started. */
    int planned(String host) {
        return plannedByHost.getOrDefault(host, 0);
    }

    /** The bytes of the moves to the DataNodes on this host that have not ended, by the storage that they go to. */
    Map<StorageType, Long> bytesTo(String host) {
        return Collections.unmodifiableMap(bytesByHost.getOrDefault(host, Map.of()));
    }

    List<TrackedMove> takeEnded() {
        List<TrackedMove> taken = ended;
        ended = new ArrayList<>();
        return taken;
    }

    /** Whether this call is the one that the block's move waits for. */
    boolean awaits(BlockId block, long callId) {
        Started started = startedByBlock.get(block);
        return started != null && started.callId() == callId;
    }

    void start(TrackedMove running, MoveSlots.Lease lease, long callId) {
        BlockMove move = running.move();
        startedByBlock.put(move.block(), new Started(lease, callId));
        replace(running);
        readerGuard.started(move);
    }

    /** @param readerLocationsMaxAgeMs how long readers may not know of it once it has ended */
    void change(TrackedMove next, long readerLocationsMaxAgeMs) {
        BlockMove move = next.move();
        giveBackPlaces(next);
        MoveState before = replace(next);
        boolean isOver = next.state().isEnd();
        if (before == MoveState.PLANNED) {
            readerGuard.cancelled(move);
        } else if (isOver || next.state() == MoveState.PLANNED) {
            readerGuard.ended(move, isOver, next.sinceMs() + readerLocationsMaxAgeMs);
        }
        if (isOver) {
            countBytes(move, -move.lengthBytes());
            ended.add(next);
        }
    }

    /** One that nobody has answered in time holds no place on an uplink, so that one at least can use it. */
    private void giveBackPlaces(TrackedMove next) {
        BlockId block = next.move().block();
        Started started = startedByBlock.get(block);
        if (started != null && !next.state().holdsSlots()) {
            startedByBlock.remove(block);
            started.lease().release().forEach(waiting::gateOpened);
        } else if (started != null && next.state() == MoveState.TIMED_OUT) {
            started.lease().unanswered().forEach(waiting::gateOpened);
        }
    }

    /** Returns the state before. */
    private MoveState replace(TrackedMove next) {
        NumberedMove before = moveByBlock.remove(next.move().block());
        if (before == null) {
            throw new IllegalStateException("The move of " + next.move() + " is not kept.");
        }
        MoveState state = before.move().state();
        moves(state).remove(before.number());
        if (state == MoveState.PLANNED) {
            waiting.remove(before.number());
            countPlanned(before.move(), -1);
        }
        if (!next.state().isEnd()) {
            keep(before.number(), next);
        }
        return state;
    }

    private void keep(long number, TrackedMove tracked) {
        moveByBlock.put(tracked.move().block(), new NumberedMove(number, tracked));
        moves(tracked.state()).put(number, tracked);
        if (tracked.state() == MoveState.PLANNED) {
            waiting.add(number);
            countPlanned(tracked, 1);
        }
    }

    private SortedMap<Long, TrackedMove> planned() {
        return moves(MoveState.PLANNED);
    }

    private SortedMap<Long, TrackedMove> moves(MoveState state) {
        return moveByNumber.computeIfAbsent(state, unused -> new TreeMap<>());
    }

    private void countBytes(BlockMove move, long change) {
        String host = move.target().host();
        Map<StorageType, Long> bytes = bytesByHost.computeIfAbsent(host, unused -> new EnumMap<>(StorageType.class));
        bytes.merge(move.storageType(), change, (before, more) -> before + more == 0 ? null : before + more);
        if (bytes.isEmpty()) {
            bytesByHost.remove(host);
        }
    }

    private void countPlanned(TrackedMove tracked, int change) {
        plannedByHost.merge(
                tracked.move().target().host(), change, (before, more) -> before + more == 0 ? null : before + more);
    }
}
