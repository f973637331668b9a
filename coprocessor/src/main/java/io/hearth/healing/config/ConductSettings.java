package io.hearth.healing.config;

import io.hearth.balancer.config.RawSettings;
import io.hearth.balancer.config.Setting;
import java.util.List;

/** The keys that say when healing acts, what it spares and what it does where it can't move blocks. All are live. */
public final class ConductSettings {

    private static final String PREFIX = "hearth.heal.";

    /** HDFS's own key, of the RegionServers' clients; the master's configuration is the nearest that can be seen. */
    static final Setting<Long> HDFS_REFRESH_MS = Setting.millis(
            "dfs.client.refresh.read-block-locations.ms", 0L, 0L, Long.MAX_VALUE, "HDFS's own; never documented here.");

    /** With 10 s or less, bulk healing stalls no open reader; facts in decision 0030. */
    private static final long USUAL_REFRESH_MS = 10_000;

    public static final Setting<HealAction> MODE = Setting.choice(
            PREFIX + "mode",
            HealAction.ACT,
            "Whether plans are carried out, or only counted, logged and shown (advise). A value that can't be read counts"
                    + " as advise.");

    public static final Setting<Boolean> PAUSED = Setting.bool(
            PREFIX + "paused",
            false,
            "Whether healing rests. No further move starts; those under way are followed to their end; the balancer still"
                    + " counts on healing to come. A value that can't be read counts as true.");

    public static final Setting<HealWindows> WINDOWS = Setting.of(
            PREFIX + "windows",
            HealWindows.ALWAYS,
            HealWindowsParser.ALLOWED,
            "When moves may start. Days without hours are whole days, hours without days those of every day; hours that run"
                    + " past midnight belong to the day on which they begin. A value that can't be read counts as never.",
            HealWindowsParser::parse);

    public static final Setting<Long> READERS_REFRESH_MS = Setting.millis(
            PREFIX + "readers.refresh.ms",
            0L,
            0L,
            3_600_000L,
            "How old the block locations of an open reader in a RegionServer can be. In that time a block moves once, and"
                    + " the blocks of a file leave so few DataNodes that a reader always trusts a holder of each. 0 for"
                    + " dfs.client.refresh.read-block-locations.ms as the master's configuration has it, or 10000 where it"
                    + " has none.");

    public static final Setting<Integer> BOUNCES_PER_HOUR = Setting.integer(
            PREFIX + "bounces.per.hour",
            50,
            0,
            1_000_000,
            "",
            "Moves undone by the NameNode or the HDFS Balancer within an hour at which healing stops with an alarm, until"
                    + " none was undone for an hour (then it goes at a quarter of its pace for another hour) or somebody"
                    + " resumes it or sets hearth.heal.enabled to false and to true again. What HDFS does after a disk or a"
                    + " DataNode has failed, or after setrep, is not counted. 0 for never.");

    public static final Setting<Double> TARGET_MAX_USED_RATIO = Setting.decimal(
            PREFIX + "target.max.used.ratio",
            0.90,
            0.0,
            1.0,
            "",
            "Up to which share of its capacity for HDFS a DataNode is filled with moved replicas, net of the moves under way;"
                    + " and 5 % of the capacity must remain. It holds for each kind of storage, and for each volume where the"
                    + " NameNode reports them. Blocks that find no room stay, as TARGET_FULL.");

    public static final Setting<Fallback> FALLBACK = Setting.choice(
            PREFIX + "fallback",
            Fallback.NONE,
            "What is done for a region whose blocks can't be moved, for want of the privilege or because HDFS refuses:"
                    + " nothing, or a major compaction of its worst column families.");

    public static final Setting<Integer> FALLBACK_CONCURRENT = Setting.integer(
            PREFIX + "fallback.concurrent",
            1,
            1,
            1_000,
            "",
            "Regions whose families are major-compacted at a time for want of block moves.");

    public static final Setting<Long> FALLBACK_BYTES_PER_HOUR = Setting.bytes(
            PREFIX + "fallback.bytes.per.hour",
            10_737_418_240L,
            1L,
            1_000_000_000_000_000L,
            "bytes per hour",
            "Bytes of the families whose major compaction is asked for within an hour for want of block moves. A family"
                    + " larger than that is compacted once in so many hours as it needs.");

    static final List<Setting<?>> ALL = List.of(
            MODE,
            PAUSED,
            WINDOWS,
            READERS_REFRESH_MS,
            BOUNCES_PER_HOUR,
            TARGET_MAX_USED_RATIO,
            FALLBACK,
            FALLBACK_CONCURRENT,
            FALLBACK_BYTES_PER_HOUR);

    private ConductSettings() {}

    static ConductConfig read(CarefulReader<ConductConfig> reader, RawSettings raw) {
        return new ConductConfig(
                reader.cautious(MODE, HealAction.ADVISE),
                reader.cautious(PAUSED, true),
                reader.cautious(WINDOWS, HealWindows.NEVER),
                readersRefreshMs(reader.live(READERS_REFRESH_MS, ConductConfig::readersRefreshMs), raw),
                reader.live(BOUNCES_PER_HOUR, ConductConfig::bouncesPerHour),
                reader.live(TARGET_MAX_USED_RATIO, ConductConfig::targetMaxUsedRatio),
                reader.live(FALLBACK, ConductConfig::fallback),
                reader.live(FALLBACK_CONCURRENT, ConductConfig::fallbackConcurrent),
                reader.live(FALLBACK_BYTES_PER_HOUR, ConductConfig::fallbackBytesPerHour));
    }

    private static long readersRefreshMs(long own, RawSettings raw) {
        if (own > 0) {
            return own;
        }
        return raw.value(HDFS_REFRESH_MS.key())
                .flatMap(HDFS_REFRESH_MS::parse)
                .filter(ms -> ms > 0)
                .orElse(USUAL_REFRESH_MS);
    }
}
