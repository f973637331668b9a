// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.healer.config;

import io.hearth.common.config.ConfigProblem;
import io.hearth.common.config.RawSettings;
import io.hearth.common.config.Setting;
import io.hearth.common.config.SettingsReader;
import io.hearth.common.config.UnknownKeys;
import io.hearth.healer.config.HealLimitSettings.HealLimitConfig;
import io.hearth.healer.config.HealPolicySettings.HealPolicyConfig;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.Stream;

/** Every {@code hearth.heal.} key, and their reading. All of them are live: {@code update_config} reads them again. */
public final class HealingSettings {

    private static final String PREFIX = "hearth.heal.";

    public static final Setting<Boolean> ENABLED = Setting.bool(
            PREFIX + "enabled", true, "Whether replicas are moved. false: no further move starts. Unreadable: false.");

    public static final Setting<Double> THRESHOLD = Setting.decimal(
            PREFIX + "threshold", 1.0, 0.0, 1.0, "", "Reported locality below which a region's blocks are listed.");

    public static final Setting<Long> POLL_MS = Setting.millis(
            PREFIX + "poll.ms",
            10_000L,
            1_000L,
            3_600_000L,
            "How often assignments and reported locality are polled. What is left of a region is tried again"
                    + " after as long, 10 seconds at most.");

    public static final Setting<Long> REGION_STABLE_MS = Setting.millis(
            PREFIX + "region.stable.ms",
            30_000L,
            0L,
            3_600_000L,
            "How long a region must be with the same server before its blocks are moved there.");

    public static final Setting<Long> MOVE_TIMEOUT_MS = Setting.millis(
            PREFIX + "move.timeout.ms",
            120_000L,
            1_000L,
            3_600_000L,
            "How long to wait for a DataNode's answer; then the NameNode is asked.");

    public static final Setting<Long> VERIFY_TIMEOUT_MS = Setting.millis(
            PREFIX + "verify.timeout.ms",
            120_000L,
            1_000L,
            3_600_000L,
            "How long the NameNode has to confirm a move before it counts as inconclusive.");

    /** Every key, in the order of the documentation. */
    public static final List<Setting<?>> ALL = Stream.<List<? extends Setting<?>>>of(
                    List.of(ENABLED, THRESHOLD, POLL_MS, REGION_STABLE_MS, MOVE_TIMEOUT_MS, VERIFY_TIMEOUT_MS),
                    HealLimitSettings.ALL,
                    HealPolicySettings.ALL)
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
     * Reads every key for the first time; a value that can't be used is a problem, and the key's default is used in its place, or the
     * value that holds healing back where the default does not.
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
        LiveSettingsReader<HealingConfig> reader = new LiveSettingsReader<>(where, raw, before);
        HealingConfig config = new HealingConfig(
                reader.orFailSafe(ENABLED, false),
                reader.orPrevious(THRESHOLD, HealingConfig::threshold),
                reader.orPrevious(POLL_MS, HealingConfig::pollMs),
                reader.orPrevious(REGION_STABLE_MS, HealingConfig::regionStableMs),
                HealLimitSettings.read(reader.of(HealingConfig::limits)),
                reader.orPrevious(MOVE_TIMEOUT_MS, HealingConfig::moveTimeoutMs),
                reader.orPrevious(VERIFY_TIMEOUT_MS, HealingConfig::verifyTimeoutMs),
                HealPolicySettings.read(reader.of(HealingConfig::policy), raw));
        List<ConfigProblem> problems = new ArrayList<>(reader.problems());
        List<String> keys = ALL.stream().map(Setting::key).toList();
        problems.addAll(UnknownKeys.find(where, raw, PREFIX, keys::contains, keys));
        problems.addAll(LoginSettings.unknownKeys(where, raw));
        return new Reading(config, problems);
    }

    /**
     * What an operator has set about healing, parsed. {@link HealingSettings} has the keys, defaults and meanings. Immutable.
     */
    public record HealingConfig(
            boolean enabled,
            double threshold,
            long pollMs,
            long regionStableMs,
            HealLimitConfig limits,
            long moveTimeoutMs,
            long verifyTimeoutMs,
            HealPolicyConfig policy) {}

    /**
     * Reads the settings of something that is at work already: a value that can't be used leaves what was read before, or the
     * default the first time. Not thread-safe; made for one reading.
     *
     * @param <C> what was made of the settings the last time
     */
    static final class LiveSettingsReader<C> {

        private final SettingsReader reader;
        private final RawSettings raw;
        private final Optional<C> before;

        LiveSettingsReader(String where, RawSettings raw, Optional<C> before) {
            this(new SettingsReader(where, raw), raw, before);
        }

        private LiveSettingsReader(SettingsReader reader, RawSettings raw, Optional<C> before) {
            this.reader = reader;
            this.raw = raw;
            this.before = before;
        }

        /** The same for a part of it. */
        <P> LiveSettingsReader<P> of(Function<C, P> part) {
            return new LiveSettingsReader<>(reader, raw, before.map(part));
        }

        <T> T orPrevious(Setting<T> setting, Function<C, T> known) {
            return orFailSafe(setting, before.map(known).orElse(setting.defaultValue()));
        }

        /** One without a safe default: a value that can't be read may have been meant to hold healing back, and does. */
        <T> T orFailSafe(Setting<T> setting, T ifUnreadable) {
            return reader.readOrFailSafe(setting, ifUnreadable);
        }

        List<ConfigProblem> problems() {
            return reader.problems();
        }
    }
}
