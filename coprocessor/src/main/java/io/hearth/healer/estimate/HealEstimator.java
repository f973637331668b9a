// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.healer.estimate;

import io.hearth.healer.config.HealLimitSettings.HealLimitConfig;
import io.hearth.healer.estimate.HealEstimate.DataNodeTime;
import io.hearth.healer.metrics.HealLimit;
import io.hearth.healer.model.BlockMove;
import io.hearth.healer.model.DataNode;
import io.hearth.healer.move.MoveExecutor.DataNodeLimits;
import io.hearth.healer.throttle.AimdThrottle;
import java.util.Collection;
import java.util.Comparator;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;

/**
 * Says how long given moves take under given limits. Pure.
 *
 * <p><b>Goals.</b> Within a quarter of the time that the healing loop needs, where DataNodes and NameNode do what they say and nothing
 * else slows healing down: {@code bench heal} prints both side by side.
 *
 * <p><b>Constraints.</b> The limits are those of the loop: of each DataNode in and out together, with the slow start of
 * {@link AimdThrottle}; of its moves at a time; of racks, the cluster and the NameNode. What nobody tells the healer it does not count:
 * an uplink or a disk that is slower than these.
 *
 * <p><b>Algorithm.</b> Each target receives what is planned for it. A block is copied from the first of its proxies that has less to do
 * than the target, else from the one that has least: so does the loop, which takes the first proxy that is free. The longest of these times
 * holds the heal back: that of the busiest DataNode, of the rack with the most bytes that no copy within it can bring, and so on. A file is asked about once a second until its last old replica is
 * gone, with all others by one call a second where that takes so many; where the NameNode's budget does not suffice for that,
 * {@value #ASKED_WHILE_SHORT} times as often, as was measured. The last move is confirmed {@link #confirmSeconds} after its copy.
 *
 * <p><b>Example.</b> 300 blocks of 128 MiB for one new DataNode of 100 MiB/s: 384 s of bytes, 3.2 s for the slow start, 6.5 s to confirm.
 */
public final class HealEstimator {

    /** The question that finds the old replica gone comes once a second. */
    private static final double UNTIL_ASKED_SECONDS = 0.5;

    /** The questions about a file of one block: until its old replica is gone one comes each second. */
    private static final double ASKED_OF_ONE_BLOCK = 4;

    private static final double ASKED_WHILE_SHORT = 0.7;

    /** How often a region is listed in a call of its own where there is time for it, as was measured. */
    private static final double LISTED_ALONE = 1.6;

    /** For DataNodes and for how quick the NameNode is. */
    private static final double OTHER_CALLS_PER_SECOND = 0.3;

    /** From one move's end to the start of the next in its place: an answer, a turn of the loop and a connection. */
    private static final double BETWEEN_MOVES_SECONDS = 0.03;

    /** What one copy carries at most, in bytes per second. */
    private static final double ONE_COPY = 256 << 20;

    private static final Set<HealLimit> NOT_OF_DATANODES =
            EnumSet.of(HealLimit.RACK_BANDWIDTH, HealLimit.CLUSTER_BANDWIDTH, HealLimit.CLUSTER_MOVES);

    private static final double MICROS_PER_SECOND = 1e6;
    private static final double MICROS_PER_MS = 1e3;

    private final HealLimitConfig limits;
    private final Function<DataNode, DataNodeLimits> allowance;
    private final double confirmSeconds;
    private final double startShare;

    /**
     * For a healer that starts at all DataNodes as slowly as it does after a rest.
     *
     * @param allowance what each DataNode allows by itself
     * @param confirmSeconds see {@link #confirmSeconds}
     */
    public HealEstimator(HealLimitConfig limits, Function<DataNode, DataNodeLimits> allowance, double confirmSeconds) {
        this(limits, allowance, confirmSeconds, 0);
    }

    private HealEstimator(
            HealLimitConfig limits,
            Function<DataNode, DataNodeLimits> allowance,
            double confirmSeconds,
            double startShare) {
        this.limits = limits;
        this.allowance = allowance;
        this.confirmSeconds = confirmSeconds;
        this.startShare = startShare;
    }

    /**
     * The same for a healer that starts at this share of each DataNode's limit, since it has healed just before.
     *
     * @param share 0 to 1; what is below the share of a slow start changes nothing
     */
    public HealEstimator startingAt(double share) {
        return new HealEstimator(limits, allowance, confirmSeconds, share);
    }

    /**
     * How long after its copy a move is confirmed, in seconds: the NameNode chooses the replica to delete when it next works on redundancy,
     * its DataNode hears of it with a heartbeat, deletes it, and says so with the next one. Half an interval each, and as long again for the
     * last of several moves, which measures agree with: 5.5 s at heartbeats of 3 s with redundancy looked at each second.
     *
     * @param heartbeatSeconds {@code dfs.heartbeat.interval}
     * @param redundancySeconds {@code dfs.namenode.redundancy.interval.seconds}
     */
    public static double confirmSeconds(double heartbeatSeconds, double redundancySeconds) {
        return redundancySeconds / 2 + 1.5 * heartbeatSeconds + UNTIL_ASKED_SECONDS;
    }

    /**
     * What a dry run has shown of the NameNode. Immutable.
     *
     * @param listingCalls the calls that list each region once
     * @param microsPerCall how long one call takes
     * @param regions the regions that were listed
     * @param filesPerCall about how many files one call can ask, at least 1
     */
    public record NameNodeCost(double listingCalls, double microsPerCall, int regions, int filesPerCall) {

        /**
         * By what a dry run has used, which may have listed regions several times.
         *
         * @param calls what it made in all
         * @param micros what they took in all
         * @param listed how often it has listed a region
         */
        public static NameNodeCost of(long calls, long micros, long listed, int regions, int filesPerCall) {
            return new NameNodeCost(
                    listed == 0 ? 0 : (double) calls / listed * regions,
                    calls == 0 ? 0 : (double) micros / calls,
                    regions,
                    filesPerCall);
        }

        /**
         * The calls for so many questions about files.
         *
         * @param seconds in each of which files are asked about while there are questions; few regions are listed together then,
         *     since they become due one by one
         */
        private double calls(double questions, double seconds) {
            if (filesPerCall == 1) {
                return listingCalls + questions;
            }
            double listing = Math.max(listingCalls, Math.min(LISTED_ALONE * regions, listingCalls + seconds));
            double asking = Math.max(Math.min(seconds, questions), questions / filesPerCall);
            return listing + asking + OTHER_CALLS_PER_SECOND * seconds;
        }
    }

    /** The estimate for these moves, each block once. */
    public HealEstimate estimate(Collection<BlockMove> moves, NameNodeCost nameNode) {
        Loads loads = new Loads();
        moves.forEach(loads::receive);
        moves.forEach(loads::send);
        Map<HealLimit, Double> secondsByLimit = loads.secondsByLimit();
        double others = secondsByLimit.values().stream()
                .mapToDouble(Double::doubleValue)
                .max()
                .orElse(0);
        double shared = NOT_OF_DATANODES.stream()
                .mapToDouble(limit -> secondsByLimit.getOrDefault(limit, 0.0))
                .max()
                .orElse(0);
        double fewest = nameNode.calls(loads.questions(ASKED_WHILE_SHORT, shared), 0);
        double calls = Math.min(
                nameNode.calls(loads.questions(1, shared), moves.isEmpty() ? 0 : others + confirmSeconds),
                Math.max(fewest, others / secondsOfCalls(1, nameNode.microsPerCall())));
        if (!moves.isEmpty()) {
            secondsByLimit.put(HealLimit.NAMENODE_BUDGET, secondsOfCalls(calls, nameNode.microsPerCall()));
        }
        Map.Entry<HealLimit, Double> longest = secondsByLimit.entrySet().stream()
                .max(Map.Entry.<HealLimit, Double>comparingByValue()
                        .thenComparing(Map.Entry.comparingByKey(Comparator.reverseOrder())))
                .orElse(Map.entry(HealLimit.NOTHING_WAITS, 0.0));
        return new HealEstimate(
                loads.bytes,
                moves.size(),
                Math.round(calls),
                Math.round(calls * nameNode.microsPerCall() / MICROS_PER_MS),
                moves.isEmpty() ? 0 : longest.getValue() + confirmSeconds,
                longest.getKey(),
                loads.dataNodes());
    }

    /** How long one DataNode takes for so many bytes that it receives or sends, in seconds. */
    @FunctionalInterface
    public interface TransferSeconds {
        double of(DataNode node, long bytes);
    }

    /**
     * How long the rest of a heal takes, of which only the bytes are known that DataNodes are to receive, in seconds: the longest of what
     * the busiest of them needs for its own, what all need to receive and to send, and what the limit of the cluster takes; then the last
     * confirmation. Racks, open readers and the NameNode's budget are left out.
     *
     * @param bytesByTarget none is empty; what is sent for them comes from all DataNodes alike
     * @param dataNodes all of the cluster, at least one
     * @param clusterBytesPerSecond 0 for no limit
     * @param confirmSeconds see {@link #confirmSeconds}
     */
    public static double remainingSeconds(
            Map<DataNode, Long> bytesByTarget,
            Collection<DataNode> dataNodes,
            TransferSeconds transfer,
            long clusterBytesPerSecond,
            double confirmSeconds) {
        long bytes = bytesByTarget.values().stream().mapToLong(Long::longValue).sum();
        double busiest = bytesByTarget.entrySet().stream()
                .mapToDouble(target -> transfer.of(target.getKey(), target.getValue()))
                .max()
                .orElse(0);
        long ofEach = 2 * bytes / dataNodes.size();
        double all = dataNodes.stream()
                .mapToDouble(node -> transfer.of(node, ofEach))
                .average()
                .orElse(0);
        double cluster = clusterBytesPerSecond == 0 ? 0 : (double) bytes / clusterBytesPerSecond;
        return Math.max(Math.max(busiest, all), cluster) + confirmSeconds;
    }

    /** How long the NameNode's budget makes so many calls take. */
    private double secondsOfCalls(double calls, double microsPerCall) {
        return Math.max(
                calls * microsPerCall / (limits.nameNodeShare() * MICROS_PER_SECOND), calls / limits.nameNodeCalls());
    }

    /** What each DataNode, rack and file has of the moves; scratch of one estimate. */
    private final class Loads {

        private final Map<DataNode.Id, NodeLoad> byNode = new HashMap<>();
        private final Map<String, RackLoad> byRack = new HashMap<>();
        private final Map<String, FileLoad> byFile = new HashMap<>();
        private long bytes;
        private double copySeconds;

        void receive(BlockMove move) {
            NodeLoad target = of(move.target());
            target.bytesIn += move.lengthBytes();
            target.moves++;
            bytes += move.lengthBytes();
            copySeconds += target.copySeconds(move.lengthBytes());
            FileLoad file = byFile.computeIfAbsent(move.filePath(), path -> new FileLoad(target));
            file.bytes += move.lengthBytes();
            file.blocks++;
        }

        /** From a proxy that is known once all targets have what they receive. */
        void send(BlockMove move) {
            NodeLoad proxy = proxy(move);
            proxy.bytesOut += move.lengthBytes();
            proxy.moves++;
            if (move.proxies().stream()
                    .noneMatch(one -> one.rack().equals(move.target().rack()))) {
                rack(move.target()).bytesIn += move.lengthBytes();
                rack(proxy.node).bytesOut += move.lengthBytes();
            }
        }

        private NodeLoad proxy(BlockMove move) {
            double atTarget = of(move.target()).seconds();
            NodeLoad least = of(move.proxy(0));
            for (DataNode proxy : move.proxies()) {
                NodeLoad load = of(proxy);
                if (load.seconds() < atTarget) {
                    return load;
                }
                least = load.seconds() < least.seconds() ? load : least;
            }
            return least;
        }

        Map<HealLimit, Double> secondsByLimit() {
            Map<HealLimit, Double> seconds = new EnumMap<>(HealLimit.class);
            for (NodeLoad load : byNode.values()) {
                seconds.merge(HealLimit.DATANODE_BANDWIDTH, load.bandwidthSeconds(), Math::max);
                seconds.merge(HealLimit.DATANODE_MOVES, load.moveSeconds(), Math::max);
            }
            if (limits.rackBytesPerSecond() > 0) {
                byRack.values()
                        .forEach(load -> seconds.merge(
                                HealLimit.RACK_BANDWIDTH,
                                (double) load.most() / limits.rackBytesPerSecond(),
                                Math::max));
            }
            if (bytes > 0 && limits.clusterBytesPerSecond() > 0) {
                seconds.put(HealLimit.CLUSTER_BANDWIDTH, (double) bytes / limits.clusterBytesPerSecond());
            }
            if (bytes > 0) {
                seconds.put(HealLimit.CLUSTER_MOVES, copySeconds / limits.clusterMoves());
            }
            return seconds;
        }

        /**
         * The questions how moves ended.
         *
         * @param share of those that are asked where the NameNode's budget suffices
         * @param sharedSeconds what racks and cluster make all of it take
         */
        double questions(double share, double sharedSeconds) {
            double questions = 0;
            for (FileLoad file : byFile.values()) {
                questions += 1 + share * (file.questions(sharedSeconds / bytes) - 1);
            }
            return questions;
        }

        List<DataNodeTime> dataNodes() {
            return byNode.values().stream()
                    .filter(load -> load.bytesIn + load.bytesOut > 0)
                    .map(load -> new DataNodeTime(
                            load.node, load.bytesIn, load.bytesOut, load.limits.bytesPerSecond(), load.seconds()))
                    .sorted(Comparator.comparingDouble(DataNodeTime::seconds)
                            .reversed()
                            .thenComparing(DataNodeTime::node))
                    .toList();
        }

        private NodeLoad of(DataNode node) {
            return byNode.computeIfAbsent(
                    node.id(), id -> new NodeLoad(node, allowance.apply(node).lowered(limits, 1), startShare));
        }

        private RackLoad rack(DataNode node) {
            return byRack.computeIfAbsent(node.rack(), rack -> new RackLoad());
        }
    }

    private static final class NodeLoad {

        private final DataNode node;
        private final DataNodeLimits limits;
        private final double startShare;
        private long bytesIn;
        private long bytesOut;
        private int moves;

        NodeLoad(DataNode node, DataNodeLimits limits, double startShare) {
            this.node = node;
            this.limits = limits;
            this.startShare = startShare;
        }

        double seconds() {
            return Math.max(bandwidthSeconds(), moveSeconds());
        }

        double bandwidthSeconds() {
            return AimdThrottle.secondsFrom(startShare, bytesIn + bytesOut, limits.bytesPerSecond());
        }

        double moveSeconds() {
            return (moves * BETWEEN_MOVES_SECONDS + (bytesIn + bytesOut) / ONE_COPY) / limits.moves();
        }

        /** How long a copy of so many bytes to this DataNode holds its place in the cluster, where those are few. */
        double copySeconds(long length) {
            return BETWEEN_MOVES_SECONDS + length / Math.min(ONE_COPY, (double) limits.bytesPerSecond());
        }
    }

    /** What can't be copied within one rack. */
    private static final class RackLoad {

        private long bytesIn;
        private long bytesOut;

        long most() {
            return Math.max(bytesIn, bytesOut);
        }
    }

    private static final class FileLoad {

        private final NodeLoad target;
        private long bytes;
        private int blocks;

        FileLoad(NodeLoad target) {
            this.target = target;
        }

        /**
         * One a second while its blocks come one after the other, then until the last old replica is gone.
         *
         * @param sharedSecondsPerByte that a byte takes where racks or cluster hold the heal back
         */
        double questions(double sharedSecondsPerByte) {
            long behindTheFirst = bytes - bytes / blocks;
            double perByte = target.bytesIn == 0 ? 0 : target.seconds() / target.bytesIn;
            return ASKED_OF_ONE_BLOCK + behindTheFirst * Math.max(perByte, sharedSecondsPerByte);
        }
    }
}
