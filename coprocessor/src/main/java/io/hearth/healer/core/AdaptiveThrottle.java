// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.healer.core;

import io.hearth.common.log.RateLimitedLogger;
import io.hearth.healer.config.HealLimitSettings.HealLimitConfig;
import io.hearth.healer.core.HealerServices.DataNodeAllowance;
import io.hearth.healer.core.HealerServices.NameNodeProbe;
import io.hearth.healer.core.HealerServices.NameNodeProbe.Sample;
import io.hearth.healer.core.HealerServices.ReadProbe;
import io.hearth.healer.metrics.HealingMetrics;
import io.hearth.healer.metrics.HealingMetrics.HealingCounter;
import io.hearth.healer.metrics.HealingMetrics.HealingGauge;
import io.hearth.healer.model.DataNode;
import io.hearth.healer.move.MoveExecutor.DataNodeLimits;
import io.hearth.healer.throttle.AimdThrottle;
import io.hearth.healer.throttle.AimdThrottle.ThrottleReason;
import io.hearth.healer.throttle.AimdThrottle.ThrottleState;
import io.hearth.healer.throttle.LatencyBaseline;
import io.hearth.healer.throttle.NameNodeBudget;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;

/**
 * Measures how slow the NameNode and reads are, and sets the rate of moves at each DataNode by {@link AimdThrottle}: a DataNode that is too
 * busy slows itself down alone, all else that is slow slows all of them. A DataNode's limit is what it allows by itself, or what the
 * operator allows where that is less. It measures only while there is work, so that a cluster without remote blocks is asked nothing.
 * Not thread-safe.
 */
final class AdaptiveThrottle {

    private static final long PROBE_INTERVAL_MS = 5_000;

    /** Twenty milliseconds more than usual are no burden to anybody. */
    private static final long SLOWER_MICROS = 20_000;

    /** The part of its budget that is left while the NameNode is slow. */
    private static final double WHILE_SLOW = 0.1;

    /** A DataNode that was not asked for so long is not in use, in milliseconds. */
    private static final long IN_USE_MS = 10_000;

    private final NameNodeProbe nameNodeProbe;
    private final ReadProbe reads;
    private final DataNodeAllowance allowance;
    private final HealingMetrics metrics;
    private final RateLimitedLogger log;
    private final LatencyBaseline nameNode = new LatencyBaseline(SLOWER_MICROS);
    private final LatencyBaseline readers = new LatencyBaseline(SLOWER_MICROS);
    private final NameNodeBudget nameNodeBudget;
    private final Map<DataNode.Id, ThrottleState> stateByNode = new HashMap<>();
    private final Set<DataNode.Id> slowed = new HashSet<>();
    private Set<ThrottleReason> reasons = EnumSet.noneOf(ThrottleReason.class);
    private Set<ThrottleReason> lastReasons = EnumSet.noneOf(ThrottleReason.class);
    private Set<DataNode.Id> busy = Set.of();
    private Optional<Long> lastProbeMs = Optional.empty();
    private HealLimitConfig limits = new HealLimitConfig(0, 0, 0, 0, 1, 1, 1);
    private double share;
    private Function<DataNode, DataNodeLimits> dataNodeLimits = this::limits;
    private long nowMs;

    AdaptiveThrottle(
            NameNodeProbe nameNodeProbe,
            ReadProbe reads,
            DataNodeAllowance allowance,
            NameNodeBudget nameNodeBudget,
            HealingMetrics metrics,
            RateLimitedLogger log) {
        this.nameNodeProbe = nameNodeProbe;
        this.reads = reads;
        this.allowance = allowance;
        this.nameNodeBudget = nameNodeBudget;
        this.metrics = metrics;
        this.log = log;
    }

    /**
     * A turn begins: measures if it is time to.
     *
     * @param pace the share of its limit that each DataNode gets, above 0 and at most 1
     * @param atWork whether moves wait or are under way
     * @param busyNodes the DataNodes that were too busy for a move since the last time
     */
    void tick(HealLimitConfig config, double pace, boolean atWork, Set<DataNode.Id> busyNodes, long now) {
        nowMs = now;
        if (!config.equals(limits) || pace != share) {
            limits = config;
            share = pace;
            dataNodeLimits = this::limits;
        }
        logSlowed();
        if (atWork && nowMs - lastProbeMs.orElse(Long.MIN_VALUE / 2) >= PROBE_INTERVAL_MS) {
            lastProbeMs = Optional.of(nowMs);
            lastReasons = probe();
        }
        boolean isSlow = lastReasons.contains(ThrottleReason.NAMENODE_SLOW);
        nameNodeBudget.set(config.nameNodeShare() * (isSlow ? WHILE_SLOW : 1), config.nameNodeCalls());
        reasons = atWork ? EnumSet.copyOf(lastReasons) : EnumSet.noneOf(ThrottleReason.class);
        busy = busyNodes;
        stateByNode.values().removeIf(state -> nowMs - state.usedMs() > AimdThrottle.FORGET_AFTER_MS);
        metrics.set(HealingGauge.BYTES_PER_SECOND, bytesPerSecondInUse());
        metrics.set(HealingGauge.THROTTLE_REASONS, reasons.size() + (busy.isEmpty() ? 0 : 1));
    }

    /** What each DataNode may be asked now; another function from the turn on in which the operator's limits have changed. */
    Function<DataNode, DataNodeLimits> dataNodeLimits() {
        return dataNodeLimits;
    }

    private DataNodeLimits limits(DataNode node) {
        DataNodeLimits most = allowance.of(node).lowered(limits, share);
        return new DataNodeLimits(most.moves(), rate(node.id(), most.bytesPerSecond()));
    }

    /** A DataNode's rate is looked at when it is asked for: at most once in a turn anything comes of it. */
    private long rate(DataNode.Id node, long most) {
        Set<ThrottleReason> here = reasons;
        if (busy.contains(node)) {
            here = EnumSet.copyOf(reasons);
            here.add(ThrottleReason.DATANODE_BUSY);
        }
        ThrottleState before = stateByNode.getOrDefault(node, ThrottleState.START);
        ThrottleState next = AimdThrottle.next(before, most, here, true, nowMs);
        stateByNode.put(node, next);
        if (next.cutMs() != before.cutMs()) {
            slowed.add(node);
        }
        return next.bytesPerSecond();
    }

    /** Each byte of a move is received by one DataNode and sent by another. */
    private long bytesPerSecondInUse() {
        return stateByNode.values().stream()
                        .filter(state -> nowMs - state.usedMs() <= IN_USE_MS)
                        .mapToLong(ThrottleState::bytesPerSecond)
                        .sum()
                / 2;
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

    /** Of the turn before: DataNodes are slowed down when their rate is asked for. */
    private void logSlowed() {
        if (slowed.isEmpty()) {
            return;
        }
        metrics.add(HealingCounter.THROTTLED, 1);
        String why = reasons.isEmpty() ? Set.of(ThrottleReason.DATANODE_BUSY).toString() : reasons.toString();
        log.warn(
                "throttle",
                "Healing goes at half its rate at " + slowed.size() + (slowed.size() == 1 ? " DataNode" : " DataNodes")
                        + " of " + stateByNode.size() + ", because of " + why + ".",
                nowMs);
        slowed.clear();
    }
}
