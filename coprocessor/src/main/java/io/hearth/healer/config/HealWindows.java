// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.healer.config;

import java.time.DateTimeException;
import java.time.DayOfWeek;
import java.time.Instant;
import java.time.ZoneId;
import java.time.ZonedDateTime;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

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

    /**
     * Reads windows of time: {@code always}, {@code never}, or entries with commas between them, each of days, hours or both, and
     * at the end a time zone if it is not the master's: {@code mon-fri 22:00-06:00, sat, sun 00:00-24:00 in Europe/Berlin}. Days
     * without hours are whole days; hours without days are those of every day. Pure.
     */
    static final class HealWindowsParser {

        static final String ALLOWED =
                "always, never, or days and hours like \"mon-fri 22:00-06:00, sat, sun\", at the end"
                        + " \"in Europe/Berlin\" for a time zone other than the master's";

        private static final Pattern ENTRY = Pattern.compile(
                "(?:([a-z]{3})(?:-([a-z]{3}))?)?\\s*(?:(\\d{1,2}):(\\d{2})\\s*-\\s*(\\d{1,2}):(\\d{2}))?");
        private static final Pattern WITH_ZONE = Pattern.compile("(?is)(.*\\S)\\s+in\\s+(\\S+)");
        private static final List<String> DAYS = List.of("mon", "tue", "wed", "thu", "fri", "sat", "sun");

        private HealWindowsParser() {}

        static Optional<HealWindows> parse(String text) {
            return switch (text.toLowerCase(Locale.ROOT)) {
                case "always" -> Optional.of(HealWindows.ALWAYS);
                case "never" -> Optional.of(HealWindows.NEVER);
                default -> daysAndHours(text);
            };
        }

        private static Optional<HealWindows> daysAndHours(String text) {
            Matcher zoned = WITH_ZONE.matcher(text);
            if (!zoned.matches()) {
                return windows(text).map(windows -> new HealWindows(text, windows, Optional.empty()));
            }
            return zone(zoned.group(2)).flatMap(zone -> windows(zoned.group(1))
                    .map(windows -> new HealWindows(text, windows, Optional.of(zone))));
        }

        private static Optional<ZoneId> zone(String name) {
            try {
                return Optional.of(ZoneId.of(name));
            } catch (DateTimeException unknown) {
                return Optional.empty();
            }
        }

        private static Optional<List<HealWindows.Window>> windows(String text) {
            List<HealWindows.Window> windows = new ArrayList<>();
            for (String entry : text.toLowerCase(Locale.ROOT).split(",", -1)) {
                Optional<HealWindows.Window> window = window(entry.trim());
                if (window.isEmpty()) {
                    return Optional.empty();
                }
                windows.add(window.get());
            }
            return Optional.of(windows);
        }

        private static Optional<HealWindows.Window> window(String entry) {
            Matcher parts = ENTRY.matcher(entry);
            if (entry.isEmpty() || !parts.matches()) {
                return Optional.empty();
            }
            List<DayOfWeek> days = days(parts.group(1), parts.group(2));
            if (days.isEmpty()) {
                return Optional.empty();
            }
            if (parts.group(3) == null) {
                return Optional.of(new HealWindows.Window(days, 0, HealWindows.DAY_MINUTES));
            }
            int from = minute(parts.group(3), parts.group(4));
            int to = minute(parts.group(5), parts.group(6));
            boolean usable = from >= 0 && from < HealWindows.DAY_MINUTES && to >= 0 && from != to;
            return usable
                    ? Optional.of(new HealWindows.Window(days, from, to > from ? to : to + HealWindows.DAY_MINUTES))
                    : Optional.empty();
        }

        /** The days from the first to the last, over the end of the week if need be; empty if one of them is no day. */
        private static List<DayOfWeek> days(@Nullable String first, @Nullable String last) {
            if (first == null) {
                return List.of(DayOfWeek.values());
            }
            int from = DAYS.indexOf(first);
            int to = last == null ? from : DAYS.indexOf(last);
            List<DayOfWeek> days = new ArrayList<>();
            if (from >= 0 && to >= 0) {
                for (int day = from; day != (to + 1) % 7 || days.isEmpty(); day = (day + 1) % 7) {
                    days.add(DayOfWeek.of(day + 1));
                }
            }
            return days;
        }

        /** The minute of the day, up to 24:00; -1 if it is none. */
        private static int minute(String hours, String minutes) {
            int minute = Integer.parseInt(hours) * 60 + Integer.parseInt(minutes);
            return Integer.parseInt(minutes) < 60 && minute <= HealWindows.DAY_MINUTES ? minute : -1;
        }
    }
}
