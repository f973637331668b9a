package io.hearth.healing.config;

import io.hearth.balancer.config.ConfigProblem;
import io.hearth.balancer.config.RawSettings;
import io.hearth.balancer.config.Setting;
import io.hearth.balancer.config.UnknownKeys;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/** Every {@code hearth.heal.} key, and their reading. All of them are live: {@code update_config} reads them again. */
public final class HealingSettings {

    private static final String PREFIX = "hearth.heal.";

    public static final Setting<Boolean> ENABLED = Setting.bool(
            PREFIX + "enabled",
            true,
            "Whether replicas are moved. Turned off, no further move starts; those under way are followed to their end. A"
                    + " value that can't be read counts as false.");

    public static final Setting<Double> THRESHOLD = Setting.decimal(
            PREFIX + "threshold",
            1.0,
            0.0,
            1.0,
            "",
            "The reported locality (local bytes per byte) below which a region's blocks are looked at. At 1 a single block"
                    + " that is not local is enough; lower it to leave regions with a small remote rest alone.");

    public static final Setting<Long> POLL_MS = Setting.millis(
            PREFIX + "poll.ms",
            10_000L,
            1_000L,
            3_600_000L,
            "How often assignments and reported locality are looked at. The master's hooks make a look come earlier. What is"
                    + " left of a region is first looked at again after as long, or after 10 seconds if that is less.");

    public static final Setting<Long> SETTLE_MS = Setting.millis(
            PREFIX + "settle.ms",
            30_000L,
            0L,
            3_600_000L,
            "How long a region must have been with the same server before its blocks are moved there, so that a region"
                    + " that moves on at once costs nothing.");

    public static final Setting<Integer> CONCURRENT_MOVES = Setting.integer(
            PREFIX + "concurrent.moves", 32, 1, 10_000, "", "Replica moves at a time in the whole cluster.");

    public static final Setting<Integer> CONCURRENT_MOVES_PER_DATANODE = Setting.integer(
            PREFIX + "concurrent.moves.per.datanode",
            4,
            1,
            1_000,
            "",
            "Replica moves at a time in which one DataNode is the target, as many in which it is copied from, and as many in"
                    + " which it gives its replica up. Keep twice this below dfs.datanode.balance.max.concurrent.moves, which"
                    + " the HDFS Balancer and Mover share.");

    public static final Setting<Long> BANDWIDTH = Setting.bytes(
            PREFIX + "bandwidth",
            268_435_456L,
            0L,
            1_000_000_000_000L,
            "bytes per second",
            "The most bytes of replicas whose moves are started per second in the whole cluster; 0 for no limit. Healing"
                    + " starts at a quarter of it, grows by a tenth of it each second, and halves under pressure: busy"
                    + " DataNodes, a slow NameNode, slow reads, a running HDFS Balancer or Mover. Each DataNode has a"
                    + " limit of its own besides, dfs.datanode.balance.bandwidthPerSec.");

    public static final Setting<Long> MOVE_TIMEOUT_MS = Setting.millis(
            PREFIX + "move.timeout.ms",
            120_000L,
            1_000L,
            3_600_000L,
            "How long to wait for a DataNode's answer to a move. A move that takes longer is not given up: the NameNode is"
                    + " asked how it ended.");

    public static final Setting<Long> VERIFY_TIMEOUT_MS = Setting.millis(
            PREFIX + "verify.timeout.ms",
            120_000L,
            1_000L,
            3_600_000L,
            "How long the NameNode has to confirm a move before it is counted as inconclusive and its blocks are looked at"
                    + " afresh. HDFS deletes the old replica within about 15 seconds by default.");

    /** Every key, in the order of the documentation. */
    public static final List<Setting<?>> ALL = Stream.<List<? extends Setting<?>>>of(
                    List.of(
                            ENABLED,
                            THRESHOLD,
                            POLL_MS,
                            SETTLE_MS,
                            CONCURRENT_MOVES,
                            CONCURRENT_MOVES_PER_DATANODE,
                            BANDWIDTH,
                            MOVE_TIMEOUT_MS,
                            VERIFY_TIMEOUT_MS),
                    ConductSettings.ALL)
            .<Setting<?>>flatMap(List::stream)
            .toList();

    /** A configuration, and what could not be used in it. Immutable. */
    public record Reading(HealingConfig config, List<ConfigProblem> problems) {

        public Reading {
            problems = List.copyOf(problems);
        }
    }

    private HealingSettings() {}

    /**
     * Reads every key for the first time; what can't be used is a problem and its default holds.
     *
     * @param where the name of the configuration in messages
     */
    public static Reading read(String where, RawSettings raw) {
        return read(where, raw, Optional.empty());
    }

    /** Reads every key again; what can't be used is a problem and what was read before still holds. */
    public static Reading readAgain(String where, RawSettings raw, HealingConfig before) {
        return read(where, raw, Optional.of(before));
    }

    private static Reading read(String where, RawSettings raw, Optional<HealingConfig> before) {
        CarefulReader<HealingConfig> reader = new CarefulReader<>(where, raw, before);
        HealingConfig config = new HealingConfig(
                reader.cautious(ENABLED, false),
                reader.live(THRESHOLD, HealingConfig::threshold),
                reader.live(POLL_MS, HealingConfig::pollMs),
                reader.live(SETTLE_MS, HealingConfig::settleMs),
                reader.live(CONCURRENT_MOVES, HealingConfig::concurrentMoves),
                reader.live(CONCURRENT_MOVES_PER_DATANODE, HealingConfig::concurrentMovesPerDataNode),
                reader.live(BANDWIDTH, HealingConfig::bytesPerSecond),
                reader.live(MOVE_TIMEOUT_MS, HealingConfig::moveTimeoutMs),
                reader.live(VERIFY_TIMEOUT_MS, HealingConfig::verifyTimeoutMs),
                ConductSettings.read(reader.of(HealingConfig::conduct), raw));
        List<ConfigProblem> problems = new ArrayList<>(reader.problems());
        List<String> keys = ALL.stream().map(Setting::key).toList();
        problems.addAll(UnknownKeys.find(where, raw, PREFIX, keys::contains, keys));
        problems.addAll(LoginSettings.unknownKeys(where, raw));
        return new Reading(config, problems);
    }
}
