package io.hearth.healing.execute;

import io.hearth.healing.model.BlockId;
import io.hearth.healing.model.BlockMove;
import java.util.ArrayList;
import java.util.Collections;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * The moves that have not ended, one for each block, with the places that they hold. A move's state is replaced in one place,
 * {@link #keep}: each state has a list of its own, since a large heal has tens of thousands of moves and every turn asks for
 * them by state. Not thread-safe.
 */
final class MoveBook {

    private record Kept(long number, TrackedMove move) {}

    private record Started(Slots.Lease lease, long ticket) {}

    private final ReaderSpacing spacing;
    private final Map<BlockId, Kept> moveByBlock = new HashMap<>();
    private final Map<MoveState, SortedMap<Long, TrackedMove>> moveByNumber = new EnumMap<>(MoveState.class);
    private final Map<String, Integer> plannedByHost = new HashMap<>();
    private final Map<BlockId, Started> startedByBlock = new HashMap<>();
    private List<TrackedMove> ended = new ArrayList<>();
    private long nextNumber;

    MoveBook(ReaderSpacing spacing) {
        this.spacing = spacing;
    }

    /** Takes a move in, unless the block has one already. */
    boolean add(TrackedMove planned) {
        if (moveByBlock.containsKey(planned.move().block())) {
            return false;
        }
        keep(nextNumber++, planned);
        spacing.planned(planned.move());
        return true;
    }

    Optional<TrackedMove> of(BlockId block) {
        return Optional.ofNullable(moveByBlock.get(block)).map(Kept::move);
    }

    /** The moves in this state, in the order in which they were taken in. */
    List<TrackedMove> in(MoveState state) {
        return List.copyOf(
                moveByNumber.getOrDefault(state, Collections.emptySortedMap()).values());
    }

    int count(MoveState state) {
        return moveByNumber.getOrDefault(state, Collections.emptySortedMap()).size();
    }

    /** The number of moves to the DataNodes on this host that have not been started. */
    int planned(String host) {
        return plannedByHost.getOrDefault(host, 0);
    }

    List<TrackedMove> takeEnded() {
        List<TrackedMove> taken = ended;
        ended = new ArrayList<>();
        return taken;
    }

    /** Whether this call is the one that the block's move waits for. */
    boolean awaits(BlockId block, long ticket) {
        Started started = startedByBlock.get(block);
        return started != null && started.ticket() == ticket;
    }

    void start(TrackedMove running, Slots.Lease lease, long ticket) {
        BlockMove move = running.move();
        startedByBlock.put(move.block(), new Started(lease, ticket));
        replace(running);
        spacing.started(move);
    }

    /** @param readersRefreshMs how long readers may not know of it once it has ended */
    void change(TrackedMove next, long readersRefreshMs) {
        BlockId block = next.move().block();
        if (!next.state().holdsSlots()) {
            Optional.ofNullable(startedByBlock.remove(block))
                    .ifPresent(started -> started.lease().release());
        }
        boolean isOver = next.state().isEnd();
        if (isOver || next.state() == MoveState.PLANNED) {
            spacing.ended(next.move(), isOver, next.sinceMs() + readersRefreshMs);
        }
        replace(next);
        if (isOver) {
            ended.add(next);
        }
    }

    private void replace(TrackedMove next) {
        Kept before = moveByBlock.remove(next.move().block());
        if (before == null) {
            throw new IllegalStateException("The move of " + next.move() + " is not kept.");
        }
        moveByNumber.getOrDefault(before.move().state(), new TreeMap<>()).remove(before.number());
        countPlanned(before.move(), -1);
        if (!next.state().isEnd()) {
            keep(before.number(), next);
        }
    }

    private void keep(long number, TrackedMove tracked) {
        moveByBlock.put(tracked.move().block(), new Kept(number, tracked));
        moveByNumber.computeIfAbsent(tracked.state(), state -> new TreeMap<>()).put(number, tracked);
        countPlanned(tracked, 1);
    }

    private void countPlanned(TrackedMove tracked, int change) {
        if (tracked.state() == MoveState.PLANNED) {
            plannedByHost.merge(
                    tracked.move().target().host(),
                    change,
                    (before, more) -> before + more == 0 ? null : before + more);
        }
    }
}
