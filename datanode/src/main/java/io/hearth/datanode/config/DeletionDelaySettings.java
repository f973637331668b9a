// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.datanode.config;

import io.hearth.common.config.ConfigProblem;
import io.hearth.common.config.RawSettings;
import io.hearth.common.config.Setting;
import io.hearth.common.config.SettingsReader;
import java.util.List;

/** Every {@code hearth.datanode.deletion.delay.} key, and their reading. All of them are live, as {@link DataNodeSettings} says. */
public final class DeletionDelaySettings {

    private static final String PREFIX = "hearth.datanode.deletion.delay.";

    public static final Setting<Boolean> ENABLED = Setting.bool(
            PREFIX + "enabled", true, "Whether a moved replica stays readable for a while. Unreadable: false.");

    public static final Setting<Long> DELAY_MS = Setting.millis(
            PREFIX + "ms",
            30_000L,
            0L,
            3_600_000L,
            "How long the deletion of a moved replica waits, if a client opened it within this time before. 0:"
                    + " as stock HDFS.");

    public static final Setting<Long> MIN_FREE_BYTES = Setting.bytes(
            PREFIX + "min.free.bytes",
            10_737_418_240L,
            0L,
            1L << 60,
            "bytes",
            "Free space of a volume below which no deletion waits on it. Keep it above what is written to the"
                    + " volume within the delay.");

    public static final Setting<Long> MAX_REPLICAS = Setting.wholeNumber(
            PREFIX + "max.replicas", 2_000L, 0L, 1_000_000L, "replicas", "Deletions that wait at most on a DataNode.");

    public static final Setting<Long> MAX_BYTES = Setting.bytes(
            PREFIX + "max.bytes",
            17_179_869_184L,
            0L,
            1L << 60,
            "bytes",
            "Bytes of replicas that wait at most on a DataNode.");

    /** Every key, in the order of the documentation. */
    public static final List<Setting<?>> ALL = List.of(ENABLED, DELAY_MS, MIN_FREE_BYTES, MAX_REPLICAS, MAX_BYTES);

    /** A configuration, and what could not be used in it. Immutable. */
    public record Reading(DeletionDelayConfig config, List<ConfigProblem> problems) {

        public Reading {
            problems = List.copyOf(problems);
        }
    }

    private DeletionDelaySettings() {}

    /**
     * Reads every key; a value that can't be used is a problem, and the key's default is used in its place, but {@code false} for
     * {@link #ENABLED}. Unknown keys are the matter of {@link DataNodeSettings#read}.
     *
     * @param where the name of the configuration in messages
     */
    public static Reading read(String where, RawSettings raw) {
        SettingsReader reader = new SettingsReader(where, raw);
        DeletionDelayConfig config = new DeletionDelayConfig(
                reader.readOrFailSafe(ENABLED, false),
                reader.read(DELAY_MS),
                reader.read(MIN_FREE_BYTES),
                reader.read(MAX_REPLICAS),
                reader.read(MAX_BYTES));
        return new Reading(config, reader.problems());
    }

    /**
     * What an operator has set about the deletion delay of replaced replicas, parsed. {@link DeletionDelaySettings} has the keys, defaults and
     * meanings. Immutable.
     *
     * @param enabled whether deletions wait at all
     * @param configuredDelayMs how long they wait while {@code enabled}
     * @param minFreeBytes the free space of a volume below which its deletions do not wait
     * @param maxReplicas how many deletions wait at most
     * @param maxBytes the bytes of the replicas whose deletion waits, at most
     */
    public record DeletionDelayConfig(
            boolean enabled, long configuredDelayMs, long minFreeBytes, long maxReplicas, long maxBytes) {

        /** How long a deletion waits, in milliseconds: 0 where nothing is delayed. */
        public long delayMs() {
            return enabled ? configuredDelayMs : 0;
        }
    }
}
