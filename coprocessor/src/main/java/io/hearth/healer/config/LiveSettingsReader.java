// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.healer.config;

import io.hearth.common.config.ConfigProblem;
import io.hearth.common.config.RawSettings;
import io.hearth.common.config.Setting;
import io.hearth.common.config.SettingsReader;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;

/**
 * Reads the settings of something that is at work already: a value that can't be used leaves what was read before, or the
 * default the first time. Not thread-safe; made for one reading.
 *
 * @param <C> what was made of the settings the last time
 */
final class LiveSettingsReader<C> {

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
        return raw.value(setting.key()).isPresent() ? reader.read(setting, ifUnreadable) : setting.defaultValue();
    }

    List<ConfigProblem> problems() {
        return reader.problems();
    }
}
