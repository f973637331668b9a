package io.hearth.healing.config;

import io.hearth.balancer.config.ConfigProblem;
import io.hearth.balancer.load.TableId;
import io.hearth.healing.model.HealMode;
import java.util.Locale;
import java.util.Optional;

/**
 * What a table's descriptor says about healing: the value of {@value #KEY}, {@code on}, {@code off} or {@code first}.
 * Immutable.
 *
 * @param mode what holds; {@link HealMode#ON} where the table says nothing, {@link HealMode#OFF} where it says what can't be
 *     read: whoever wrote it meant to hold healing back or to hurry it, and holding back harms nobody
 * @param problem set if the value can't be read, or goes by an old name
 */
public record TableHealing(HealMode mode, Optional<ConfigProblem> problem) {

    /** Set in the shell by {@code alter 't', METADATA => {'HEARTH_HEAL' => 'off'}}. */
    public static final String KEY = "HEARTH_HEAL";

    public static TableHealing read(TableId table, Optional<String> value) {
        if (value.isEmpty()) {
            return of(HealMode.ON);
        }
        return switch (value.get().trim().toLowerCase(Locale.ROOT)) {
            case "on" -> of(HealMode.ON);
            case "off" -> of(HealMode.OFF);
            case "first" -> of(HealMode.FIRST);
            case "priority" -> new TableHealing(HealMode.FIRST, Optional.of(oldName(table, value.get())));
            default -> new TableHealing(HealMode.OFF, Optional.of(problem(table, value.get())));
        };
    }

    private static TableHealing of(HealMode mode) {
        return new TableHealing(mode, Optional.empty());
    }

    private static ConfigProblem oldName(TableId table, String value) {
        String where = "table " + table;
        return new ConfigProblem(
                where,
                KEY,
                KEY + " = '" + value + "' in " + where
                        + " is an old name that is understood. Set HEARTH_HEAL to first, which means the same.");
    }

    private static ConfigProblem problem(TableId table, String value) {
        String where = "table " + table;
        return new ConfigProblem(
                where,
                KEY,
                KEY + " = '" + value + "' in " + where
                        + " can't be used: it must be on, off or first. off is used instead.");
    }
}
