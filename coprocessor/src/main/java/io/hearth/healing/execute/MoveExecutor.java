package io.hearth.healing.execute;

import io.hearth.healing.execute.MoveResult.Answer;
import io.hearth.healing.model.BlockId;
import io.hearth.healing.model.BlockMove;
import io.hearth.healing.model.DataNodeId;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * Carries planned moves out, several at a time, and keeps each until its end is known. A block has at most one move here.
 *
 * <p>A DataNode that is too busy is back-pressure: the move waits, its target rests, and it does not count as a failure. A
 * failure is tried again with another proxy. A move without an answer in time becomes inconclusive and keeps its slots until
 * a late answer or {@link #conclude} says how it ended.
 *
 * <p>Not thread-safe: one thread calls; only the answers of the mover come from others.
 */
public final class MoveExecutor {

    private record LateAnswer(TrackedMove asked, MoveResult result) {}

    private final BlockMover mover;
    private final MoveThreads threads;
    private final Slots slots = new Slots();
    private final BytePacer pacer = new BytePacer();
    private final Queue<LateAnswer> answers = new ConcurrentLinkedQueue<>();
    private final Map<BlockId, TrackedMove> moveByBlock = new LinkedHashMap<>();
    private final Map<BlockId, Slots.Lease> leaseByBlock = new HashMap<>();
    private final Map<DataNodeId, Long> restsUntilMs = new HashMap<>();
    private final Map<String, Integer> plannedByHost = new HashMap<>();
    private List<TrackedMove> ended = new ArrayList<>();
    private int crowdedOut;

    /** @param threads where the mover waits for DataNodes; as many at a time as the limits allow */
    public MoveExecutor(BlockMover mover, MoveThreads threads) {
        this.mover = mover;
        this.threads = threads;
    }

    /** Takes moves in; a block that has one already keeps that one. Returns those that were taken. */
    public List<BlockMove> submit(List<BlockMove> moves, long nowMs) {
        List<BlockMove> taken = new ArrayList<>();
        for (BlockMove move : moves) {
            if (moveByBlock.putIfAbsent(move.block(), TrackedMove.planned(move, nowMs)) == null) {
                countPlanned(move, 1);
                taken.add(move);
            }
        }
        return taken;
    }

    /** Takes answers in, gives up waiting where it was too long, and starts what may start. Returns the work done. */
    public int doWork(MoveLimits limits, boolean mayStart, long nowMs) {
        int work = takeAnswers(limits, nowMs) + giveUpWaiting(limits, nowMs);
        return mayStart ? work + start(limits, nowMs) : work;
    }

    /** Ends the planned moves that match and were not started. Returns their number. */
    public int cancelPlanned(Predicate<BlockMove> which, String why, long nowMs) {
        List<TrackedMove> cancelled = moveByBlock.values().stream()
                .filter(tracked -> tracked.state() == MoveState.PLANNED && which.test(tracked.move()))
                .toList();
        cancelled.forEach(tracked -> change(tracked.in(MoveState.CANCELLED, why, nowMs)));
        return cancelled.size();
    }

    /** Says how a move that awaits the NameNode's word has ended. */
    public void conclude(BlockId block, MoveState end, String why, long nowMs) {
        Optional.ofNullable(moveByBlock.get(block)).ifPresent(tracked -> change(tracked.in(end, why, nowMs)));
    }

    /** The moves that await the NameNode's word. */
    public List<TrackedMove> awaitingNameNode() {
        return moveByBlock.values().stream()
                .filter(tracked -> tracked.state().awaitsNameNode())
                .toList();
    }

    /** The moves that have ended since the last time. */
    public List<TrackedMove> takeEnded() {
        List<TrackedMove> taken = ended;
        ended = new ArrayList<>();
        return taken;
    }

    public boolean hasMoveOf(BlockId block) {
        return moveByBlock.containsKey(block);
    }

    /** The number of moves in this state, which is not an end. */
    public int count(MoveState state) {
        return (int) moveByBlock.values().stream()
                .filter(tracked -> tracked.state() == state)
                .count();
    }

    /** The number of moves to the DataNodes on this host that have not been started. */
    public int planned(String host) {
        return plannedByHost.getOrDefault(host, 0);
    }

    /** The number of moves that could not be started the last time because their own DataNodes had their hands full. */
    public int crowdedOut() {
        return crowdedOut;
    }

    /** The number of moves that hold slots. */
    public int running() {
        return slots.taken();
    }

    private int start(MoveLimits limits, long nowMs) {
        restsUntilMs.values().removeIf(untilMs -> untilMs <= nowMs);
        int started = 0;
        crowdedOut = 0;
        for (TrackedMove tracked : List.copyOf(moveByBlock.values())) {
            if (slots.taken() >= limits.concurrentMoves()) {
                break;
            }
            if (isReady(tracked, nowMs) && startOne(tracked, limits, nowMs)) {
                started++;
            }
        }
        return started;
    }

    private boolean isReady(TrackedMove tracked, long nowMs) {
        return tracked.state() == MoveState.PLANNED
                && tracked.notBeforeMs() <= nowMs
                && !restsUntilMs.containsKey(tracked.move().target().id());
    }

    private boolean startOne(TrackedMove tracked, MoveLimits limits, long nowMs) {
        BlockMove move = tracked.move();
        Optional<Slots.Lease> lease =
                slots.take(Set.of(move.target().id(), tracked.proxy().id()), limits);
        if (lease.isEmpty()) {
            crowdedOut++;
            return false;
        }
        if (!pacer.tryTake(move.lengthBytes(), limits.bytesPerSecond(), nowMs)) {
            lease.get().release();
            return false;
        }
        leaseByBlock.put(move.block(), lease.get());
        TrackedMove running = tracked.in(MoveState.RUNNING, "", nowMs);
        change(running);
        launch(running, limits.listenMs());
        return true;
    }

    private void launch(TrackedMove running, long listenMs) {
        try {
            threads.run(() -> answers.add(new LateAnswer(running, ask(running, listenMs))));
        } catch (RuntimeException stopping) {
            answers.add(new LateAnswer(running, new MoveResult(Answer.FAILED, "no thread takes it: " + stopping)));
        }
    }

    /** Catches everything: without an answer the slots would be lost. */
    private MoveResult ask(TrackedMove running, long listenMs) {
        try {
            return mover.move(running.move(), running.proxy(), listenMs);
        } catch (Throwable failure) {
            return new MoveResult(Answer.FAILED, failure.toString());
        }
    }

    private int takeAnswers(MoveLimits limits, long nowMs) {
        int taken = 0;
        for (LateAnswer answer = answers.poll(); answer != null; answer = answers.poll()) {
            TrackedMove tracked = moveByBlock.get(answer.asked().move().block());
            if (tracked != null && tracked.state().holdsSlots() && isOf(tracked, answer)) {
                change(AfterAnswer.of(tracked, answer.result(), limits, nowMs));
                restIfBusy(tracked, answer.result(), limits, nowMs);
            }
            taken++;
        }
        return taken;
    }

    /** Whether the answer belongs to this attempt of this move. */
    private static boolean isOf(TrackedMove tracked, LateAnswer answer) {
        return tracked.move().equals(answer.asked().move())
                && tracked.failures() == answer.asked().failures()
                && tracked.refusals() == answer.asked().refusals();
    }

    private void restIfBusy(TrackedMove tracked, MoveResult result, MoveLimits limits, long nowMs) {
        if (result.answer() == Answer.BUSY) {
            restsUntilMs.put(
                    tracked.move().target().id(), nowMs + limits.retry().delayMs(1));
        }
    }

    private int giveUpWaiting(MoveLimits limits, long nowMs) {
        List<TrackedMove> late = moveByBlock.values().stream()
                .filter(tracked -> tracked.state() == MoveState.RUNNING)
                .filter(tracked -> nowMs - tracked.sinceMs() > limits.moveTimeoutMs())
                .toList();
        late.forEach(tracked -> change(
                tracked.in(MoveState.INCONCLUSIVE, "no answer within " + limits.moveTimeoutMs() + " ms", nowMs)));
        return late.size();
    }

    /** The one place where a move's state is replaced: slots are released and ends are noted here. */
    private void change(TrackedMove next) {
        BlockId block = next.move().block();
        TrackedMove before = moveByBlock.get(block);
        countPlanned(next.move(), isPlanned(next) - isPlanned(before));
        if (!next.state().holdsSlots()) {
            Optional.ofNullable(leaseByBlock.remove(block)).ifPresent(Slots.Lease::release);
        }
        if (next.state().isEnd()) {
            moveByBlock.remove(block);
            ended.add(next);
        } else {
            moveByBlock.put(block, next);
        }
    }

    private static int isPlanned(@Nullable TrackedMove tracked) {
        return tracked != null && tracked.state() == MoveState.PLANNED ? 1 : 0;
    }

    private void countPlanned(BlockMove move, int change) {
        if (change != 0) {
            plannedByHost.merge(
                    move.target().host(), change, (before, more) -> before + more == 0 ? null : before + more);
        }
    }
}
