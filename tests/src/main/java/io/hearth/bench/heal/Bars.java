package io.hearth.bench.heal;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** Figures beside their bars, as lines, and whether all of them hold. Not thread-safe. */
public final class Bars {

    private final List<String> misses = new ArrayList<>();

    /** A line for a figure that must not be above its bar. */
    public String atMost(String what, double value, double bar, String unit) {
        boolean holds = value <= bar;
        String line = String.format(
                Locale.ROOT, "%-52s %,12.2f %-6s bar %,10.2f  %s", what, value, unit, bar, holds ? "holds" : "MISSED");
        if (!holds) {
            miss(String.format(Locale.ROOT, "%s: %,.2f %s, above %,.2f", what, value, unit, bar));
        }
        return line;
    }

    /** A line for a figure without a bar. */
    public static String figure(String what, double value, String unit) {
        return String.format(Locale.ROOT, "%-52s %,12.2f %-6s", what, value, unit)
                .stripTrailing();
    }

    public void miss(String what) {
        misses.add(what);
    }

    /** What does not hold, each in one sentence. */
    public List<String> misses() {
        return List.copyOf(misses);
    }
}
