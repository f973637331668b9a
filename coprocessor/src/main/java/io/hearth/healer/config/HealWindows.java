// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.healer.config;

import java.time.DayOfWeek;
import java.time.Instant;
import java.time.ZoneId;
import java.time.ZonedDateTime;
import java.util.List;
import java.util.Optional;

/**
 * The times of the week in which moves may start. Immutable; equal if the texts are. {@link HealWindowsParser} has the form
 * of the text.
 *
 * @param text as the operator wrote it
 * @param zone the zone that the text names; empty for the master's own
 */
public record HealWindows(String text, List<Window> windows, Optional<ZoneId> zone) {

    static final int DAY_MINUTES = 24 * 60;

    /** Any time. */
    public static final HealWindows ALWAYS = new HealWindows(
            "always", List.of(new Window(List.of(DayOfWeek.values()), 0, DAY_MINUTES)), Optional.empty());

    /** No time at all. */
    public static final HealWindows NEVER = new HealWindows("never", List.of(), Optional.empty());

    /**
     * Hours of some days. A window that runs past midnight belongs to the day on which it begins.
     *
     * @param fromMinute minute of the day, inclusive
     * @param toMinute minute of the day, exclusive; more than a day's minutes where it runs past midnight
     */
    public record Window(List<DayOfWeek> days, int fromMinute, int toMinute) {

        public Window {
            days = List.copyOf(days);
        }

        private boolean isOpenAt(DayOfWeek day, int minute) {
            boolean today = days.contains(day) && minute >= fromMinute && minute < toMinute;
            return today || (days.contains(day.minus(1)) && minute + DAY_MINUTES < toMinute);
        }
    }

    public HealWindows {
        windows = List.copyOf(windows);
    }

    /** Whether moves may start at this time; {@code masterZone} counts where the text names no zone. */
    public boolean isOpenAt(Instant time, ZoneId masterZone) {
        ZonedDateTime local = time.atZone(zone.orElse(masterZone));
        int minute = local.getHour() * 60 + local.getMinute();
        return windows.stream().anyMatch(window -> window.isOpenAt(local.getDayOfWeek(), minute));
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof HealWindows windows && text.equals(windows.text);
    }

    @Override
    public int hashCode() {
        return text.hashCode();
    }

    @Override
    public String toString() {
        return text;
    }
}
