// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.healer.core;

import io.hearth.common.config.HumanFormat;
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
import io.hearth.healer.move.MoveExecutor.NodeLimits;
import io.hearth.healer.move.ReplyTimes;
import io.hearth.healer.throttle.AimdThrottle;
import io.hearth.healer.throttle.AimdThrottle.ThrottleReason;
import io.hearth.healer.throttle.AimdThrottle.ThrottleState;
import io.hearth.healer.throttle.HostReadLatency;
import io.hearth.healer.throttle.LatencyBaseline;
import io.hearth.healer.throttle.NameNodeBudget;
import java.util.Collection;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Measures how slow the NameNode and reads are, and sets the rate of moves at each DataNode by {@link AimdThrottle}: a DataNode that is
 * too busy, slower than its rate, or on whose host reads are slow is slowed down alone, all else that is slow slows all of them. A DataNode's limit is what it allows by itself, or what the
 * operator allows where that is less. It measures only while there is work, so that a cluster without remote blocks is asked nothing.
 * Not thread-safe.
 */
final class AdaptiveThrottle {

    private static final long PROBE_INTERVAL_MS = 5_000;

    private static final long READ_INTERVAL_MS = 250;

    /** A NameNode that takes longer than this for one call is told of, in milliseconds. */
    private static final long SLOW_CALL_MS = 10_000;

    /** So many DataNodes are named in one line. */
    private static final int NAMED = 3;

    /** Samples of before so long a rest say nothing of now, in milliseconds. */
    private static final long REST_MS = 30_000;

    /** Twenty milliseconds more than usual are no burden to anybody. */
    private static final long SLOWER_MICROS = 20_000;

    /** The part of its budget that is left while the NameNode is slow. */
    private static final double WHILE_SLOW = 0.1;

    /** In so long the first DataNodes of a heal have said what they allow, in milliseconds. */
    private static final long TIME_TO_SAY_MS = 10_000;

    /** A DataNode that was not asked for so long is not in use, in milliseconds. */
    private static final long IN_USE_MS = 10_000;

    private final NameNodeProbe nameNodeProbe;
    private final ReadProbe reads;
    private final DataNodeAllowance allowance;
    private final HealingMetrics metrics;
    private final RateLimitedLogger log;
    private final LatencyBaseline nameNode = new LatencyBaseline(SLOWER_MICROS);
    private final HostReadLatency hostReads = new HostReadLatency(SLOWER_MICROS);
    private final NameNodeBudget nameNodeBudget;
    private final ReplyTimes replyTimes;
    private final Map<DataNode.Id, NodeRate> rateByNode = new HashMap<>();
    private final Set<DataNode.Id> slowed = new HashSet<>();
    private final Set<DataNode> slowest = new HashSet<>();
    private final SortedSet<String> slowedHosts = new TreeSet<>();
    private Set<ThrottleReason> reasons = EnumSet.noneOf(ThrottleReason.class);
    private Set<ThrottleReason> lastReasons = EnumSet.noneOf(ThrottleReason.class);
    /** Those that were too busy since their rates were last asked for: one that is backed off from is not asked for. */
    private final Set<DataNode.Id> busy = new HashSet<>();

    private final Set<ThrottleReason> slowedBecauseOf = EnumSet.noneOf(ThrottleReason.class);
    private final Set<ThrottleReason> reasonsOfNodes = EnumSet.noneOf(ThrottleReason.class);
    private Optional<Long> lastProbeMs = Optional.empty();
    private long lastReadMs = Long.MIN_VALUE / 2;
    private long lastAtWorkMs = Long.MIN_VALUE / 2;
    /** When the last heal began, or got another limit of DataNodes if that is later. */
    private long limitedSinceMs;

    private boolean isAllowedLessLogged;
    private HealLimitConfig limits = new HealLimitConfig(0, 0, 0, 0, 1, 1, 1);
    private double share;
    private NodeLimits dataNodeLimits = new CurrentLimits();
    private long nowMs;

    /** @param node as it was when its rate was last asked for */
    private record NodeRate(DataNode node, ThrottleState state) {}

    AdaptiveThrottle(
            NameNodeProbe nameNodeProbe,
            ReadProbe reads,
            DataNodeAllowance allowance,
            NameNodeBudget nameNodeBudget,
            ReplyTimes replyTimes,
            HealingMetrics metrics,
            RateLimitedLogger log) {
        this.nameNodeProbe = nameNodeProbe;
        this.reads = reads;
        this.allowance = allowance;
        this.nameNodeBudget = nameNodeBudget;
        this.replyTimes = replyTimes;
        this.metrics = metrics;
        this.log = log;
    }

    /**
     * These limits hold from now on.
     *
     * @param pace the share of its limit that each DataNode gets, above 0 and at most 1
     */
    void setLimits(HealLimitConfig config, double pace, long now) {
        nowMs = now;
        if (config.dataNodeBytesPerSecond() != limits.dataNodeBytesPerSecond()) {
            limitedSinceMs = now;
            isAllowedLessLogged = false;
        }
        if (!config.equals(limits) || pace != share) {
            limits = config;
            share = pace;
            dataNodeLimits = new CurrentLimits();
        }
    }

    /**
     * Measures if it is time to. The limits have been set in this turn.
     *
     * @param atWork whether moves wait or are under way
     * @param busyNodes the DataNodes that were too busy for a move since the last time
     */
    void tick(boolean atWork, Set<DataNode.Id> busyNodes) {
        logSlowed();
        logSlowNameNode();
        if (atWork) {
            measure();
            logAllowedLess();
        }
        boolean isSlow = lastReasons.contains(ThrottleReason.NAMENODE_SLOW);
        nameNodeBudget.set(limits.nameNodeShare() * (isSlow ? WHILE_SLOW : 1), limits.nameNodeCalls());
        reasons = EnumSet.copyOf(lastReasons);
        if (!atWork) {
            // The next plan asks for a rate before the next probe, and the Balancer or Mover of the last one may still
            // run.
            reasons.removeIf(reason -> reason.isMeasured() || nowMs - lastAtWorkMs > REST_MS);
        }
        busy.addAll(busyNodes);
        if (rateByNode.values().removeIf(rate -> nowMs - rate.state().usedMs() > AimdThrottle.FORGET_AFTER_MS)) {
            busy.retainAll(rateByNode.keySet());
        }
        if (!busyNodes.isEmpty()) {
            reasonsOfNodes.add(ThrottleReason.DATANODE_BUSY);
        }
        metrics.set(HealingGauge.BYTES_PER_SECOND, bytesPerSecondInUse());
        metrics.set(HealingGauge.LOWEST_RATE_PERCENT, lowestRatePercent());
        metrics.set(HealingGauge.THROTTLE_REASONS, (atWork ? reasons.size() : 0) + reasonsOfNodes.size());
        reasonsOfNodes.clear();
    }

    /** Regions have come to these hosts or left them since the last poll. */
    void regionsMoved(Collection<String> hosts, long nowMs) {
        hostReads.regionsMoved(hosts, nowMs);
    }

    /** What each DataNode may be asked now; another function from the turn on in which the operator's limits have changed. */
    NodeLimits dataNodeLimits() {
        return dataNodeLimits;
    }

    private final class CurrentLimits implements NodeLimits {

        @Override
        public DataNodeLimits apply(DataNode node) {
            DataNodeLimits most = allowance.of(node).lowered(limits, share);
            return new DataNodeLimits(most.moves(), rate(node, most.bytesPerSecond(), most.moves()));
        }

        @Override
        public int movesAsSource(DataNode node) {
            return allowance.known(node).lowered(limits, share).moves();
        }
    }

    /** The rate that a DataNode would get now, in bytes per second; nothing of it is used, and the DataNode is not in use for it. */
    long bytesPerSecond(DataNode node) {
        NodeRate known = rateByNode.get(node.id());
        return AimdThrottle.rate(
                known == null ? ThrottleState.START : known.state(),
                allowance.of(node).lowered(limits, share).bytesPerSecond(),
                nowMs);
    }

    /** How long a DataNode takes for so many bytes that it receives or sends, from the rate that it has now, in seconds. */
    double seconds(DataNode node, long bytes) {
        NodeRate known = rateByNode.get(node.id());
        return AimdThrottle.seconds(
                known == null ? ThrottleState.START : known.state(),
                reasons.isEmpty(),
                bytes,
                allowance.known(node).lowered(limits, share).bytesPerSecond(),
                nowMs);
    }

    /** A DataNode's rate is looked at when it is asked for: at most once in a turn anything comes of it. */
    private long rate(DataNode node, long most, int moves) {
        Set<ThrottleReason> here = EnumSet.copyOf(reasons);
        if (busy.remove(node.id())) {
            here.add(ThrottleReason.DATANODE_BUSY);
        }
        if (hostReads.isSlow(node.host(), nowMs) || hostReads.isSlow(node.ipAddress(), nowMs)) {
            here.add(ThrottleReason.READS_SLOW);
        }
        NodeRate known = rateByNode.get(node.id());
        ThrottleState before = known == null ? ThrottleState.START : known.state();
        if (known != null && replyTimes.isSlow(node.id(), this::granted, moves, nowMs)) {
            here.add(ThrottleReason.DATANODE_SLOW);
        }
        ThrottleState next = AimdThrottle.next(before, most, here, nowMs);
        if (here.contains(ThrottleReason.DATANODE_SLOW)
                && next.cutMs() != before.cutMs()
                && next.bytesPerSecond() == before.bytesPerSecond()) {
            slowest.add(node);
        }
        rateByNode.put(node.id(), new NodeRate(node, next));
        here.removeAll(reasons);
        reasonsOfNodes.addAll(here);
        if (next.cutMs() != before.cutMs()) {
            slowed.add(node.id());
            slowedHosts.add(node.host());
            slowedBecauseOf.addAll(reasons);
            slowedBecauseOf.addAll(here);
        }
        return next.bytesPerSecond();
    }

    /** The DataNodes that were slow at the lowest rate since the last time. */
    Set<DataNode> takeSlowest() {
        Set<DataNode> taken = Set.copyOf(slowest);
        slowest.clear();
        return taken;
    }

    /** What this DataNode was granted when it was last asked for; one that is not known is no hindrance. */
    private long granted(DataNode.Id node) {
        NodeRate rate = rateByNode.get(node);
        return rate == null ? Long.MAX_VALUE : rate.state().bytesPerSecond();
    }

    /** Each byte of a move is received by one DataNode and sent by another. */
    private long bytesPerSecondInUse() {
        return inUse().mapToLong(rate -> rate.state().bytesPerSecond()).sum() / 2;
    }

    /** Rates that are not used for long are forgotten by then. */
    private long lowestRatePercent() {
        return rateByNode.values().stream()
                .mapToLong(rate -> {
                    long most =
                            allowance.known(rate.node()).lowered(limits, share).bytesPerSecond();
                    return Math.round(100.0 * Math.min(rate.state().bytesPerSecond(), most) / most);
                })
                .min()
                .orElse(0);
    }

    private Stream<NodeRate> inUse() {
        return rateByNode.values().stream().filter(rate -> nowMs - rate.state().usedMs() <= IN_USE_MS);
    }

    private void measure() {
        if (nowMs - lastAtWorkMs > REST_MS) {
            nameNode.startPeriod();
            limitedSinceMs = nowMs;
            lastReasons = EnumSet.noneOf(ThrottleReason.class);
        }
        lastAtWorkMs = nowMs;
        if (nowMs - lastReadMs >= READ_INTERVAL_MS) {
            lastReadMs = nowMs;
            measureReads();
        }
        if (nowMs - lastProbeMs.orElse(Long.MIN_VALUE / 2) >= PROBE_INTERVAL_MS) {
            lastProbeMs = Optional.of(nowMs);
            lastReasons = probe();
        }
    }

    private void measureReads() {
        List<DataNode> touched = inUse().map(NodeRate::node).toList();
        for (ReadProbe.Sample read : reads.takeSamples(touched)) {
            hostReads.add(read.host(), read.micros(), nowMs - read.ageMs());
        }
        hostReads.tick(nowMs);
    }

    /** A NameNode that can't say is left alone by those who ask it for blocks; here it only leaves no sample. */
    private Set<ThrottleReason> probe() {
        Set<ThrottleReason> now = EnumSet.noneOf(ThrottleReason.class);
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
        if (sample.isEmpty()) {
            lastReasons.stream().filter(reason -> !reason.isMeasured()).forEach(now::add);
        }
        logOtherTools(now);
        return now;
    }

    private void logOtherTools(Set<ThrottleReason> now) {
        for (ThrottleReason tool : now) {
            if (!tool.isMeasured() && !lastReasons.contains(tool)) {
                log.warn(
                        tool.name(),
                        (tool == ThrottleReason.HDFS_BALANCER ? "The HDFS Balancer" : "The HDFS Mover")
                                + " runs: until it ends, healing stays at a quarter of each DataNode's limit for block moves.",
                        nowMs);
            }
        }
    }

    /** Once for each value that is set: it only lowers what DataNodes allow by themselves. */
    private void logAllowedLess() {
        long set = limits.dataNodeBytesPerSecond();
        if (set == 0 || isAllowedLessLogged || nowMs - limitedSinceMs < TIME_TO_SAY_MS) {
            return;
        }
        List<DataNode> inUse = inUse().map(NodeRate::node).toList();
        List<String> hosts = inUse.stream()
                .filter(node -> allowance.hasSaid(node) && allowance.known(node).bytesPerSecond() < set)
                .map(DataNode::host)
                .sorted()
                .toList();
        if (hosts.isEmpty()) {
            return;
        }
        isAllowedLessLogged = true;
        log.warn(
                "allowed less",
                "hearth.heal.datanode.bandwidth is " + HumanFormat.bytes(set) + "/s, and " + hosts.size() + " of "
                        + inUse.size() + " DataNodes in use (" + named(hosts)
                        + ") allow less for block moves: what they allow is used. hdfs dfsadmin -setBalancerBandwidth"
                        + " raises it.",
                nowMs);
    }

    private static String named(Collection<String> hosts) {
        return hosts.stream().limit(NAMED).collect(Collectors.joining(", ")) + (hosts.size() > NAMED ? ", ..." : "");
    }

    private void logSlowNameNode() {
        long longestMs = nameNodeBudget.takeLongestMs();
        if (longestMs >= SLOW_CALL_MS) {
            log.warn(
                    "slow NameNode",
                    "The NameNode took " + longestMs / 1_000
                            + " s for one call: plans and confirmations of moves come as late. Nothing is lost.",
                    nowMs);
        }
    }

    /** Of the turn before: DataNodes are slowed down when their rate is asked for. */
    private void logSlowed() {
        if (slowed.isEmpty()) {
            return;
        }
        metrics.add(HealingCounter.THROTTLED, 1);
        log.warn(
                "throttle",
                "Healing goes at half its rate at " + slowed.size() + (slowed.size() == 1 ? " DataNode" : " DataNodes")
                        + " of " + rateByNode.size() + " ("
                        + named(slowedHosts) + "), because of " + slowedBecauseOf + ".",
                nowMs);
        slowed.clear();
        slowedHosts.clear();
        slowedBecauseOf.clear();
    }
}
