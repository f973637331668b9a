package io.hearth.healing.execute;

import io.hearth.healing.execute.MoveCalls.CallEnd;
import io.hearth.healing.execute.MoveResult.Answer;
import io.hearth.healing.model.BlockId;
import io.hearth.healing.model.BlockMove;
import io.hearth.healing.model.DataNode;
import io.hearth.healing.model.StorageType;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Predicate;
import java.util.stream.Stream;

/**
 * Carries planned moves out, several at a time, and keeps each until its end is known. A block has at most one move here.
 *
 * <p>A DataNode that is too busy is back-pressure: the move waits, that DataNode rests, and it does not count as a failure. A
 * failure is tried again with another proxy. A move that could not start for long is cancelled, since replicas, DataNodes and
 * files may have changed since it was planned. A move without an answer in time becomes inconclusive and keeps its slots until
 * a late answer or {@link #conclude} says how it ended.
 *
 * <p>Not thread-safe: one thread calls; only the answers of the mover come from others.
 */
public final class MoveExecutor {

    private final MoveCalls calls;
    private final StartGate gate;
    private final MoveBook book;
    private long readersRefreshMs;
    private int placesPerDataNode;
    private int refusals;

    /** @param threads where the mover waits for DataNodes; as many at a time as the limits allow */
    public MoveExecutor(BlockMover mover, MoveThreads threads) {
        ReaderSpacing spacing = new ReaderSpacing();
        this.calls = new MoveCalls(mover, threads);
        this.gate = new StartGate(spacing);
        this.book = new MoveBook(spacing);
    }

    /** Takes moves in; a block that has one already keeps that one. Returns those that were taken. */
    public List<BlockMove> submit(List<BlockMove> moves, long nowMs) {
        return moves.stream()
                .filter(move -> book.add(TrackedMove.planned(move, nowMs)))
                .toList();
    }

    /** Takes answers in, gives up waiting where it was too long, and starts what may start. Returns the work done. */
    public int doWork(MoveLimits limits, boolean mayStart, long nowMs) {
        readersRefreshMs = limits.readersRefreshMs();
        gate.tick(nowMs);
        int work = takeAnswers(limits, nowMs) + giveUpWaiting(limits, nowMs) + cancelOld(limits, nowMs);
        return mayStart ? work + start(limits, nowMs) : work;
    }

    /** Ends the planned moves that match and were not started. Returns their number. */
    public int cancelPlanned(Predicate<BlockMove> which, String why, long nowMs) {
        List<TrackedMove> cancelled = book.in(MoveState.PLANNED).stream()
                .filter(tracked -> which.test(tracked.move()))
                .toList();
        cancelled.forEach(tracked -> change(tracked.in(MoveState.CANCELLED, why, nowMs)));
        return cancelled.size();
    }

    /** Says how a move that awaits the NameNode's word has ended. */
    public void conclude(BlockId block, MoveState end, String why, long nowMs) {
        book.of(block).ifPresent(tracked -> change(tracked.in(end, why, nowMs)));
    }

    /** The moves that await the NameNode's word. */
    public List<TrackedMove> awaitingNameNode() {
        return Stream.of(MoveState.values())
                .filter(MoveState::awaitsNameNode)
                .flatMap(state -> book.in(state).stream())
                .toList();
    }

    /** The moves that have ended since the last time. */
    public List<TrackedMove> takeEnded() {
        return book.takeEnded();
    }

    /** How often DataNodes were too busy since the last time. */
    public int takeRefusals() {
        int taken = refusals;
        refusals = 0;
        return taken;
    }

    public boolean hasMoveOf(BlockId block) {
        return book.of(block).isPresent();
    }

    /** The number of moves in this state, which is not an end. */
    public int count(MoveState state) {
        return book.count(state);
    }

    /** The number of moves to the DataNodes on this host that have not been started. */
    public int planned(String host) {
        return book.planned(host);
    }

    /** The bytes that are on their way to the DataNodes on this host, or will be, by the storage that they go to. */
    public Map<StorageType, Long> bytesTo(String host) {
        return book.bytesTo(host);
    }

    /** The number of planned moves that can't start for reasons of their own: not for want of bytes, or of places in the cluster. */
    public int heldBack() {
        return book.heldBack();
    }

    /** The number of moves that hold slots. */
    public int running() {
        return gate.taken();
    }

    /** Asks those that may have become free to start, in the order in which they were planned. */
    private int start(MoveLimits limits, long nowMs) {
        book.tick(nowMs);
        if (limits.concurrentMovesPerDataNode() != placesPerDataNode) {
            placesPerDataNode = limits.concurrentMovesPerDataNode();
            book.askAll();
        }
        int started = 0;
        boolean hasBytes = true;
        Optional<TrackedMove> next = book.nextToStart();
        while (next.isPresent() && hasBytes && !gate.isFull(limits)) {
            TrackedMove tracked = next.get();
            Passage passage = gate.pass(tracked, limits, nowMs);
            if (passage instanceof Passage.Granted granted) {
                TrackedMove running = tracked.in(MoveState.RUNNING, "", nowMs);
                book.start(running, granted.lease(), calls.ask(running, limits.listenMs()));
                started++;
            } else if (passage instanceof Passage.HeldBack obstacle) {
                book.holdBack(tracked, obstacle);
            } else {
                hasBytes = false;
            }
            next = book.nextToStart();
        }
        return started;
    }

    private int takeAnswers(MoveLimits limits, long nowMs) {
        int taken = 0;
        for (Optional<CallEnd> end = calls.take(); end.isPresent(); end = calls.take()) {
            CallEnd answer = end.get();
            BlockId block = answer.asked().move().block();
            book.of(block)
                    .filter(tracked -> book.awaits(block, answer.ticket()))
                    .ifPresent(tracked -> {
                        change(AfterAnswer.of(tracked, answer.result(), limits, nowMs));
                        restIfBusy(tracked, answer.result(), limits, nowMs);
                    });
            taken++;
        }
        return taken;
    }

    private void restIfBusy(TrackedMove tracked, MoveResult result, MoveLimits limits, long nowMs) {
        if (result.answer() == Answer.BUSY || result.answer() == Answer.PROXY_BUSY) {
            DataNode busy = result.answer() == Answer.BUSY ? tracked.move().target() : tracked.proxy();
            refusals++;
            gate.rest(busy, nowMs + limits.retry().delayMs(1));
        }
    }

    private int giveUpWaiting(MoveLimits limits, long nowMs) {
        List<TrackedMove> late = book.in(MoveState.RUNNING).stream()
                .filter(tracked -> nowMs - tracked.sinceMs() > limits.moveTimeoutMs())
                .toList();
        late.forEach(tracked -> change(
                tracked.in(MoveState.INCONCLUSIVE, "no answer within " + limits.moveTimeoutMs() + " ms", nowMs)));
        return late.size();
    }

    /** A move keeps its place in the order and the time at which it was planned, so that the oldest come first. */
    private int cancelOld(MoveLimits limits, long nowMs) {
        int cancelled = 0;
        for (Optional<TrackedMove> oldest = book.oldestPlanned();
                oldest.isPresent() && nowMs - oldest.get().plannedMs() > limits.plannedMs();
                oldest = book.oldestPlanned()) {
            String why = "could not start within " + limits.plannedMs() + " ms";
            change(oldest.get().in(MoveState.CANCELLED, why, nowMs));
            cancelled++;
        }
        return cancelled;
    }

    private void change(TrackedMove next) {
        book.change(next, readersRefreshMs);
    }
}
