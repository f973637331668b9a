// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.healer.move;

import io.hearth.common.model.TokenBucket;
import io.hearth.healer.model.BlockMove;
import io.hearth.healer.model.BlockReplicas.BlockId;
import io.hearth.healer.model.DataNode;
import io.hearth.healer.move.BlockMover.MoveResult;
import io.hearth.healer.move.BlockMover.MoveResult.Response;
import io.hearth.healer.move.MoveAdmission.Link;
import io.hearth.healer.move.MoveAdmission.Link.LinkKind;
import io.hearth.healer.move.MoveExecutor.DataNodeLimits;
import io.hearth.healer.move.MoveExecutor.MoveLimits;
import io.hearth.healer.move.MoveExecutor.MoveTransitions;
import io.hearth.healer.move.ReplyTimes.Timeliness;
import io.hearth.healer.move.TrackedMove.MoveState;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The executor by its definition: at every turn it asks every move that waits, in the order in which they were planned, and
 * knows of a move that may start by nothing but a look at all others. The oracle for {@link MoveExecutor}.
 */
final class NaiveExecutor {

    private record MissedReplica(BlockMove move, long untilMs) {}

    private List<TrackedMove> open = new ArrayList<>();
    /** Those of them that hold slots: few, and asked for by every move that waits. */
    private List<TrackedMove> holding = List.of();

    private final List<MissedReplica> missed = new ArrayList<>();
    private final Map<DataNode.Id, Long> backedOffUntilMs = new HashMap<>();
    /** Since when a DataNode has not answered a move to or from another, by target and proxy. */
    private final Map<List<DataNode.Id>, Long> unansweredMs = new HashMap<>();

    private final Map<String, TokenBucket> buckets = new HashMap<>();
    private final UplinkWindows windows = new UplinkWindows();
    private @Nullable MoveLimits last;

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
        if (holding()
                .noneMatch(tracked -> tracked.move().block().equals(asked.move().block()))) {
            return;
        }
        if (result.response() == Response.TIMED_OUT && open.contains(asked)) {
            unansweredMs.put(copy(asked.move(), asked.proxy()), nowMs);
        }
        if (result.response() == Response.COPIED && open.contains(asked)) {
            windows.answered(asked, timeliness(asked, limits, nowMs), this::passing, nowMs);
        }
        change(tracked -> tracked.state().holdsSlots()
                        && tracked.move().block().equals(asked.move().block())
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
        for (TrackedMove tracked : List.copyOf(open)) {
            if (tracked.state() == MoveState.RUNNING && nowMs - tracked.sinceMs() > limits.moveTimeoutMs()) {
                if (timeliness(tracked, limits, nowMs) == Timeliness.LATE) {
                    windows.answered(tracked, Timeliness.LATE, this::passing, nowMs);
                }
                unansweredMs.put(copy(tracked.move(), tracked.proxy()), nowMs);
                change(any -> any.equals(tracked) ? tracked.in(MoveState.TIMED_OUT, "", nowMs) : any);
            }
        }
        change(tracked -> isPlanned(tracked) && nowMs - tracked.plannedMs() > limits.plannedMs()
                ? tracked.in(MoveState.CANCELLED, "", nowMs)
                : tracked);
        missed.removeIf(missing -> missing.untilMs() <= nowMs);
        windows.tick(this::passing, nowMs);
        if (last == null
                || !limits.dataNodes().equals(last.dataNodes())
                || limits.clusterBytesPerSecond() != last.clusterBytesPerSecond()
                || limits.rackBytesPerSecond() != last.rackBytesPerSecond()) {
            buckets.clear();
        }
        last = limits;
        List<TrackedMove> started = new ArrayList<>();
        for (TrackedMove tracked : List.copyOf(open)) {
            if (isPlanned(tracked)
                    && tracked.notBeforeMs() <= nowMs
                    && isRested(tracked.move().target(), nowMs)
                    && hasPlaces(tracked.move(), limits)
                    && readersAllow(tracked.move())) {
                proxy(tracked, limits, nowMs).ifPresent(proxy -> {
                    TrackedMove running = tracked.running(proxy, nowMs);
                    change(any -> any.equals(tracked) ? running : any);
                    missed.add(new MissedReplica(tracked.move(), Long.MAX_VALUE));
                    started.add(running);
                });
            }
        }
        return started;
    }

    private static Timeliness timeliness(TrackedMove asked, MoveLimits limits, long nowMs) {
        DataNodeLimits target = limits.dataNodes().apply(asked.move().target());
        DataNodeLimits proxy = limits.dataNodes().apply(asked.proxy());
        return ReplyTimes.timeliness(
                asked.move().lengthBytes(),
                nowMs - asked.sinceMs(),
                Math.min(target.bytesPerSecond(), proxy.bytesPerSecond()),
                Math.max(target.moves(), proxy.moves()));
    }

    private static List<Link> uplinks(BlockMove move, DataNode proxy) {
        List<Link> links = new ArrayList<>();
        if (!proxy.rack().equals(move.target().rack())) {
            links.add(new Link(LinkKind.RACK_OUT, proxy.rack()));
            links.add(new Link(LinkKind.RACK_IN, move.target().rack()));
        }
        return links;
    }

    private boolean hasPlace(Link uplink, BlockMove move, DataNode proxy) {
        return passing(uplink) < Math.max(1, windows.moves(uplink) - unanswered(uplink))
                && Stream.of(move.target(), proxy)
                        .allMatch(node -> movesOver(uplink)
                                        .filter(other -> Set.of(other.move().target(), other.proxy())
                                                .contains(node))
                                        .count()
                                < windows.movesOfOne(uplink));
    }

    /** The moves that pass this uplink now; one without an answer in time may have ended long ago. */
    private Stream<TrackedMove> movesOver(Link uplink) {
        return holding()
                .filter(other -> other.state() == MoveState.RUNNING)
                .filter(other -> uplinks(other.move(), other.proxy()).contains(uplink));
    }

    private int unanswered(Link uplink) {
        return (int) holding()
                .filter(other -> other.state() == MoveState.TIMED_OUT)
                .filter(other -> uplinks(other.move(), other.proxy()).contains(uplink))
                .count();
    }

    private int passing(Link uplink) {
        return (int) movesOver(uplink).count();
    }

    /** The first proxy that can; its bytes are taken then. */
    private OptionalInt proxy(TrackedMove tracked, MoveLimits limits, long nowMs) {
        BlockMove move = tracked.move();
        for (int index = 0; index < move.proxies().size(); index++) {
            DataNode proxy = move.proxy(tracked.proxyIndex() + index);
            boolean isLastChoice = hasNotAnswered(move, proxy, nowMs)
                    && !move.proxies().stream().allMatch(other -> hasNotAnswered(move, other, nowMs));
            if (isRested(proxy, nowMs)
                    && !isLastChoice
                    && transfers(proxy) < limits.dataNodes().apply(proxy).moves()
                    && uplinks(move, proxy).stream().allMatch(uplink -> hasPlace(uplink, move, proxy))
                    && takeBytes(move, rates(move, proxy, limits), limits, nowMs)) {
                return OptionalInt.of(tracked.proxyIndex() + index);
            }
        }
        return OptionalInt.empty();
    }

    private boolean takeBytes(BlockMove move, Map<String, Long> rates, MoveLimits limits, long nowMs) {
        boolean isAllowed =
                rates.entrySet().stream().allMatch(rate -> bucket(rate.getKey()).canAcquire(rate.getValue(), nowMs));
        if (isAllowed) {
            boolean isScarce = 2 * running() >= limits.concurrentMoves();
            rates.forEach((what, rate) -> {
                if (isScarce) {
                    bucket(what).tryAcquireUnsaved(move.lengthBytes(), rate, nowMs);
                } else {
                    bucket(what).tryAcquire(move.lengthBytes(), rate, nowMs);
                }
            });
        }
        return isAllowed;
    }

    private static List<DataNode.Id> copy(BlockMove move, DataNode proxy) {
        return List.of(move.target().id(), proxy.id());
    }

    private boolean hasNotAnswered(BlockMove move, DataNode proxy, long nowMs) {
        return unansweredMs.getOrDefault(copy(move, proxy), -600_000L) + 600_000 > nowMs;
    }

    private static Map<String, Long> rates(BlockMove move, DataNode proxy, MoveLimits limits) {
        Map<String, Long> rates = new HashMap<>();
        rates.put("cluster", limits.clusterBytesPerSecond());
        rates.put(
                "at " + move.target().id(),
                limits.dataNodes().apply(move.target()).bytesPerSecond());
        rates.put("at " + proxy.id(), limits.dataNodes().apply(proxy).bytesPerSecond());
        if (!proxy.rack().equals(move.target().rack())) {
            rates.put("out of " + proxy.rack(), limits.rackBytesPerSecond());
            rates.put("into " + move.target().rack(), limits.rackBytesPerSecond());
        }
        return rates;
    }

    private TokenBucket bucket(String what) {
        return buckets.computeIfAbsent(what, first -> TokenBucket.savingOneTaking(100));
    }

    int planned() {
        return (int) open.stream().filter(NaiveExecutor::isPlanned).count();
    }

    int timedOut() {
        return (int) holding()
                .filter(tracked -> tracked.state() == MoveState.TIMED_OUT)
                .count();
    }

    int running() {
        return holding.size();
    }

    private static boolean isPlanned(TrackedMove tracked) {
        return tracked.state() == MoveState.PLANNED;
    }

    private boolean isRested(DataNode node, long nowMs) {
        return backedOffUntilMs.getOrDefault(node.id(), 0L) <= nowMs;
    }

    /** In the cluster, at the target and at the source. */
    private boolean hasPlaces(BlockMove move, MoveLimits limits) {
        return running() < limits.concurrentMoves()
                && transfers(move.target())
                        < limits.dataNodes().apply(move.target()).moves()
                && holding()
                                .filter(other -> other.move()
                                        .source()
                                        .id()
                                        .equals(move.source().id()))
                                .count()
                        < limits.dataNodes().apply(move.source()).moves();
    }

    /** The moves in which this DataNode receives or sends. */
    private long transfers(DataNode node) {
        return holding()
                .flatMap(other -> Stream.of(other.move().target(), other.proxy()))
                .filter(other -> other.id().equals(node.id()))
                .count();
    }

    private Stream<TrackedMove> holding() {
        return holding.stream();
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
        holding = open.stream().filter(tracked -> tracked.state().holdsSlots()).toList();
    }
}
