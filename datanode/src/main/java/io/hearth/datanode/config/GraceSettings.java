package io.hearth.datanode.config;

import io.hearth.balancer.config.ConfigProblem;
import io.hearth.balancer.config.RawSettings;
import io.hearth.balancer.config.Setting;
import io.hearth.balancer.config.SettingsReader;
import io.hearth.balancer.config.UnknownKeys;
import java.util.ArrayList;
import java.util.List;

/** Every {@code hearth.datanode.} key, and their reading. All of them are live: hdfs-site.xml is read again when it changes. */
public final class GraceSettings {

    private static final String PREFIX = "hearth.datanode.";

    public static final Setting<Boolean> ENABLED = Setting.bool(
            PREFIX + "grace.enabled",
            true,
            "Whether a replica that was moved away stays readable for a while. Turned off, what waits is deleted at once. A"
                    + " value that can't be read counts as false.");

    public static final Setting<Long> GRACE_MS = Setting.millis(
            PREFIX + "grace.ms",
            30_000L,
            0L,
            3_600_000L,
            "How long a replica that a client has opened within this time stays readable after the NameNode has had it deleted"
                    + " because others hold the block. Keep it"
                    + " above 2.1 times the readers' dfs.client.refresh.read-block-locations.ms. 0: deletions are those of"
                    + " stock HDFS. Deletions of files never wait.");

    public static final Setting<Long> MIN_FREE_BYTES = Setting.bytes(
            PREFIX + "grace.min.free.bytes",
            10_737_418_240L,
            0L,
            1L << 60,
            "bytes",
            "Free space of a volume (beside dfs.datanode.du.reserved) below which nothing waits on it, and what waits is"
                    + " deleted at once. Keep it above what the volume is written in a grace.");

    public static final Setting<Long> MAX_REPLICAS = Setting.wholeNumber(
            PREFIX + "grace.max.replicas",
            2_000L,
            0L,
            1_000_000L,
            "replicas",
            "How many deletions wait at most on a DataNode. A deletion above that is carried out at once.");

    public static final Setting<Long> MAX_BYTES = Setting.wholeNumber(
            PREFIX + "grace.max.bytes",
            17_179_869_184L,
            0L,
            1L << 60,
            "bytes",
            "The bytes of the replicas whose deletion waits on a DataNode, at most. A deletion above that is carried out at"
                    + " once: what waits is free by the quota of its folder, and uses the disk.");

    /** Every key, in the order of the documentation. */
    public static final List<Setting<?>> ALL = List.of(ENABLED, GRACE_MS, MIN_FREE_BYTES, MAX_REPLICAS, MAX_BYTES);

    /** A configuration, and what could not be used in it. Immutable. */
    public record Reading(GraceConfig config, List<ConfigProblem> problems) {

        public Reading {
            problems = List.copyOf(problems);
        }
    }

    private GraceSettings() {}

    /**
     * Reads every key; what can't be used is a problem and its default holds.
     *
     * @param where the name of the configuration in messages
     */
    public static Reading read(String where, RawSettings raw) {
        SettingsReader reader = new SettingsReader(where, raw);
        GraceConfig config = new GraceConfig(
                readEnabled(reader, raw),
                reader.read(GRACE_MS),
                reader.read(MIN_FREE_BYTES),
                reader.read(MAX_REPLICAS),
                reader.read(MAX_BYTES));
        List<ConfigProblem> problems = new ArrayList<>(reader.problems());
        List<String> keys = ALL.stream().map(Setting::key).toList();
        problems.addAll(UnknownKeys.find(where, raw, PREFIX, keys::contains, keys));
        return new Reading(config, problems);
    }

    /** The one key without a safe default: whoever wrote something else than true may have meant "off". */
    private static boolean readEnabled(SettingsReader reader, RawSettings raw) {
        return raw.value(ENABLED.key()).isPresent() ? reader.read(ENABLED, false) : ENABLED.defaultValue();
    }
}
