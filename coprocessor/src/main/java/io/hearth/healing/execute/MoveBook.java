package io.hearth.healing.execute;

import io.hearth.healing.model.BlockId;
import io.hearth.healing.model.BlockMove;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Predicate;

/**
 * The moves that have not ended, one for each block, with the places that they hold. A move's state is replaced in one place,
 * {@link #change}: there its places are given back, readers' spacing learns of it, and ends are noted. Not thread-safe.
 */
final class MoveBook {

    private record Started(Slots.Lease lease, long ticket) {}

    private final ReaderSpacing spacing;
    private final Map<BlockId, TrackedMove> moveByBlock = new LinkedHashMap<>();
    private final Map<BlockId, Started> startedByBlock = new HashMap<>();
    private List<TrackedMove> ended = new ArrayList<>();

    MoveBook(ReaderSpacing spacing) {
        this.spacing = spacing;
    }

    /** Takes a move in, unless the block has one already. */
    boolean add(TrackedMove planned) {
        boolean added = moveByBlock.putIfAbsent(planned.move().block(), planned) == null;
        if (added) {
            spacing.planned(planned.move());
        }
        return added;
    }

    Optional<TrackedMove> of(BlockId block) {
        return Optional.ofNullable(moveByBlock.get(block));
    }

    /** The moves that match, in the order in which they were taken in. */
    List<TrackedMove> all(Predicate<TrackedMove> which) {
        return moveByBlock.values().stream().filter(which).toList();
    }

    int count(MoveState state) {
        return (int) moveByBlock.values().stream()
                .filter(tracked -> tracked.state() == state)
                .count();
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
        moveByBlock.put(move.block(), running);
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
        if (isOver) {
            moveByBlock.remove(block);
            ended.add(next);
        } else {
            moveByBlock.put(block, next);
        }
    }
}
