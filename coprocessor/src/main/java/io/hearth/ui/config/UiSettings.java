// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.ui.config;

import io.hearth.common.config.ConfigProblem;
import io.hearth.common.config.RawSettings;
import io.hearth.common.config.Setting;
import io.hearth.common.config.SettingsReader;
import io.hearth.common.config.UnknownKeys;
import java.util.ArrayList;
import java.util.List;

/** Every {@code hearth.ui.} key, and their reading. All of them are live: {@code update_config} reads them again. */
public final class UiSettings {

    private static final String PREFIX = "hearth.ui.";

    public static final Setting<Boolean> ENABLED = Setting.bool(
            PREFIX + "enabled", true, "Whether the HMaster's web UI answers under /hearth. Unreadable: false.");

    public static final Setting<Boolean> ACTIONS = Setting.bool(
            PREFIX + "actions", false, "Whether the page has actions, for the users that docs/security.md names.");

    public static final Setting<Long> SAMPLE_MS = Setting.millis(
            PREFIX + "sample.ms",
            60_000L,
            1_000L,
            3_600_000L,
            "How often the hottest regions are sampled; the page shows 60 samples of each.");

    /** Every key, in the order of the documentation. */
    public static final List<Setting<?>> ALL = List.of(ENABLED, ACTIONS, SAMPLE_MS);

    /** A configuration, and what could not be used in it. Immutable. */
    public record Reading(UiConfig config, List<ConfigProblem> problems) {

        public Reading {
            problems = List.copyOf(problems);
        }
    }

    private UiSettings() {}

    /**
     * Reads every key; a value that can't be used is a problem, and the key's default is used in its place, but {@code false} for
     * {@link #ENABLED}.
     *
     * @param where the name of the configuration in messages
     */
    public static Reading read(String where, RawSettings raw) {
        SettingsReader reader = new SettingsReader(where, raw);
        boolean enabled = reader.readOrFailSafe(ENABLED, false);
        UiConfig config = new UiConfig(enabled, reader.read(ACTIONS), reader.read(SAMPLE_MS));
        List<ConfigProblem> problems = new ArrayList<>(reader.problems());
        List<String> keys = ALL.stream().map(Setting::key).toList();
        problems.addAll(UnknownKeys.find(where, raw, PREFIX, keys::contains, keys));
        return new Reading(config, problems);
    }

    /**
     * What an operator has set about the page, parsed. {@link UiSettings} has the keys, defaults and meanings. Immutable.
     *
     * @param sampleMs how often heat is sampled for the page's history, in milliseconds
     */
    public record UiConfig(boolean enabled, boolean actions, long sampleMs) {}
}
