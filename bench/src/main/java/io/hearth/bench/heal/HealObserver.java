// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.bench.heal;

import io.hearth.common.model.EncodedRegionName;
import io.hearth.healer.config.HealingSettings.HealingConfig;
import io.hearth.healer.core.AdaptiveThrottle;
import io.hearth.healer.core.HealerState.HealListener;
import io.hearth.healer.metrics.HealingMetrics;
import io.hearth.healer.model.BlockMove;
import io.hearth.healer.model.BlockReplicas.BlockId;
import io.hearth.healer.model.DataNode;
import io.hearth.healer.model.ServedRegion;
import io.hearth.healer.model.SkipReason;
import io.hearth.healer.move.BlockMover.MoveResult;
import io.hearth.healer.move.BlockMover.MoveResult.Response;
import io.hearth.healer.move.MoveSlots.MoveRole;
import io.hearth.healer.move.MoveSlots.Slot;
import io.hearth.healer.move.TokenBucket;
import io.hearth.healer.move.TrackedMove.MoveState;
import io.hearth.healer.plan.MovePlan;
import io.hearth.healer.verify.MoveVerifier;
import java.util.Collections;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * What a healing loop does, seen from outside: what it planned, started and finished, and what kept the next move from
 * starting. After each turn of the loop all has started that may, so that the time until the next one is put down to the limit
 * that holds then. Not thread-safe.
 *
 * <p>The loop does not say which limit that is. So it is judged by the loop's own rules from what went in and out: its
 * configuration, its gauges, the calls that it made. It is exact for limits of the cluster; a move that waits for itself counts
 * under the slots of a DataNode if one of its DataNodes has all of them taken, and otherwise under readers, its back-off among
 * them.
 */
final class HealObserver implements HealListener, HealingMetrics {

    /** What keeps the next move from starting. */
    enum Limit {
        /** {@code hearth.heal.concurrent.moves} are under way. */
        CLUSTER_MOVES("moves of the cluster"),
        /** As many bytes were started as the rate allows. */
        CLUSTER_BANDWIDTH("bandwidth of the cluster"),
        /** More files wait for the NameNode's word on their moves than the loop allows. */
        CONFIRMATION("confirmation"),
        /** As many regions were listed as may be in a second. */
        LISTINGS("listings"),
        /** The moves that wait are to, from or for DataNodes with no slot free. */
        DATANODE_SLOTS("slots of DataNodes"),
        /** The moves that wait would hurt open readers, or back off. */
        READERS("readers' guard"),
        /** Nothing waits: regions have not settled, or all of their moves have started. */
        NOTHING_PLANNED("nothing planned");

        private final String label;

        Limit(String label) {
            this.label = label;
        }

        String label() {
            return label;
        }
    }

    /** Going through all that waits at every turn would cost more than the loop. */
    private static final long LOOK_MS = 100;

    private final HealingConfig config;
    private final int regionsToPlan;
    private final Map<HealingCounter, Long> countByCounter = new EnumMap<>(HealingCounter.class);
    private final Map<HealingGauge, Long> valueByGauge = new EnumMap<>(HealingGauge.class);
    private final Map<Limit, Long> microsByLimit = new EnumMap<>(Limit.class);
    private final TokenBucket bytes = new TokenBucket();
    private final TokenBucket listings = new TokenBucket();
    private final Set<EncodedRegionName> planned = new HashSet<>();
    private final Map<BlockId, BlockMove> waiting = new LinkedHashMap<>();
    private final Map<BlockId, Integer> attemptsByBlock = new HashMap<>();
    private final Map<BlockId, List<Slot>> slotsByBlock = new HashMap<>();
    private final Map<Slot, Integer> takenBySlot = new HashMap<>();
    private final Set<BlockId> unconfirmed = new HashSet<>();
    private final Map<String, Integer> unconfirmedByFile = new HashMap<>();
    private final Map<DataNode, Long> confirmedMsByTarget = new HashMap<>();
    private final Map<MoveState, Integer> endsByState = new EnumMap<>(MoveState.class);
    private Limit waitingFor = Limit.NOTHING_PLANNED;
    private long lookedMs = Long.MIN_VALUE / 2;
    private long nowMs;
    private long confirmedBytes;

    /** @param regionsToPlan how many regions have something to move */
    HealObserver(HealingConfig config, int regionsToPlan) {
        this.config = config;
        this.regionsToPlan = regionsToPlan;
    }

    /** A turn begins. */
    void turn(long atMs) {
        nowMs = atMs;
    }

    void listed() {
        boolean unused = listings.tryAcquire(1, AdaptiveThrottle.LISTINGS_PER_SECOND, nowMs);
    }

    @Override
    public void planned(ServedRegion region, MovePlan plan, List<BlockMove> taken) {
        planned.add(region.region());
        taken.forEach(move -> waiting.put(move.block(), move));
    }

    void started(BlockMove move, DataNode proxy) {
        waiting.remove(move.block());
        attemptsByBlock.merge(move.block(), 1, Integer::sum);
        boolean unused = bytes.tryAcquire(move.lengthBytes(), gauge(HealingGauge.BYTES_PER_SECOND), nowMs);
        List<Slot> slots = slots(move, proxy);
        slots.forEach(slot -> takenBySlot.merge(slot, 1, Integer::sum));
        slotsByBlock.put(move.block(), slots);
    }

    void answered(BlockMove move, MoveResult result) {
        if (result.response() != Response.TIMED_OUT) {
            release(move);
        }
        switch (result.response()) {
            case COPIED, ALREADY_THERE, TIMED_OUT -> {
                if (unconfirmed.add(move.block())) {
                    unconfirmedByFile.merge(move.filePath(), 1, Integer::sum);
                }
            }
            case BUSY, PROXY_BUSY, FAILED -> waiting.put(move.block(), move);
            case REFUSED, NOT_PERMITTED -> {}
        }
    }

    @Override
    public void ended(BlockMove move, MoveState end) {
        endsByState.merge(end, 1, Integer::sum);
        waiting.remove(move.block());
        release(move);
        if (unconfirmed.remove(move.block())) {
            unconfirmedByFile.computeIfPresent(move.filePath(), (path, moves) -> moves > 1 ? moves - 1 : null);
        }
        attemptsByBlock.remove(move.block());
        if (end == MoveState.VERIFIED) {
            confirmedBytes += move.lengthBytes();
            confirmedMsByTarget.put(move.target(), nowMs);
        }
    }

    /** A turn is over and the next one comes after so long. */
    void rested(long micros) {
        microsByLimit.merge(limit(), micros, Long::sum);
    }

    private Limit limit() {
        boolean mayList =
                planned.size() >= regionsToPlan || listings.canAcquire(AdaptiveThrottle.LISTINGS_PER_SECOND, nowMs);
        if (slotsByBlock.size() >= config.concurrentMoves()) {
            return Limit.CLUSTER_MOVES;
        }
        if (!waiting.isEmpty() && unconfirmedByFile.size() > MoveVerifier.BEHIND_FILES) {
            return Limit.CONFIRMATION;
        }
        if (!waiting.isEmpty() && !bytes.canAcquire(gauge(HealingGauge.BYTES_PER_SECOND), nowMs)) {
            return Limit.CLUSTER_BANDWIDTH;
        }
        if (!mayList) {
            return Limit.LISTINGS;
        }
        if (nowMs - lookedMs >= LOOK_MS) {
            lookedMs = nowMs;
            waitingFor = waitingFor();
        }
        return waitingFor;
    }

    private Limit waitingFor() {
        if (waiting.isEmpty()) {
            return Limit.NOTHING_PLANNED;
        }
        long forSlots = waiting.values().stream()
                .filter(move -> slots(move, move.proxy(attemptsByBlock.getOrDefault(move.block(), 0))).stream()
                        .anyMatch(slot -> takenBySlot.getOrDefault(slot, 0) >= config.concurrentMovesPerDataNode()))
                .count();
        return 2 * forSlots >= waiting.size() ? Limit.DATANODE_SLOTS : Limit.READERS;
    }

    private void release(BlockMove move) {
        List<Slot> slots = slotsByBlock.remove(move.block());
        if (slots != null) {
            slots.forEach(slot -> takenBySlot.merge(slot, -1, Integer::sum));
        }
    }

    private static List<Slot> slots(BlockMove move, DataNode proxy) {
        return List.of(
                new Slot(MoveRole.TARGET, move.target().id()),
                new Slot(MoveRole.PROXY, proxy.id()),
                new Slot(MoveRole.SOURCE, move.source().id()));
    }

    /** What share of the time each limit held, of those that did, the longest first. */
    Map<Limit, Double> shareByLimit() {
        double all = microsByLimit.values().stream().mapToLong(Long::longValue).sum();
        Map<Limit, Double> shares = new LinkedHashMap<>();
        microsByLimit.entrySet().stream()
                .sorted(Map.Entry.<Limit, Long>comparingByValue().reversed())
                .forEach(limit -> shares.put(limit.getKey(), limit.getValue() / all));
        return Collections.unmodifiableMap(shares);
    }

    /** The moves that have ended so. */
    int ended(MoveState end) {
        return endsByState.getOrDefault(end, 0);
    }

    Map<MoveState, Integer> endsByState() {
        return Collections.unmodifiableMap(endsByState);
    }

    /** Bytes that the NameNode has confirmed to be local. */
    long confirmedBytes() {
        return confirmedBytes;
    }

    /** When the last move to each DataNode was confirmed. */
    Map<DataNode, Long> confirmedMsByTarget() {
        return Collections.unmodifiableMap(confirmedMsByTarget);
    }

    long count(HealingCounter counter) {
        return countByCounter.getOrDefault(counter, 0L);
    }

    long gauge(HealingGauge gauge) {
        return valueByGauge.getOrDefault(gauge, 0L);
    }

    @Override
    public void add(HealingCounter counter, long count) {
        countByCounter.merge(counter, count, Long::sum);
    }

    @Override
    public void addSkipped(SkipReason reason, long count) {
        // Nothing is asked about it.
    }

    @Override
    public void set(HealingGauge gauge, long value) {
        valueByGauge.put(gauge, value);
    }
}
