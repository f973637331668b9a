// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.bench.heal;

import io.hearth.common.model.EncodedRegionName;
import io.hearth.healer.core.HealerState.HealListener;
import io.hearth.healer.metrics.HealLimit;
import io.hearth.healer.metrics.HealingMetrics;
import io.hearth.healer.model.BlockMove;
import io.hearth.healer.model.DataNode;
import io.hearth.healer.model.ServedRegion;
import io.hearth.healer.model.SkipReason;
import io.hearth.healer.move.TrackedMove.MoveState;
import io.hearth.healer.plan.MovePlan;
import java.util.Collections;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * What a healing loop says of itself: what it planned, finished and counted, and what kept the next move from starting. After each
 * turn all has started that may, so that the time until the next one is put down to the limit that holds then. Not thread-safe.
 */
final class HealObserver implements HealListener, HealingMetrics {

    private final Map<HealingCounter, Long> countByCounter = new EnumMap<>(HealingCounter.class);
    private final Map<HealingGauge, Long> valueByGauge = new EnumMap<>(HealingGauge.class);
    private final Map<HealLimit, Long> microsByLimit = new EnumMap<>(HealLimit.class);
    private final Map<DataNode, Long> confirmedMsByTarget = new HashMap<>();
    private final Map<MoveState, Integer> endsByState = new EnumMap<>(MoveState.class);
    private final Map<EncodedRegionName, List<BlockMove>> advisedByRegion = new HashMap<>();
    private long nowMs;
    private long confirmedBytes;

    /** A turn begins. */
    void turn(long atMs) {
        nowMs = atMs;
    }

    @Override
    public void planned(ServedRegion region, MovePlan plan, List<BlockMove> taken) {
        if (taken.isEmpty()) {
            advisedByRegion.put(region.region(), plan.moves());
        }
    }

    /** The moves that were planned and not taken up, by region. */
    Map<EncodedRegionName, List<BlockMove>> advisedByRegion() {
        return Collections.unmodifiableMap(advisedByRegion);
    }

    @Override
    public void ended(BlockMove move, MoveState end) {
        endsByState.merge(end, 1, Integer::sum);
        if (end == MoveState.VERIFIED) {
            confirmedBytes += move.lengthBytes();
            confirmedMsByTarget.put(move.target(), nowMs);
        }
    }

    /** A turn is over and the next one comes after so long. */
    void rested(long micros) {
        microsByLimit.merge(HealLimit.values()[(int) gauge(HealingGauge.LIMITED_BY)], micros, Long::sum);
    }

    /** What share of the time each limit held, of those that did, the longest first. */
    Map<HealLimit, Double> shareByLimit() {
        double all = microsByLimit.values().stream().mapToLong(Long::longValue).sum();
        Map<HealLimit, Double> shares = new LinkedHashMap<>();
        microsByLimit.entrySet().stream()
                .sorted(Map.Entry.<HealLimit, Long>comparingByValue().reversed())
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
