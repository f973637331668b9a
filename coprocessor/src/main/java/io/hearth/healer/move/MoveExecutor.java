// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.healer.move;

import io.hearth.healer.model.BlockMove;
import io.hearth.healer.model.BlockReplicas.BlockId;
import io.hearth.healer.model.DataNode;
import io.hearth.healer.model.DataNode.StorageType;
import io.hearth.healer.move.BlockMover.MoveResult;
import io.hearth.healer.move.BlockMover.MoveResult.Response;
import io.hearth.healer.move.TrackedMove.MoveState;
import io.hearth.healer.move.WaitingMoves.AdmissionDecision;
import io.hearth.healer.move.WaitingMoves.AdmissionDecision.Admitted;
import io.hearth.healer.move.WaitingMoves.AdmissionDecision.DeferredForReaders;
import io.hearth.healer.move.WaitingMoves.AdmissionDecision.DeferredForSlot;
import io.hearth.healer.move.WaitingMoves.AdmissionDecision.DeferredUntil;
import io.hearth.healer.move.WaitingMoves.AdmissionDecision.OverBandwidth;
import io.hearth.healer.queue.ExponentialBackoff;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.function.Predicate;
import java.util.stream.Stream;

/**
 * Carries planned moves out, several at a time, and keeps each until its end is known. A block has at most one move here.
 *
 * <p>A DataNode that is too busy is back-pressure: the move waits, that DataNode is backed off from, and it does not count as a failure. A
 * failure is tried again with another proxy. A move that could not start for long is cancelled, since replicas, DataNodes and
 * files may have changed since it was planned. A move without an answer in time becomes inconclusive and keeps its slots until
 * a late answer or {@link #conclude} says how it ended.
 *
 * <p>Not thread-safe: one thread calls; only the answers of the mover come from others.
 */
public final class MoveExecutor {

    private final MoveDispatcher dispatcher;
    private final MoveAdmission admission;
    private final MoveRegistry registry;
    private long readerLocationsMaxAgeMs;
    private int slotsPerDataNode;
    private int rejections;

    /** @param threads where the mover waits for DataNodes; as many at a time as the limits allow */
    public MoveExecutor(BlockMover mover, MoveThreadPool threads) {
        StaleReaderGuard readerGuard = new StaleReaderGuard();
        this.dispatcher = new MoveDispatcher(mover, threads);
        this.admission = new MoveAdmission(readerGuard);
        this.registry = new MoveRegistry(readerGuard);
    }

    /** Takes moves in; a block that has one already keeps that one. Returns those that were taken. */
    public List<BlockMove> submit(List<BlockMove> moves, long nowMs) {
        return moves.stream()
                .filter(move -> registry.add(TrackedMove.planned(move, nowMs)))
                .toList();
    }

    /** Takes answers in, gives up waiting where it was too long, and starts what may start. Returns the work done. */
    public int doWork(MoveLimits limits, boolean mayStart, long nowMs) {
        readerLocationsMaxAgeMs = limits.readerLocationsMaxAgeMs();
        admission.tick(nowMs);
        int work = takeResponses(limits, nowMs) + giveUpWaiting(limits, nowMs) + cancelOld(limits, nowMs);
        return mayStart ? work + start(limits, nowMs) : work;
    }

    /** Ends the planned moves that match and were not started. Returns their number. */
    public int cancelPlanned(Predicate<BlockMove> which, String why, long nowMs) {
        List<TrackedMove> cancelled = registry.in(MoveState.PLANNED).stream()
                .filter(tracked -> which.test(tracked.move()))
                .toList();
        cancelled.forEach(tracked -> change(tracked.in(MoveState.CANCELLED, why, nowMs)));
        return cancelled.size();
    }

    /** Says how a move that awaits the NameNode's confirmation has ended. */
    public void conclude(BlockId block, MoveState end, String why, long nowMs) {
        registry.of(block).ifPresent(tracked -> change(tracked.in(end, why, nowMs)));
    }

    /** The moves that await the NameNode's confirmation. */
    public List<TrackedMove> awaitingNameNode() {
        return Stream.of(MoveState.values())
                .filter(MoveState::awaitsNameNode)
                .flatMap(state -> registry.in(state).stream())
                .toList();
    }

    /** The moves that have ended since the last time. */
    public List<TrackedMove> takeEnded() {
        return registry.takeEnded();
    }

    /** How often DataNodes were too busy since the last time. */
    public int takeRejections() {
        int taken = rejections;
        rejections = 0;
        return taken;
    }

    public boolean hasMoveOf(BlockId block) {
        return registry.of(block).isPresent();
    }

    /** The number of moves in this state, which is not an end. */
    public int count(MoveState state) {
        return registry.count(state);
    }

    /** The number of moves to the DataNodes on this host that have not been started. */
    public int planned(String host) {
        return registry.planned(host);
    }

    /** The bytes that are on their way to the DataNodes on this host, or will be, by the storage that they go to. */
    public Map<StorageType, Long> bytesTo(String host) {
        return registry.bytesTo(host);
    }

    /** The number of planned moves that can't start for reasons of their own: not for want of bytes, or of places in the cluster. */
    public int deferred() {
        return registry.deferred();
    }

    /** The number of moves that hold slots. */
    public int running() {
        return admission.taken();
    }

    /** Asks those that may have become free to start, in the order in which they were planned. */
    private int start(MoveLimits limits, long nowMs) {
        registry.tick(nowMs);
        if (limits.concurrentMovesPerDataNode() != slotsPerDataNode) {
            slotsPerDataNode = limits.concurrentMovesPerDataNode();
            registry.retryAll();
        }
        int started = 0;
        boolean hasBandwidth = true;
        Optional<TrackedMove> next = registry.nextToStart();
        while (next.isPresent() && hasBandwidth && !admission.isFull(limits)) {
            TrackedMove tracked = next.get();
            AdmissionDecision decision = admission.admit(tracked, limits, nowMs);
            if (decision instanceof AdmissionDecision.Admitted admitted) {
                TrackedMove running = tracked.in(MoveState.RUNNING, "", nowMs);
                registry.start(running, admitted.lease(), dispatcher.ask(running, limits.listenMs()));
                started++;
            } else if (decision instanceof AdmissionDecision.Deferred reason) {
                registry.defer(tracked, reason);
            } else {
                hasBandwidth = false;
            }
            next = registry.nextToStart();
        }
        return started;
    }

    private int takeResponses(MoveLimits limits, long nowMs) {
        int taken = 0;
        for (Optional<MoveDispatcher.CompletedCall> end = dispatcher.take(); end.isPresent(); end = dispatcher.take()) {
            MoveDispatcher.CompletedCall response = end.get();
            BlockId block = response.asked().move().block();
            registry.of(block)
                    .filter(tracked -> registry.awaits(block, response.callId()))
                    .ifPresent(tracked -> {
                        change(MoveTransitions.of(tracked, response.result(), limits, nowMs));
                        backOffIfBusy(tracked, response.result(), limits, nowMs);
                    });
            taken++;
        }
        return taken;
    }

    private void backOffIfBusy(TrackedMove tracked, MoveResult result, MoveLimits limits, long nowMs) {
        if (result.response() == Response.BUSY || result.response() == Response.PROXY_BUSY) {
            DataNode busy = result.response() == Response.BUSY ? tracked.move().target() : tracked.proxy();
            rejections++;
            admission.backOff(busy, nowMs + limits.retry().delayMs(1));
        }
    }

    private int giveUpWaiting(MoveLimits limits, long nowMs) {
        List<TrackedMove> late = registry.in(MoveState.RUNNING).stream()
                .filter(tracked -> nowMs - tracked.sinceMs() > limits.moveTimeoutMs())
                .toList();
        late.forEach(tracked ->
                change(tracked.in(MoveState.TIMED_OUT, "no answer within " + limits.moveTimeoutMs() + " ms", nowMs)));
        return late.size();
    }

    /** A move keeps its place in the order and the time at which it was planned, so that the oldest come first. */
    private int cancelOld(MoveLimits limits, long nowMs) {
        int cancelled = 0;
        for (Optional<TrackedMove> oldest = registry.oldestPlanned();
                oldest.isPresent() && nowMs - oldest.get().plannedMs() > limits.plannedMs();
                oldest = registry.oldestPlanned()) {
            String why = "could not start within " + limits.plannedMs() + " ms";
            change(oldest.get().in(MoveState.CANCELLED, why, nowMs));
            cancelled++;
        }
        return cancelled;
    }

    private void change(TrackedMove next) {
        registry.change(next, readerLocationsMaxAgeMs);
    }

    /**
     * Says which moves may start now: after their back-off, between DataNodes that don't rest, without hurting readers, with places
     * free and bytes to spend. Not thread-safe.
     */
    private static final class MoveAdmission {

        private final StaleReaderGuard readerGuard;
        private final MoveSlots slots = new MoveSlots();
        private final TokenBucket tokenBucket = new TokenBucket();
        private final Map<DataNode.Id, Long> backedOffUntilMs = new HashMap<>();

        MoveAdmission(StaleReaderGuard readerGuard) {
            this.readerGuard = readerGuard;
        }

        /** Forgets rests that are over and what readers have refreshed. */
        void tick(long nowMs) {
            backedOffUntilMs.values().removeIf(untilMs -> untilMs <= nowMs);
            readerGuard.forgetRefreshed(nowMs);
        }

        void backOff(DataNode node, long untilMs) {
            backedOffUntilMs.put(node.id(), untilMs);
        }

        boolean isFull(MoveLimits limits) {
            return slots.taken() >= limits.concurrentMoves();
        }

        int taken() {
            return slots.taken();
        }

        /** Whether this move may start, the cluster having a place free; its bytes are counted then. */
        AdmissionDecision admit(TrackedMove tracked, MoveLimits limits, long nowMs) {
            BlockMove move = tracked.move();
            long earliestMs = Math.max(
                    tracked.notBeforeMs(),
                    Math.max(backedOffUntilMs(move.target()), backedOffUntilMs(tracked.proxy())));
            if (earliestMs > nowMs) {
                return new DeferredUntil(earliestMs);
            }
            Optional<MoveSlots.Slot> full = slots.full(move, tracked.proxy(), limits);
            if (full.isPresent()) {
                return new DeferredForSlot(full.get());
            }
            if (!readerGuard.allows(move)) {
                return new DeferredForReaders(move.filePath());
            }
            if (!tokenBucket.tryAcquire(move.lengthBytes(), limits.bytesPerSecond(), nowMs)) {
                return OverBandwidth.INSTANCE;
            }
            return new Admitted(slots.take(move, tracked.proxy(), limits).orElseThrow());
        }

        private long backedOffUntilMs(DataNode node) {
            return backedOffUntilMs.getOrDefault(node.id(), Long.MIN_VALUE);
        }
    }

    /**
     * Has DataNodes asked on threads that are lent, and gathers their answers. Every call ends in exactly one answer, whatever goes
     * wrong. One thread asks and takes; the answers come from others.
     */
    private static final class MoveDispatcher {

        /** What came of one call. No two calls have the same ticket. */
        record CompletedCall(long callId, TrackedMove asked, MoveResult result) {}

        private final BlockMover mover;
        private final MoveThreadPool threads;
        private final Queue<CompletedCall> ends = new ConcurrentLinkedQueue<>();
        private long nextCallId;

        MoveDispatcher(BlockMover mover, MoveThreadPool threads) {
            this.mover = mover;
            this.threads = threads;
        }

        /** Returns the ticket of the call. */
        long ask(TrackedMove running, long listenMs) {
            long callId = nextCallId++;
            try {
                mover.start(
                        running.move(),
                        running.proxy(),
                        listenMs,
                        threads,
                        result -> ends.add(new CompletedCall(callId, running, result)));
            } catch (RuntimeException stopping) {
                ends.add(new CompletedCall(
                        callId, running, new MoveResult(Response.FAILED, "no thread takes it: " + stopping)));
            }
            return callId;
        }

        Optional<MoveDispatcher.CompletedCall> take() {
            return Optional.ofNullable(ends.poll());
        }
    }

    /**
     * Where a move stands after a DataNode's answer. Pure.
     *
     * <p>An answer that comes after the time out counts only if it says that the block was copied, or that the attempt is over:
     * a further attempt is left to a fresh plan. Of a replica that was there before only the NameNode can say how it came there and
     * whether it stays.
     */
    static final class MoveTransitions {

        private MoveTransitions() {}

        static TrackedMove of(TrackedMove tracked, MoveResult result, MoveLimits limits, long nowMs) {
            String why = result.detail();
            boolean late = tracked.state() == MoveState.TIMED_OUT;
            return switch (result.response()) {
                case COPIED -> tracked.in(MoveState.COPIED, why, nowMs);
                case REFUSED, NOT_PERMITTED -> tracked.in(MoveState.REFUSED, why, nowMs);
                case ALREADY_THERE, TIMED_OUT -> late ? tracked : tracked.in(MoveState.TIMED_OUT, why, nowMs);
                case BUSY, PROXY_BUSY ->
                    late
                            ? tracked.in(MoveState.FAILED, why, nowMs)
                            : tracked.retryAfterRejection(why, nowMs + delayMs(limits, tracked.rejections()), nowMs);
                case FAILED ->
                    late || tracked.failures() + 1 >= limits.attempts()
                            ? tracked.in(MoveState.FAILED, why, nowMs)
                            : tracked.retryAfterFailure(why, nowMs + delayMs(limits, tracked.failures()), nowMs);
            };
        }

        private static long delayMs(MoveLimits limits, int before) {
            return limits.retry().delayMs(before + 1);
        }
    }

    /** Where the mover waits for DataNodes. The healer's packages have no threads of their own; a runner lends them. */
    @FunctionalInterface
    public interface MoveThreadPool {

        /**
         * Runs this task soon, on another thread; returns at once.
         *
         * @throws RuntimeException if it takes no more tasks
         */
        void run(Runnable task);
    }

    /**
     * What holds moves back. Immutable.
     *
     * @param concurrentMoves moves at a time in the cluster
     * @param concurrentMovesPerDataNode moves at a time in which one DataNode is the target; as many as proxy, and as source
     * @param bytesPerSecond bytes started per second in the cluster; 0 for no limit
     * @param moveTimeoutMs how long to wait for a DataNode's answer before the NameNode is asked how the move ended
     * @param listenMs how long to go on listening for a late answer; hanging up can make a DataNode give up a copy that it would
     *     have finished
     * @param attempts how often a move is tried before it has failed
     * @param plannedMs how long after it was planned a move may start; what it was planned from is too old then
     * @param retry the wait before a move is tried again
     * @param readerLocationsMaxAgeMs how old the block locations of an open reader can be
     */
    public record MoveLimits(
            int concurrentMoves,
            int concurrentMovesPerDataNode,
            long bytesPerSecond,
            long moveTimeoutMs,
            long listenMs,
            int attempts,
            long plannedMs,
            ExponentialBackoff retry,
            long readerLocationsMaxAgeMs) {}
}
