// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.common.config;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Reads typed settings from one raw configuration and collects a {@link ConfigProblem} for every value that can't be used;
 * the default, or a value that the caller names, is used in its place. Not thread-safe; made for one reading.
 */
public final class SettingsReader {

    private final String where;
    private final RawSettings raw;
    private final List<ConfigProblem> problems = new ArrayList<>();

    /** @param where the name of the configuration in messages: {@code hbase-site.xml} or {@code table t} */
    public SettingsReader(String where, RawSettings raw) {
        this.where = where;
        this.raw = raw;
    }

    /** The value of this setting, or its default where it is absent or can't be used. */
    public <T> T read(Setting<T> setting) {
        return read(setting, setting.defaultValue());
    }

    /** The value of this setting, or {@code fallback} where it is absent or can't be used. */
    public <T> T read(Setting<T> setting, T fallback) {
        Optional<String> text = raw.value(setting.key());
        if (text.isEmpty()) {
            return fallback;
        }
        Optional<T> value = setting.parse(text.get());
        if (value.isEmpty()) {
            problems.add(ConfigProblem.badValue(where, setting, text.get(), fallback));
        }
        return value.orElse(fallback);
    }

    /**
     * Reads a setting fail-safe: its default where it is absent, {@code ifUnusable} where its value can't be parsed. For switches whose
     * default is on, since the value may have been meant to switch them off.
     */
    public <T> T readOrFailSafe(Setting<T> setting, T ifUnusable) {
        return raw.value(setting.key()).isPresent() ? read(setting, ifUnusable) : setting.defaultValue();
    }

    /**
     * Says that a value can't be used for a reason that only its reader knows.
     *
     * @param advice what is allowed and what is used instead: the end of the message
     */
    public void problem(Setting<?> setting, Object value, String advice) {
        problems.add(new ConfigProblem(
                where, setting.key(), setting.key() + " = " + value + " in " + where + " can't be used: " + advice));
    }

    /** Every problem found so far, in the order of reading. */
    public List<ConfigProblem> problems() {
        return List.copyOf(problems);
    }
}
