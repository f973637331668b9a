// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.healer.config;

import io.hearth.common.config.RawSettings;
import io.hearth.common.config.Setting;
import io.hearth.healer.config.HealWindows.HealWindowsParser;
import io.hearth.healer.config.HealingSettings.LiveSettingsReader;
import java.util.List;
import java.util.Locale;

/** The keys for when healing may move blocks, how far it may fill a target, and what it does where it can't move any. All are live. */
public final class HealPolicySettings {

    private static final String PREFIX = "hearth.heal.";

    /** HDFS's own key, of the RegionServers' clients; the master's configuration is the nearest that can be seen. */
    static final Setting<Long> HDFS_REFRESH_MS = Setting.millis(
            "dfs.client.refresh.read-block-locations.ms", 0L, 0L, Long.MAX_VALUE, "HDFS's own; never documented here.");

    /** With 10 s or less, healing a whole table stalls no open reader (docs/decisions/0030). */
    private static final long DEFAULT_REFRESH_MS = 10_000;

    /** For so long each file that was healed is remembered, and a block that has moved stays where it is. */
    private static final long MOST_REFRESH_MS = 3_600_000;

    public static final Setting<HealingMode> MODE = Setting.choice(
            PREFIX + "mode",
            HealingMode.ACT,
            "advise: block moves are counted, logged and shown, not made. Unreadable: advise.");

    public static final Setting<Boolean> PAUSED = Setting.bool(
            PREFIX + "paused",
            false,
            "true: no further move starts, and the balancer still counts on healing. Unreadable: true.");

    public static final Setting<HealWindows> WINDOWS = Setting.of(
            PREFIX + "windows",
            HealWindows.ALWAYS,
            HealWindowsParser.ALLOWED,
            "When moves may start. Hours past midnight belong to the day they begin. Unreadable: never.",
            HealWindowsParser::parse);

    public static final Setting<Long> READER_LOCATIONS_MAX_AGE_MS = Setting.millis(
            PREFIX + "reader.locations.max.age.ms",
            0L,
            0L,
            MOST_REFRESH_MS,
            "Age that a RegionServer's block locations can have. In that time a block moves once. 0:"
                    + " dfs.client.refresh.read-block-locations.ms of the HMaster, or 10000.");

    public static final Setting<Integer> MAX_REVERTED_MOVES_PER_HOUR = Setting.integer(
            PREFIX + "max.reverted.moves.per.hour",
            50,
            0,
            1_000_000,
            "",
            "Reverted moves in an hour at which healing stops with an alarm. Failed disks, failed DataNodes and"
                    + " setrep don't count. 0: never.");

    public static final Setting<Double> TARGET_MAX_USED_RATIO = Setting.decimal(
            PREFIX + "target.max.used.ratio",
            0.90,
            0.0,
            1.0,
            "",
            "Share of its capacity to which moves fill a DataNode, each kind of storage and each volume; 5 %"
                    + " must remain.");

    public static final Setting<Fallback> FALLBACK = Setting.choice(
            PREFIX + "fallback",
            Fallback.NONE,
            "What is done for a region whose blocks can't be moved: nothing, or a major compaction of its"
                    + " worst column families.");

    public static final Setting<Integer> FALLBACK_CONCURRENT = Setting.integer(
            PREFIX + "fallback.concurrent", 1, 1, 1_000, "", "Regions compacted at a time by the fallback.");

    public static final Setting<Long> FALLBACK_BYTES_PER_HOUR = Setting.bytes(
            PREFIX + "fallback.bytes.per.hour",
            10_737_418_240L,
            1L,
            1_000_000_000_000_000L,
            "bytes per hour",
            "Bytes of families compacted per hour by the fallback. A larger family is compacted once"
                    + " in as many hours as it needs.");

    static final List<Setting<?>> ALL = List.of(
            MODE,
            PAUSED,
            WINDOWS,
            READER_LOCATIONS_MAX_AGE_MS,
            MAX_REVERTED_MOVES_PER_HOUR,
            TARGET_MAX_USED_RATIO,
            FALLBACK,
            FALLBACK_CONCURRENT,
            FALLBACK_BYTES_PER_HOUR);

    private HealPolicySettings() {}

    static HealPolicyConfig read(LiveSettingsReader<HealPolicyConfig> reader, RawSettings raw) {
        return new HealPolicyConfig(
                reader.orFailSafe(MODE, HealingMode.ADVISE),
                reader.orFailSafe(PAUSED, true),
                reader.orFailSafe(WINDOWS, HealWindows.NEVER),
                readerLocationsMaxAgeMs(
                        reader.orPrevious(READER_LOCATIONS_MAX_AGE_MS, HealPolicyConfig::readerLocationsMaxAgeMs), raw),
                reader.orPrevious(MAX_REVERTED_MOVES_PER_HOUR, HealPolicyConfig::maxRevertedMovesPerHour),
                reader.orPrevious(TARGET_MAX_USED_RATIO, HealPolicyConfig::targetMaxUsedRatio),
                reader.orPrevious(FALLBACK, HealPolicyConfig::fallback),
                reader.orPrevious(FALLBACK_CONCURRENT, HealPolicyConfig::fallbackConcurrent),
                reader.orPrevious(FALLBACK_BYTES_PER_HOUR, HealPolicyConfig::fallbackBytesPerHour));
    }

    private static long readerLocationsMaxAgeMs(long own, RawSettings raw) {
        if (own > 0) {
            return own;
        }
        return raw.value(HDFS_REFRESH_MS.key())
                .flatMap(HDFS_REFRESH_MS::parse)
                .filter(ms -> ms > 0)
                .map(ms -> Math.min(ms, MOST_REFRESH_MS))
                .orElse(DEFAULT_REFRESH_MS);
    }

    /**
     * When healing acts, what it spares and what it does where it can't move blocks. {@link HealPolicySettings} has the keys,
     * defaults and meanings. Immutable.
     *
     * @param readerLocationsMaxAgeMs how old the block locations of an open reader can be
     * @param maxRevertedMovesPerHour undone moves within an hour that stop healing; 0 for never
     * @param targetMaxUsedRatio the share of its capacity up to which a DataNode is filled with moved replicas, 0 to 1
     * @param fallbackBytesPerHour bytes of the families whose compaction is asked for within an hour
     */
    public record HealPolicyConfig(
            HealingMode mode,
            boolean paused,
            HealWindows windows,
            long readerLocationsMaxAgeMs,
            int maxRevertedMovesPerHour,
            double targetMaxUsedRatio,
            Fallback fallback,
            int fallbackConcurrent,
            long fallbackBytesPerHour) {}

    /** What comes of a plan. */
    public enum HealingMode {
        /** Its moves are made. */
        ACT,
        /** It is counted, logged and shown, and nothing moves. */
        ADVISE;

        @Override
        public String toString() {
            return name().toLowerCase(Locale.ROOT);
        }
    }

    /** What is done for a region whose blocks can't be moved. */
    public enum Fallback {
        /** Nothing. */
        NONE("none"),
        /** Its worst column families are major-compacted, which writes all their bytes anew, on the server's own host. */
        MAJOR_COMPACT("major-compact");

        private final String text;

        Fallback(String text) {
            this.text = text;
        }

        @Override
        public String toString() {
            return text;
        }
    }
}
