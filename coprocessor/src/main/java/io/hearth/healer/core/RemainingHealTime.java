// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.healer.core;

import io.hearth.healer.estimate.HealEstimator;
import io.hearth.healer.metrics.HealLimit;
import io.hearth.healer.metrics.HealingMetrics;
import io.hearth.healer.metrics.HealingMetrics.HealingGauge;
import io.hearth.healer.model.DataNode;
import io.hearth.healer.model.DataNodes;
import io.hearth.healer.queue.HealQueue;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * Says every few seconds how long it takes until the regions of the queue are healed, by what their servers report and at the rates that
 * DataNodes have now; page, command line and metrics show it. Not thread-safe.
 */
final class RemainingHealTime {

    private static final long EVERY_MS = 5_000;
    private static final double MS_PER_SECOND = 1e3;

    /** While one of these holds most moves back there is no estimate: the bytes that are left do not say how long that takes. */
    private static final Set<HealLimit> NOT_ESTIMATED =
            EnumSet.of(HealLimit.HELD, HealLimit.RACK_BANDWIDTH, HealLimit.READERS, HealLimit.NAMENODE_BUDGET);

    private final HealQueue queue;
    private final DataNodeTracker dataNodes;
    private final AdaptiveThrottle throttle;
    private final double confirmSeconds;
    private final HealingMetrics metrics;
    private long lastMs = Long.MIN_VALUE / 2;

    /** @param confirmSeconds how long after its copy a move is confirmed */
    RemainingHealTime(
            HealQueue queue,
            DataNodeTracker dataNodes,
            AdaptiveThrottle throttle,
            double confirmSeconds,
            HealingMetrics metrics) {
        this.queue = queue;
        this.dataNodes = dataNodes;
        this.throttle = throttle;
        this.confirmSeconds = confirmSeconds;
        this.metrics = metrics;
    }

    /**
     * The moves of a turn have started.
     *
     * @param goesOn whether moves may start, and as many at a time as the limits allow; while they may not there is no estimate
     * @param limit what holds moves back now
     * @param clusterBytesPerSecond the limit of the cluster that holds now; 0 for none
     */
    void tick(boolean goesOn, HealLimit limit, long clusterBytesPerSecond, long nowMs) {
        if (nowMs - lastMs >= EVERY_MS) {
            lastMs = nowMs;
            boolean isKnown = goesOn && !NOT_ESTIMATED.contains(limit);
            metrics.set(HealingGauge.ESTIMATED_HEAL_MS, isKnown ? ms(clusterBytesPerSecond) : 0);
        }
    }

    private long ms(long clusterBytesPerSecond) {
        Optional<DataNodes> known = dataNodes.last();
        Map<DataNode, Long> bytesByTarget = new HashMap<>();
        known.ifPresent(nodes -> queue.remoteBytesByHost().forEach((host, bytes) -> nodes.on(host).stream()
                .findFirst()
                .ifPresent(target -> bytesByTarget.merge(target, bytes, Long::sum))));
        return bytesByTarget.isEmpty()
                ? 0
                : Math.round(MS_PER_SECOND
                        * HealEstimator.remainingSeconds(
                                bytesByTarget,
                                known.orElseThrow().byId().values(),
                                throttle::seconds,
                                clusterBytesPerSecond,
                                confirmSeconds));
    }
}
