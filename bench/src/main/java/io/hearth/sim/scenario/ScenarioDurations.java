// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.sim.scenario;

import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Durations as scenarios write them: {@code 90s}, {@code 20min}, {@code 2h}, {@code 2h 30min}, {@code 1d}. */
public final class ScenarioDurations {

    /** One duration, for use in larger patterns. */
    static final String PATTERN = "\\d+ ?(?:ms|s|min|h|d)(?: \\d+ ?(?:ms|s|min|h))*";

    private static final Pattern PART = Pattern.compile("(\\d+) ?(ms|s|min|h|d)");

    private ScenarioDurations() {}

    /** The milliseconds of a text that matches {@link #PATTERN}. */
    static long millis(String text) {
        long sum = 0;
        Matcher part = PART.matcher(text);
        while (part.find()) {
            sum += Long.parseLong(part.group(1)) * unit(part.group(2));
        }
        return sum;
    }

    private static long unit(String name) {
        return switch (name) {
            case "ms" -> 1;
            case "s" -> 1_000;
            case "min" -> 60_000;
            case "h" -> 3_600_000;
            case "d" -> 86_400_000;
            default -> throw new IllegalArgumentException(name + " is no unit of time.");
        };
    }

    /** The shortest way to write it: {@code 2h 30min}. */
    public static String text(long millis) {
        StringBuilder text = new StringBuilder();
        long rest = millis;
        for (String name : new String[] {"h", "min", "s", "ms"}) {
            if (rest >= unit(name)) {
                text.append(text.isEmpty() ? "" : " ").append(rest / unit(name)).append(name);
                rest %= unit(name);
            }
        }
        return text.isEmpty() ? "0s" : text.toString();
    }
}
