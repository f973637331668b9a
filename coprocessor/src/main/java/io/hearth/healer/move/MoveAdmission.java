// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.healer.move;

import io.hearth.common.model.TokenBucket;
import io.hearth.healer.metrics.HealLimit;
import io.hearth.healer.model.BlockMove;
import io.hearth.healer.model.DataNode;
import io.hearth.healer.move.MoveAdmission.AdmissionDecision.Admitted;
import io.hearth.healer.move.MoveAdmission.AdmissionDecision.OverBandwidth;
import io.hearth.healer.move.MoveAdmission.Link.LinkKind;
import io.hearth.healer.move.MoveExecutor.MoveLimits;
import io.hearth.healer.move.MoveExecutor.NarrowedUplink;
import io.hearth.healer.move.ReplyTimes.Timeliness;
import io.hearth.healer.throttle.AimdThrottle;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * Says which moves may start now: after their back-off and that of their DataNodes, without hurting readers, with places free and bytes
 * to spend at both DataNodes, on the uplinks of their racks and in the cluster. A move copies from the first of its proxies that can, so
 * that a slow DataNode holds nobody up whose block others have too. Not thread-safe.
 */
final class MoveAdmission {

    /** Moves start evenly: what is saved up is no more than this, in milliseconds, or one block where that is more. */
    private static final long BURST_MS = 100;

    /** A bucket that was not used for so long owes nothing any more, in milliseconds. */
    private static final long FORGET_AFTER_MS = 600_000;

    /** After a move that was not answered its target copies from other proxies for so long, if there are others, in milliseconds. */
    private static final long AVOIDED_MS = 600_000;

    private static final long LOOK_AGAIN_MS = 100;

    private final StaleReaderGuard readerGuard;
    private final MoveSlots slots = new MoveSlots();
    private final UplinkWindows uplinkWindows = new UplinkWindows();
    private final Map<Link, TokenBucket> buckets = new HashMap<>();
    private final Map<DataNode.Id, Long> backedOffUntilMs = new HashMap<>();
    private final Map<ProxyAndTarget, Long> avoidedUntilMs = new HashMap<>();
    private long lastStartMs;
    private boolean haveProxiesChanged;

    MoveAdmission(StaleReaderGuard readerGuard) {
        this.readerGuard = readerGuard;
    }

    /** Forgets back-offs that are over, what readers have refreshed, and who has sent what long ago. */
    void tick(long nowMs) {
        backedOffUntilMs.values().removeIf(untilMs -> untilMs <= nowMs);
        haveProxiesChanged |= avoidedUntilMs.values().removeIf(untilMs -> untilMs <= nowMs);
        readerGuard.forgetRefreshed(nowMs);
        uplinkWindows.tick(slots::taken, nowMs);
        if (nowMs - lastStartMs > FORGET_AFTER_MS) {
            buckets.clear();
        }
    }

    /** Other limits hold: what was sent before does not count against them. */
    void forgetBytes() {
        buckets.clear();
    }

    void backOff(DataNode node, long untilMs) {
        backedOffUntilMs.put(node.id(), untilMs);
    }

    /**
     * Nobody has answered this move: one of both hangs, and which of them nobody knows. Others can copy to the target meanwhile, and the
     * proxy to others.
     */
    void unanswered(TrackedMove running, long nowMs) {
        avoidedUntilMs.put(ProxyAndTarget.of(running.move(), running.proxy()), nowMs + AVOIDED_MS);
        haveProxiesChanged = true;
    }

    /** Whether a waiting move may have another proxy than when it was asked last: once all of its proxies are avoided, none is. */
    boolean takeProxiesChanged() {
        boolean taken = haveProxiesChanged;
        haveProxiesChanged = false;
        return taken;
    }

    /**
     * A move that is under way has been answered, or is not waited for any longer; its places are taken still. Returns the uplinks that
     * let more moves pass than before.
     */
    List<Link> answered(TrackedMove running, Timeliness timeliness, long nowMs) {
        return uplinkWindows.answered(running, timeliness, slots::taken, nowMs);
    }

    /** The uplinks that have turned out to be slow since the last time, or slower. */
    List<NarrowedUplink> takeNarrowed() {
        return uplinkWindows.takeNarrowed();
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
        long earliestMs = Math.max(tracked.notBeforeMs(), backedOffUntilMs(move.target()));
        if (earliestMs > nowMs) {
            return Deferred.until(earliestMs);
        }
        Optional<Deferred> atTarget = slots.fullAtTarget(move, limits).map(Deferred::forSlot);
        if (atTarget.isPresent()) {
            return atTarget.get();
        }
        if (!readerGuard.allows(move)) {
            return Deferred.forReaders(move.filePath());
        }
        long clusterWaitMs = waitMs(Link.CLUSTER, limits, nowMs);
        if (clusterWaitMs > 0) {
            return new OverBandwidth(nowMs + clusterWaitMs);
        }
        return withProxy(tracked, limits, nowMs);
    }

    /** With the first proxy that can; where none can, what the first of each of them waits for. */
    private AdmissionDecision withProxy(TrackedMove tracked, MoveLimits limits, long nowMs) {
        BlockMove move = tracked.move();
        List<Deferred> reasons = new ArrayList<>();
        boolean areAllAvoided = move.proxies().stream().allMatch(proxy -> isAvoided(move, proxy));
        for (int index = 0; index < move.proxies().size(); index++) {
            DataNode proxy = move.proxy(tracked.proxyIndex() + index);
            if (!areAllAvoided && isAvoided(move, proxy)) {
                continue;
            }
            Optional<Deferred> reason = reason(move, proxy, limits, nowMs);
            if (reason.isPresent()) {
                reasons.add(reason.get());
                continue;
            }
            boolean isScarce = 2 * slots.taken() >= limits.concurrentMoves();
            Optional<MoveSlots.Lease> lease = slots.take(move, proxy, limits);
            if (lease.isPresent()) {
                links(move, proxy, limits)
                        .forEach((link, rate) -> spend(bucket(link), move.lengthBytes(), rate, isScarce, nowMs));
                lastStartMs = nowMs;
                return new Admitted(lease.get(), tracked.proxyIndex() + index);
            }
            // A DataNode has just said, on another thread, that it allows less than a moment ago.
            reasons.add(Deferred.until(nowMs + LOOK_AGAIN_MS));
        }
        return Deferred.anyOf(reasons);
    }

    /**
     * Where the cluster's places are scarce nothing that was saved is spent: two moves at a time at one DataNode take a place more, and
     * each is half as fast.
     */
    private static void spend(TokenBucket bucket, long bytes, long rate, boolean isScarce, long nowMs) {
        if (isScarce) {
            bucket.tryAcquireUnsaved(bytes, rate, nowMs);
        } else {
            bucket.tryAcquire(bytes, rate, nowMs);
        }
    }

    private Optional<Deferred> reason(BlockMove move, DataNode proxy, MoveLimits limits, long nowMs) {
        long backedOffMs = backedOffUntilMs(proxy);
        if (backedOffMs > nowMs) {
            return Optional.of(Deferred.until(backedOffMs));
        }
        Optional<Deferred> full = slots.fullAtProxy(proxy, limits).map(Deferred::forSlot);
        if (full.isPresent()) {
            return full;
        }
        Optional<Deferred> slowUplink = uplinks(move, proxy).stream()
                .filter(uplinkWindows::isNarrow)
                .flatMap(uplink -> gates(uplink, move, proxy))
                .filter(gate -> slots.taken(gate) >= most(gate))
                .findFirst()
                .map(Deferred::forSlot);
        if (slowUplink.isPresent()) {
            return slowUplink;
        }
        for (Map.Entry<Link, Long> link : links(move, proxy, limits).entrySet()) {
            long waitMs = bucket(link.getKey()).waitMs(link.getValue(), nowMs);
            if (waitMs > 0) {
                return Optional.of(
                        Deferred.forBandwidth(link.getKey(), nowMs + Math.min(waitMs, lookAgainMs(link.getKey()))));
            }
        }
        return Optional.empty();
    }

    /** On an uplink, one beside those that nobody has answered, however many these are. */
    private int most(Gate gate) {
        if (gate instanceof UplinkPart part) {
            return uplinkWindows.movesOfOne(part.uplink());
        }
        Link uplink = (Link) gate;
        return Math.max(1, uplinkWindows.moves(uplink) - slots.unanswered(uplink));
    }

    /** A DataNode's rate changes when it is asked for alone: until all is paid for at a cut rate a block would wait minutes. */
    private static long lookAgainMs(Link link) {
        return link.kind() == LinkKind.DATANODE ? AimdThrottle.RAISE_EVERY_MS : Deferred.UNKNOWN;
    }

    private long waitMs(Link link, MoveLimits limits, long nowMs) {
        return bucket(link).waitMs(limits.clusterBytesPerSecond(), nowMs);
    }

    private TokenBucket bucket(Link link) {
        return buckets.computeIfAbsent(link, first -> TokenBucket.savingOneTaking(BURST_MS));
    }

    /** What the bytes of this move go through, each with its limit in bytes per second, 0 for none. */
    private static Map<Link, Long> links(BlockMove move, DataNode proxy, MoveLimits limits) {
        Map<Link, Long> links = new LinkedHashMap<>();
        links.put(Link.CLUSTER, limits.clusterBytesPerSecond());
        for (DataNode node : List.of(move.target(), proxy)) {
            links.put(
                    new Link(LinkKind.DATANODE, node.id().uuid()),
                    limits.dataNodes().apply(node).bytesPerSecond());
        }
        if (limits.rackBytesPerSecond() > 0) {
            uplinks(move, proxy).forEach(uplink -> links.put(uplink, limits.rackBytesPerSecond()));
        }
        return links;
    }

    /** What a move between racks passes; nothing within one. */
    static List<Link> uplinks(BlockMove move, DataNode proxy) {
        return move.target().rack().equals(proxy.rack())
                ? List.of()
                : List.of(new Link(LinkKind.RACK_IN, move.target().rack()), new Link(LinkKind.RACK_OUT, proxy.rack()));
    }

    /** Where a move over uplinks is counted: at each of them, and there with both of its DataNodes. */
    static Stream<Gate> uplinkGates(BlockMove move, DataNode proxy) {
        return uplinks(move, proxy).stream().flatMap(uplink -> gates(uplink, move, proxy));
    }

    private static Stream<Gate> gates(Link uplink, BlockMove move, DataNode proxy) {
        return Stream.of(uplink, new UplinkPart(uplink, move.target().id()), new UplinkPart(uplink, proxy.id()));
    }

    /** Hardly ever has a move not been answered, and this is asked for each proxy of each move at each attempt. */
    private boolean isAvoided(BlockMove move, DataNode proxy) {
        return !avoidedUntilMs.isEmpty() && avoidedUntilMs.containsKey(ProxyAndTarget.of(move, proxy));
    }

    private long backedOffUntilMs(DataNode node) {
        return backedOffUntilMs.getOrDefault(node.id(), Long.MIN_VALUE);
    }

    /** The DataNode that a block is copied from, and the one that it is copied to. */
    private record ProxyAndTarget(DataNode.Id proxy, DataNode.Id target) {

        static ProxyAndTarget of(BlockMove move, DataNode proxy) {
            return new ProxyAndTarget(proxy.id(), move.target().id());
        }
    }

    /** What lets moves pass one after the other, each of which may close it for the next. */
    sealed interface Gate permits MoveSlots.Slot, Link, UplinkPart {

        /** What it is called where it holds moves back. */
        HealLimit limit();
    }

    /**
     * What bytes go through that is limited in bytes per second. What a DataNode receives and what it sends go through one: in HDFS both
     * share the DataNode's throttle of block moves. A rack's uplink has one for each direction.
     *
     * @param id the DataNode's UUID or the rack's network location
     */
    record Link(LinkKind kind, String id) implements Gate {

        static final Link CLUSTER = new Link(LinkKind.CLUSTER, "");

        enum LinkKind {
            CLUSTER,
            DATANODE,
            RACK_IN,
            RACK_OUT
        }

        @Override
        public HealLimit limit() {
            return switch (kind) {
                case CLUSTER -> HealLimit.CLUSTER_BANDWIDTH;
                case DATANODE -> HealLimit.DATANODE_BANDWIDTH;
                case RACK_IN, RACK_OUT -> HealLimit.RACK_BANDWIDTH;
            };
        }
    }

    /** The moves over one uplink, in one direction, in which one DataNode has part. */
    record UplinkPart(Link uplink, DataNode.Id node) implements Gate {

        @Override
        public HealLimit limit() {
            return uplink.limit();
        }
    }

    /** Whether a planned move may start just now, and if not, what it waits for. */
    sealed interface AdmissionDecision {

        /**
         * It may, with these places.
         *
         * @param proxyIndex which of its proxies it copies from
         */
        record Admitted(MoveSlots.Lease lease, int proxyIndex) implements AdmissionDecision {}

        /** Its turn has come, and so many bytes have been started in the cluster that no move may start before this time. */
        record OverBandwidth(long untilMs) implements AdmissionDecision {}
    }

    /**
     * It may not before one of these things has come about: with any other it would be refused again. Immutable.
     *
     * @param untilMs the end of a back-off; {@link #UNKNOWN} where it does not wait for one
     * @param opensMsByGate the gates that are closed, with the time at which each opens, {@link #UNKNOWN} for a place there
     * @param readersOf the file whose readers have not refreshed their locations
     */
    record Deferred(long untilMs, Map<Gate, Long> opensMsByGate, Optional<String> readersOf)
            implements AdmissionDecision {

        static final long UNKNOWN = Long.MAX_VALUE;

        Deferred {
            opensMsByGate = Map.copyOf(opensMsByGate);
        }

        /** What holds it back; of several things one that holds others back as well. */
        HealLimit limit() {
            return opensMsByGate.keySet().stream()
                    .map(Gate::limit)
                    .min(Comparator.naturalOrder())
                    .orElse(readersOf.isPresent() ? HealLimit.READERS : HealLimit.BACK_OFF);
        }

        static Deferred until(long ms) {
            return new Deferred(ms, Map.of(), Optional.empty());
        }

        /** A place at a DataNode, or on an uplink, that has none free. */
        static Deferred forSlot(Gate gate) {
            return new Deferred(UNKNOWN, Map.of(gate, UNKNOWN), Optional.empty());
        }

        static Deferred forBandwidth(Link link, long untilMs) {
            return new Deferred(UNKNOWN, Map.of(link, untilMs), Optional.empty());
        }

        static Deferred forReaders(String filePath) {
            return new Deferred(UNKNOWN, Map.of(), Optional.of(filePath));
        }

        /** Any of these lets it start. */
        static Deferred anyOf(List<Deferred> reasons) {
            Map<Gate, Long> gates = new HashMap<>();
            long untilMs = UNKNOWN;
            for (Deferred reason : reasons) {
                untilMs = Math.min(untilMs, reason.untilMs());
                reason.opensMsByGate().forEach((gate, ms) -> gates.merge(gate, ms, Math::min));
            }
            return new Deferred(untilMs, gates, Optional.empty());
        }
    }
}
