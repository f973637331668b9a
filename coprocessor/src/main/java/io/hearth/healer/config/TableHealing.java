// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.healer.config;

import io.hearth.common.config.ConfigProblem;
import io.hearth.common.config.RawSettings;
import io.hearth.common.model.TableId;
import io.hearth.healer.model.ServedRegion.TableHealingMode;
import java.util.Locale;
import java.util.Optional;

/**
 * Whether and when a table's blocks are moved to the server of their region: {@code on}, {@code off} or {@code first}, by the value {@value #KEY} of its
 * descriptor, else by {@code hearth.table.NAME.heal} of the site.
 * Immutable.
 *
 * @param mode what holds; {@link TableHealingMode#ON} where nobody says anything, {@link TableHealingMode#OFF} where it says what can't be
 *     read: whoever wrote it meant to hold healing back or to hurry it, and holding back harms nobody
 * @param problem set if the value can't be read
 */
public record TableHealing(TableHealingMode mode, Optional<ConfigProblem> problem) {

    /** Set in the shell by {@code alter 't', METADATA => {'HEARTH_HEAL' => 'off'}}. */
    public static final String KEY = "HEARTH_HEAL";

    private static final String SITE_PREFIX = "hearth.table.";
    private static final String SITE_SUFFIX = ".heal";

    /**
     * What holds for a table.
     *
     * @param descriptor the value of {@value #KEY} in its descriptor, which wins over the site
     * @param site the name of the site's configuration in messages
     * @param raw the site's configuration, which may have {@code hearth.table.NAME.heal}
     */
    public static TableHealing read(TableId table, Optional<String> descriptor, String site, RawSettings raw) {
        if (descriptor.isPresent()) {
            return read("table " + table, KEY, descriptor.get());
        }
        String siteKey = SITE_PREFIX + table.name() + SITE_SUFFIX;
        return raw.value(siteKey)
                .map(value -> read(site, siteKey, value))
                .orElse(new TableHealing(TableHealingMode.ON, Optional.empty()));
    }

    private static TableHealing read(String where, String key, String value) {
        return switch (value.trim().toLowerCase(Locale.ROOT)) {
            case "on" -> of(TableHealingMode.ON);
            case "off" -> of(TableHealingMode.OFF);
            case "first" -> of(TableHealingMode.FIRST);
            default ->
                new TableHealing(
                        TableHealingMode.OFF,
                        Optional.of(new ConfigProblem(
                                where,
                                key,
                                key + " = '" + value + "' in " + where
                                        + " can't be used: it must be on, off or first. off is used instead.")));
        };
    }

    private static TableHealing of(TableHealingMode mode) {
        return new TableHealing(mode, Optional.empty());
    }
}
