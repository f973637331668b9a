// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.healer.core;

import io.hearth.common.log.RateLimitedLogger;
import io.hearth.healer.core.HealerServices.NameNodeProbe;
import io.hearth.healer.core.HealerServices.NameNodeProbe.Sample;
import io.hearth.healer.core.HealerServices.ReadProbe;
import io.hearth.healer.metrics.HealingMetrics;
import io.hearth.healer.metrics.HealingMetrics.HealingCounter;
import io.hearth.healer.metrics.HealingMetrics.HealingGauge;
import io.hearth.healer.move.TokenBucket;
import io.hearth.healer.throttle.AimdThrottle;
import io.hearth.healer.throttle.AimdThrottle.ThrottleReason;
import io.hearth.healer.throttle.AimdThrottle.ThrottleState;
import io.hearth.healer.throttle.LatencyBaseline;
import java.util.EnumSet;
import java.util.Optional;
import java.util.Set;

/**
 * Measures how slow the NameNode and reads are, and sets the rate of moves by {@link AimdThrottle}. It measures only while there is work,
 * so that a cluster without remote blocks is asked nothing. Not thread-safe.
 */
public final class AdaptiveThrottle {

    private static final long PROBE_INTERVAL_MS = 5_000;

    /** Twenty milliseconds more than usual are no burden to anybody. */
    private static final long SLOWER_MICROS = 20_000;

    /** As many calls as the verifier makes, where a region has one folder. */
    public static final int LISTINGS_PER_SECOND = 50;

    private static final int LISTINGS_WHILE_SLOW = LISTINGS_PER_SECOND / 10;

    private final NameNodeProbe nameNodeProbe;
    private final ReadProbe reads;
    private final HealingMetrics metrics;
    private final RateLimitedLogger log;
    private final LatencyBaseline nameNode = new LatencyBaseline(SLOWER_MICROS);
    private final LatencyBaseline readers = new LatencyBaseline(SLOWER_MICROS);
    private final TokenBucket listings = new TokenBucket();
    private ThrottleState state = ThrottleState.START;
    private Set<ThrottleReason> lastReasons = EnumSet.noneOf(ThrottleReason.class);
    private Optional<Long> lastProbeMs = Optional.empty();

    AdaptiveThrottle(NameNodeProbe nameNodeProbe, ReadProbe reads, HealingMetrics metrics, RateLimitedLogger log) {
        this.nameNodeProbe = nameNodeProbe;
        this.reads = reads;
        this.metrics = metrics;
        this.log = log;
    }

    /**
     * The rate that holds now.
     *
     * @param limitBytesPerSecond the operator's; 0 for none
     * @param atWork whether moves wait or are under way
     * @param rejections how often DataNodes were too busy since the last time
     */
    long bytesPerSecond(long limitBytesPerSecond, boolean atWork, int rejections, long nowMs) {
        if (atWork && nowMs - lastProbeMs.orElse(Long.MIN_VALUE / 2) >= PROBE_INTERVAL_MS) {
            lastProbeMs = Optional.of(nowMs);
            lastReasons = probe();
        }
        Set<ThrottleReason> reasons = EnumSet.noneOf(ThrottleReason.class);
        if (atWork) {
            reasons.addAll(lastReasons);
        }
        if (rejections > 0) {
            reasons.add(ThrottleReason.DATANODE_BUSY);
        }
        ThrottleState next = AimdThrottle.next(state, limitBytesPerSecond, reasons, atWork, nowMs);
        if (next.cutMs() != state.cutMs()) {
            halved(state.bytesPerSecond(), next.bytesPerSecond(), reasons, nowMs);
        }
        state = next;
        metrics.set(HealingGauge.BYTES_PER_SECOND, state.bytesPerSecond());
        metrics.set(HealingGauge.THROTTLE_REASONS, reasons.size());
        return state.bytesPerSecond();
    }

    /** Whether the next region may be listed: so many a second, and a tenth of that while the NameNode is slow. */
    boolean mayList(long nowMs) {
        boolean isSlow = lastReasons.contains(ThrottleReason.NAMENODE_SLOW);
        return listings.tryAcquire(1, isSlow ? LISTINGS_WHILE_SLOW : LISTINGS_PER_SECOND, nowMs);
    }

    /** A NameNode that can't say is left alone by those who ask it for blocks; here it only leaves no sample. */
    private Set<ThrottleReason> probe() {
        Set<ThrottleReason> now = EnumSet.noneOf(ThrottleReason.class);
        reads.takeLatenciesMicros().forEach(readers::add);
        if (readers.isSlow()) {
            now.add(ThrottleReason.READS_SLOW);
        }
        Optional<Sample> sample = nameNodeProbe.probe().ifKnown();
        sample.ifPresent(known -> nameNode.add(known.micros()));
        if (nameNode.isSlow()) {
            now.add(ThrottleReason.NAMENODE_SLOW);
        }
        if (sample.filter(Sample::balancerRuns).isPresent()) {
            now.add(ThrottleReason.HDFS_BALANCER);
        }
        if (sample.filter(Sample::moverRuns).isPresent()) {
            now.add(ThrottleReason.HDFS_MOVER);
        }
        return now;
    }

    private void halved(long before, long after, Set<ThrottleReason> reasons, long nowMs) {
        metrics.add(HealingCounter.THROTTLED, 1);
        log.warn(
                "throttle",
                "Healing goes slower, " + after + " bytes per second after " + before + ", because of " + reasons + ".",
                nowMs);
    }
}
