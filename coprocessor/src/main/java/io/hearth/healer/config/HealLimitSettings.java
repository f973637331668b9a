// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.healer.config;

import io.hearth.common.config.Setting;
import io.hearth.healer.config.HealingSettings.LiveSettingsReader;
import java.util.List;

/**
 * The keys for how many replica moves go on at a time and how many bytes they take, of each DataNode, rack and the cluster, and for
 * what healing uses of the NameNode. All are live.
 */
public final class HealLimitSettings {

    private static final String PREFIX = "hearth.heal.";
    private static final long MOST_BYTES_PER_SECOND = 1_000_000_000_000L;

    public static final Setting<Long> DATANODE_BANDWIDTH = Setting.bytes(
            PREFIX + "datanode.bandwidth",
            0L,
            0L,
            MOST_BYTES_PER_SECOND,
            "bytes per second",
            "Most bytes of moves that one DataNode receives and sends together. 0: what it allows itself, "
                    + "which is never passed: dfs.datanode.balance.bandwidthPerSec, or what dfsadmin "
                    + "-setBalancerBandwidth told it.");

    public static final Setting<Integer> DATANODE_MOVES = Setting.integer(
            PREFIX + "datanode.moves",
            0,
            0,
            1_000,
            "",
            "Moves at a time in which one DataNode receives or sends. 0: 1, and 1 more for each 256 MB/s of "
                    + "its bandwidth, rounded up. At most half of its dfs.datanode.balance.max.concurrent.moves.");

    public static final Setting<Long> RACK_BANDWIDTH = Setting.bytes(
            PREFIX + "rack.bandwidth",
            0L,
            0L,
            MOST_BYTES_PER_SECOND,
            "bytes per second",
            "Most bytes of moves into a rack from others, and as many out of it. 0: no limit.");

    public static final Setting<Long> CLUSTER_BANDWIDTH = Setting.bytes(
            PREFIX + "cluster.bandwidth",
            0L,
            0L,
            MOST_BYTES_PER_SECOND,
            "bytes per second",
            "Most bytes of moves in the cluster. 0: no limit.");

    public static final Setting<Integer> CLUSTER_MOVES = Setting.integer(
            PREFIX + "cluster.moves",
            1_000,
            1,
            10_000,
            "",
            "Moves at a time in the cluster; a thread of the HMaster waits for each.");

    public static final Setting<Double> NAMENODE_SHARE = Setting.decimal(
            PREFIX + "namenode.share",
            0.02,
            0.0001,
            1.0,
            "",
            "Most of one NameNode handler's time for listing and verification, by how long their calls take.");

    public static final Setting<Integer> NAMENODE_CALLS =
            Setting.integer(PREFIX + "namenode.calls", 500, 1, 100_000, "", "Most of those calls per second.");

    static final List<Setting<?>> ALL = List.of(
            DATANODE_BANDWIDTH,
            DATANODE_MOVES,
            RACK_BANDWIDTH,
            CLUSTER_BANDWIDTH,
            CLUSTER_MOVES,
            NAMENODE_SHARE,
            NAMENODE_CALLS);

    private HealLimitSettings() {}

    static HealLimitConfig read(LiveSettingsReader<HealLimitConfig> reader) {
        return new HealLimitConfig(
                reader.orPrevious(DATANODE_BANDWIDTH, HealLimitConfig::dataNodeBytesPerSecond),
                reader.orPrevious(DATANODE_MOVES, HealLimitConfig::dataNodeMoves),
                reader.orPrevious(RACK_BANDWIDTH, HealLimitConfig::rackBytesPerSecond),
                reader.orPrevious(CLUSTER_BANDWIDTH, HealLimitConfig::clusterBytesPerSecond),
                reader.orPrevious(CLUSTER_MOVES, HealLimitConfig::clusterMoves),
                reader.orPrevious(NAMENODE_SHARE, HealLimitConfig::nameNodeShare),
                reader.orPrevious(NAMENODE_CALLS, HealLimitConfig::nameNodeCalls));
    }

    /**
     * How much is moved at a time. {@link HealLimitSettings} has the keys, defaults and meanings. Immutable.
     *
     * @param dataNodeBytesPerSecond received and sent by one DataNode; 0 for what it allows
     * @param dataNodeMoves in which one DataNode receives or sends; 0 for as many as its bandwidth needs
     * @param rackBytesPerSecond into one rack, and as many out of it; 0 for no limit
     * @param clusterBytesPerSecond 0 for no limit
     * @param nameNodeShare of the time of one handler, above 0 and at most 1
     * @param nameNodeCalls a second
     */
    public record HealLimitConfig(
            long dataNodeBytesPerSecond,
            int dataNodeMoves,
            long rackBytesPerSecond,
            long clusterBytesPerSecond,
            int clusterMoves,
            double nameNodeShare,
            int nameNodeCalls) {

        /** What one stream of a move carries where nothing else limits it, in bytes per second. */
        private static final long ONE_STREAM = 256L << 20;

        /** The moves at a time in which a DataNode of this bandwidth receives or sends. */
        public int movesAtATime(long bytesPerSecond) {
            return dataNodeMoves > 0 ? dataNodeMoves : (int) (1 + (bytesPerSecond + ONE_STREAM - 1) / ONE_STREAM);
        }

        /** The same with this limit of the cluster. */
        public HealLimitConfig withClusterBytesPerSecond(long bytesPerSecond) {
            return new HealLimitConfig(
                    dataNodeBytesPerSecond,
                    dataNodeMoves,
                    rackBytesPerSecond,
                    bytesPerSecond,
                    clusterMoves,
                    nameNodeShare,
                    nameNodeCalls);
        }
    }
}
