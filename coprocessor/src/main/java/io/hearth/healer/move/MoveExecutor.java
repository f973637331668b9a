// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.healer.move;

import io.hearth.common.model.ExponentialBackoff;
import io.hearth.healer.config.HealLimitSettings.HealLimitConfig;
import io.hearth.healer.metrics.HealLimit;
import io.hearth.healer.model.BlockMove;
import io.hearth.healer.model.BlockReplicas.BlockId;
import io.hearth.healer.model.DataNode;
import io.hearth.healer.model.DataNode.StorageType;
import io.hearth.healer.move.BlockMover.MoveResult;
import io.hearth.healer.move.BlockMover.MoveResult.Response;
import io.hearth.healer.move.MoveAdmission.AdmissionDecision;
import io.hearth.healer.move.MoveAdmission.Deferred;
import io.hearth.healer.move.ReplyTimes.Timeliness;
import io.hearth.healer.move.TrackedMove.MoveState;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

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
    private final ReplyTimes replyTimes = new ReplyTimes();
    private final LongTurns longTurns = new LongTurns();
    private long readerLocationsMaxAgeMs;
    private @Nullable MoveLimits lastLimits;
    private final Set<DataNode.Id> busy = new HashSet<>();
    private final List<MoveAnswer> answers = new ArrayList<>();
    private final List<BlockMove> triedAgain = new ArrayList<>();
    /** When the first of the waiting moves has its bytes; empty where it does not wait for them. */
    private OptionalLong bandwidthFromMs = OptionalLong.empty();

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

    /**
     * A turn begins. Whatever else it does before {@link #doWork} may take long, and moves say of what is taken in or started then that it
     * was when the turn began: {@link #sinceMs} knows better from the next turn on.
     *
     * @param keptMs how long a move may wait for its DataNode and for the NameNode
     */
    public void beginTurn(long keptMs, long nowMs) {
        longTurns.tick(keptMs, nowMs);
    }

    /** When this move had come to its state for certain. */
    public long sinceMs(TrackedMove tracked) {
        return longTurns.endMs(tracked.sinceMs());
    }

    /** Takes answers in, gives up waiting where it was too long, and starts what may start. Returns the work done. */
    public int doWork(MoveLimits limits, boolean mayStart, long nowMs) {
        readerLocationsMaxAgeMs = limits.readerLocationsMaxAgeMs();
        admission.tick(nowMs);
        replyTimes.tick(nowMs);
        beginTurn(limits.listenMs(), nowMs);
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

    /** Says how a move that awaits the NameNode's confirmation has ended; of one without an answer that tells, that is said too. */
    public void conclude(BlockId block, MoveState end, String why, long nowMs) {
        registry.of(block).ifPresent(tracked -> {
            boolean isWithoutAnswer =
                    tracked.state() == MoveState.TIMED_OUT && !tracked.detail().isEmpty();
            change(tracked.in(end, isWithoutAnswer ? tracked.detail() + "; " + why : why, nowMs));
        });
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

    /** The DataNodes that were too busy for a move since the last time. */
    public Set<DataNode.Id> takeBusy() {
        Set<DataNode.Id> taken = Set.copyOf(busy);
        busy.clear();
        return taken;
    }

    /** The moves that were under way and are to be tried again, since the last time. */
    public List<BlockMove> takeTriedAgain() {
        List<BlockMove> taken = List.copyOf(triedAgain);
        triedAgain.clear();
        return taken;
    }

    /** How DataNodes have answered, or have not, since the last time. */
    public List<MoveAnswer> takeAnswers() {
        List<MoveAnswer> taken = List.copyOf(answers);
        answers.clear();
        return taken;
    }

    /** The uplinks of racks that have turned out to be slow since the last time, or slower. */
    public List<NarrowedUplink> takeNarrowedUplinks() {
        return admission.takeNarrowed();
    }

    /** How long moves take, by DataNode, for whoever calls this executor. */
    public ReplyTimes replyTimes() {
        return replyTimes;
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

    /**
     * When a move that waits for time alone may start, by what is known since the last {@link #doWork}; empty where none does.
     * Moves that wait for an answer or for readers start when those come.
     */
    public OptionalLong nextStartMs() {
        return bandwidthFromMs.isPresent() ? bandwidthFromMs : registry.nextWakeUpMs();
    }

    /**
     * What keeps the next planned move from starting, by the last {@link #doWork}; {@link HealLimit#NOTHING_WAITS} where none waits.
     *
     * @param limits those of that turn
     */
    public HealLimit limit(MoveLimits limits) {
        if (registry.count(MoveState.PLANNED) == 0) {
            return HealLimit.NOTHING_WAITS;
        }
        if (bandwidthFromMs.isPresent()) {
            return HealLimit.CLUSTER_BANDWIDTH;
        }
        return admission.isFull(limits)
                ? HealLimit.CLUSTER_MOVES
                : registry.limit().orElse(HealLimit.NOTHING_WAITS);
    }

    /** The number of moves that hold slots. */
    public int running() {
        return admission.taken();
    }

    /** Asks those that may have become free to start, in the order in which they were planned. */
    private int start(MoveLimits limits, long nowMs) {
        registry.tick(nowMs);
        if (lastLimits == null || !limits.hasSameRates(lastLimits)) {
            registry.retryAll();
            admission.forgetBytes();
        }
        if (admission.takeProxiesChanged()) {
            registry.retryAll();
        }
        lastLimits = limits;
        int started = 0;
        boolean hasBandwidth = true;
        bandwidthFromMs = OptionalLong.empty();
        Optional<TrackedMove> next = registry.nextToStart();
        while (next.isPresent() && hasBandwidth && !admission.isFull(limits)) {
            TrackedMove tracked = next.get();
            AdmissionDecision decision = admission.admit(tracked, limits, nowMs);
            if (decision instanceof AdmissionDecision.Admitted admitted) {
                TrackedMove running = tracked.running(admitted.proxyIndex(), nowMs);
                registry.start(running, admitted.lease(), dispatcher.ask(running, limits.listenMs()));
                started++;
            } else if (decision instanceof Deferred reason) {
                registry.defer(tracked, reason);
            } else if (decision instanceof AdmissionDecision.OverBandwidth over) {
                bandwidthFromMs = OptionalLong.of(over.untilMs());
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
                        answered(tracked, response.result().response());
                        if (tracked.state() == MoveState.RUNNING
                                && response.result().response() == Response.COPIED) {
                            measure(tracked, true, limits, nowMs);
                        }
                        if (tracked.state() == MoveState.RUNNING
                                && response.result().response() == Response.TIMED_OUT) {
                            admission.unanswered(tracked, nowMs);
                        }
                        TrackedMove next = MoveTransitions.of(tracked, response.result(), limits, nowMs);
                        change(next);
                        if (next.state() == MoveState.PLANNED) {
                            triedAgain.add(next.move());
                        }
                        backOffIfBusy(tracked, response.result(), limits, nowMs);
                    });
            taken++;
        }
        return taken;
    }

    private void answered(TrackedMove tracked, Response response) {
        answers.add(new MoveAnswer(tracked.move().target(), tracked.proxy(), response));
    }

    /**
     * Before the move's places are given back, and the next ones ask for them. One that nobody has answered is never in time, however long
     * it might have taken.
     */
    private void measure(TrackedMove running, boolean isAnswered, MoveLimits limits, long nowMs) {
        if (replyTimes.add(running, nowMs)) {
            DataNodeLimits target = limits.dataNodes().apply(running.move().target());
            DataNodeLimits proxy = limits.dataNodes().apply(running.proxy());
            long slowest = Math.min(target.bytesPerSecond(), proxy.bytesPerSecond());
            int moves = Math.max(target.moves(), proxy.moves());
            long ms = nowMs - running.sinceMs();
            Timeliness timeliness = ReplyTimes.timeliness(running.move().lengthBytes(), ms, slowest, moves);
            if (isAnswered || timeliness == Timeliness.LATE) {
                admission.answered(running, timeliness, nowMs).forEach(registry::uplinkWidened);
            }
        }
    }

    private void backOffIfBusy(TrackedMove tracked, MoveResult result, MoveLimits limits, long nowMs) {
        if (result.response() == Response.BUSY || result.response() == Response.PROXY_BUSY) {
            DataNode node = result.response() == Response.BUSY ? tracked.move().target() : tracked.proxy();
            busy.add(node.id());
            admission.backOff(node, nowMs + limits.retry().delayMs(1));
        }
    }

    private int giveUpWaiting(MoveLimits limits, long nowMs) {
        List<TrackedMove> late = registry.in(MoveState.RUNNING).stream()
                .filter(tracked -> nowMs - sinceMs(tracked) > limits.moveTimeoutMs())
                .toList();
        late.forEach(tracked -> {
            measure(tracked, false, limits, nowMs);
            answered(tracked, Response.TIMED_OUT);
            admission.unanswered(tracked, nowMs);
            change(tracked.in(MoveState.TIMED_OUT, "no answer within " + limits.moveTimeoutMs() + " ms", nowMs));
        });
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
     * The turns that took long, such as those that waited for a NameNode. A turn's answers are taken in and its moves start at its end,
     * and they say when it began. Times are milliseconds.
     */
    private static final class LongTurns {

        private final Map<Long, Long> endByStart = new HashMap<>();
        private long lastMs = Long.MAX_VALUE;

        /** A turn begins, and the one before is over: where that was long, it is remembered for {@code keptMs}. */
        void tick(long keptMs, long nowMs) {
            if (nowMs - lastMs > ReplyTimes.STALLED_MS) {
                endByStart.put(lastMs, nowMs);
            }
            lastMs = nowMs;
            endByStart.values().removeIf(endMs -> nowMs - endMs > keptMs);
        }

        /** When the turn that began then was over, where it took long; else when it began. */
        long endMs(long startMs) {
            return endByStart.getOrDefault(startMs, startMs);
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
                case ALREADY_THERE, UNDER_WAY, TIMED_OUT ->
                    late ? tracked : tracked.in(MoveState.TIMED_OUT, why, nowMs);
                case BUSY, PROXY_BUSY ->
                    late
                            ? tracked.in(MoveState.FAILED, why, nowMs)
                            : tracked.retryAfterRejection(why, nowMs + delayMs(limits, tracked.rejections()), nowMs);
                case UNREACHABLE, PROXY_UNREACHABLE, FAILED ->
                    late || tracked.failures() + 1 >= limits.attempts()
                            ? tracked.in(MoveState.FAILED, why, nowMs)
                            : tracked.retryAfterFailure(why, nowMs + delayMs(limits, tracked.failures()), nowMs);
            };
        }

        private static long delayMs(MoveLimits limits, int before) {
            return limits.retry().delayMs(before + 1);
        }
    }

    /** What a target has answered when it was to copy a block from this proxy. Immutable. */
    public record MoveAnswer(DataNode target, DataNode proxy, Response response) {}

    /** Where the mover waits for DataNodes. The healer's packages have no threads of their own; a runner lends them. */
    @FunctionalInterface
    public interface MoveThreadPool {

        /**
         * Runs this task soon, on another thread; returns at once.
         *
         * @throws RuntimeException if it takes no more tasks
         */
        void run(Runnable task);

        /** The same threads, each of which does this after its task, however that ends. */
        default MoveThreadPool thenDo(Runnable after) {
            return task -> run(() -> {
                try {
                    task.run();
                } finally {
                    after.run();
                }
            });
        }
    }

    /**
     * What holds moves back. Immutable.
     *
     * @param concurrentMoves moves at a time in the cluster, for each of which a thread waits
     * @param dataNodes what each DataNode may be asked; asked for again at each start, and another function means other limits
     * @param clusterBytesPerSecond bytes started per second in the cluster; 0 for no limit
     * @param rackBytesPerSecond bytes started per second that enter one rack from others, and as many that leave it; 0 for no limit
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
            NodeLimits dataNodes,
            long clusterBytesPerSecond,
            long rackBytesPerSecond,
            long moveTimeoutMs,
            long listenMs,
            int attempts,
            long plannedMs,
            ExponentialBackoff retry,
            long readerLocationsMaxAgeMs) {

        private boolean hasSameRates(MoveLimits other) {
            return dataNodes.equals(other.dataNodes)
                    && clusterBytesPerSecond == other.clusterBytesPerSecond
                    && rackBytesPerSecond == other.rackBytesPerSecond;
        }
    }

    /** What each DataNode may be asked, looked up by a DataNode that receives or sends. */
    @FunctionalInterface
    public interface NodeLimits extends Function<DataNode, DataNodeLimits> {

        /** The moves at a time in which this DataNode gives its replica up, for which it does no work. */
        default int movesAsSource(DataNode node) {
            return apply(node).moves();
        }
    }

    /**
     * An uplink that was found slow, with how many moves at a time pass it from now on. Immutable.
     *
     * @param rack its network location
     * @param isInward whether it is the way into the rack; else out of it
     */
    public record NarrowedUplink(String rack, boolean isInward, int moves) {}

    /**
     * What one DataNode may be asked. Immutable.
     *
     * @param moves moves at a time in which it receives or sends, both together, as HDFS counts them; as many in which it gives its
     *     replica up
     * @param bytesPerSecond bytes that it receives and sends per second, both together, as HDFS throttles them; 0 for no limit
     */
    public record DataNodeLimits(int moves, long bytesPerSecond) {

        /**
         * What healing asks at most of a DataNode that allows this by itself: no more than the operator allows, and half of its moves, which
         * it makes for others as well.
         *
         * @param pace the share of it, above 0 and at most 1
         */
        public DataNodeLimits lowered(HealLimitConfig limits, double pace) {
            long asked = limits.dataNodeBytesPerSecond();
            long most = Math.max(1, Math.round(pace * (asked == 0 ? bytesPerSecond : Math.min(asked, bytesPerSecond))));
            int atATime = Math.min((int) (pace * limits.movesAtATime(most)), moves / 2);
            return new DataNodeLimits(Math.max(1, atATime), most);
        }
    }
}
