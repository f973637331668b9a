// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.healer.move;

import io.hearth.healer.model.BlockMove;
import io.hearth.healer.model.BlockReplicas.BlockId;
import io.hearth.healer.model.DataNode;
import io.hearth.healer.move.BlockMover.MoveResult;
import io.hearth.healer.move.BlockMover.MoveResult.Response;
import io.hearth.healer.move.MoveExecutor.MoveLimits;
import io.hearth.healer.move.MoveExecutor.MoveTransitions;
import io.hearth.healer.move.TrackedMove.MoveState;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * The executor by its definition: at every turn it asks every move that waits, in the order in which they were planned, and
 * knows of a move that may start by nothing but a look at all others. The oracle for {@link MoveExecutor}.
 */
final class NaiveExecutor {

    private record MissedReplica(BlockMove move, long untilMs) {}

    private List<TrackedMove> open = new ArrayList<>();
    private final List<MissedReplica> missed = new ArrayList<>();
    private final Map<DataNode.Id, Long> backedOffUntilMs = new HashMap<>();
    private final TokenBucket tokenBucket = new TokenBucket(100);

    void submit(BlockMove move, long nowMs) {
        if (open.stream().noneMatch(tracked -> tracked.move().block().equals(move.block()))) {
            open.add(TrackedMove.planned(move, nowMs));
        }
    }

    void cancelPlanned(BlockId block, long nowMs) {
        change(tracked -> isPlanned(tracked) && tracked.move().block().equals(block)
                ? tracked.in(MoveState.CANCELLED, "", nowMs)
                : tracked);
    }

    void conclude(BlockId block, long refreshMs, long nowMs) {
        change(tracked -> tracked.move().block().equals(block)
                ? over(tracked, tracked.in(MoveState.VERIFIED, "", nowMs), refreshMs, nowMs)
                : tracked);
    }

    void answered(TrackedMove asked, MoveResult result, MoveLimits limits, long nowMs) {
        change(tracked -> tracked.equals(asked)
                ? over(
                        tracked,
                        MoveTransitions.of(tracked, result, limits, nowMs),
                        limits.readerLocationsMaxAgeMs(),
                        nowMs)
                : tracked);
        if (result.response() == Response.BUSY || result.response() == Response.PROXY_BUSY) {
            DataNode busy = result.response() == Response.BUSY ? asked.move().target() : asked.proxy();
            backedOffUntilMs.put(busy.id(), nowMs + limits.retry().delayMs(1));
        }
    }

    /** A turn but for the answers; returns those that start. */
    List<TrackedMove> start(MoveLimits limits, long nowMs) {
        change(tracked -> isPlanned(tracked) && nowMs - tracked.plannedMs() > limits.plannedMs()
                ? tracked.in(MoveState.CANCELLED, "", nowMs)
                : tracked);
        missed.removeIf(missing -> missing.untilMs() <= nowMs);
        List<TrackedMove> started = new ArrayList<>();
        for (TrackedMove tracked : List.copyOf(open)) {
            if (isPlanned(tracked)
                    && hasPlaces(tracked, limits)
                    && isRested(tracked, nowMs)
                    && readersAllow(tracked.move())
                    && tokenBucket.tryAcquire(tracked.move().lengthBytes(), limits.bytesPerSecond(), nowMs)) {
                TrackedMove running = tracked.in(MoveState.RUNNING, "", nowMs);
                change(any -> any.equals(tracked) ? running : any);
                missed.add(new MissedReplica(tracked.move(), Long.MAX_VALUE));
                started.add(running);
            }
        }
        return started;
    }

    int planned() {
        return (int) open.stream().filter(NaiveExecutor::isPlanned).count();
    }

    int running() {
        return (int)
                open.stream().filter(tracked -> tracked.state().holdsSlots()).count();
    }

    private static boolean isPlanned(TrackedMove tracked) {
        return tracked.state() == MoveState.PLANNED;
    }

    private boolean isRested(TrackedMove tracked, long nowMs) {
        return tracked.notBeforeMs() <= nowMs
                && Stream.of(tracked.move().target(), tracked.proxy())
                        .allMatch(node -> backedOffUntilMs.getOrDefault(node.id(), 0L) <= nowMs);
    }

    private boolean hasPlaces(TrackedMove tracked, MoveLimits limits) {
        List<TrackedMove> holding =
                open.stream().filter(other -> other.state().holdsSlots()).toList();
        return holding.size() < limits.concurrentMoves()
                && Stream.<Function<TrackedMove, DataNode>>of(
                                other -> other.move().target(), TrackedMove::proxy, other -> other.move()
                                        .source())
                        .allMatch(role -> holding.stream()
                                        .filter(other -> role.apply(other)
                                                .id()
                                                .equals(role.apply(tracked).id()))
                                        .count()
                                < limits.concurrentMovesPerDataNode());
    }

    private boolean readersAllow(BlockMove move) {
        List<BlockMove> ofFile = missed.stream()
                .map(MissedReplica::move)
                .filter(other -> other.filePath().equals(move.filePath()))
                .toList();
        Set<DataNode.Id> sources =
                ofFile.stream().map(other -> other.source().id()).collect(Collectors.toSet());
        if (ofFile.stream().anyMatch(other -> other.block().equals(move.block()))) {
            return false;
        }
        if (sources.isEmpty() || sources.equals(Set.of(move.source().id()))) {
            return true;
        }
        if (sources.contains(move.source().id())) {
            return !sources.containsAll(holders(move));
        }
        Set<DataNode.Id> all = new HashSet<>(sources);
        all.add(move.source().id());
        return Stream.concat(
                        ofFile.stream(),
                        open.stream()
                                .filter(NaiveExecutor::isPlanned)
                                .map(TrackedMove::move)
                                .filter(other -> other.filePath().equals(move.filePath())))
                .noneMatch(other -> all.containsAll(holders(other)));
    }

    private static Set<DataNode.Id> holders(BlockMove move) {
        return Stream.concat(move.proxies().stream(), Stream.of(move.source()))
                .map(DataNode::id)
                .collect(Collectors.toSet());
    }

    private TrackedMove over(TrackedMove before, TrackedMove after, long refreshMs, long nowMs) {
        if (after.state().isEnd() || after.state() == MoveState.PLANNED) {
            missed.removeIf(missing -> missing.move().equals(before.move()));
            missed.add(new MissedReplica(before.move(), nowMs + refreshMs));
        }
        return after;
    }

    private void change(Function<TrackedMove, TrackedMove> how) {
        open = open.stream()
                .map(how)
                .filter(tracked -> !tracked.state().isEnd())
                .collect(Collectors.toCollection(ArrayList::new));
    }
}
