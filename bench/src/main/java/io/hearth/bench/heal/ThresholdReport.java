// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.bench.heal;

import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** Figures beside their thresholds, as lines, and whether all of them hold. Not thread-safe. */
public final class ThresholdReport {

    private final List<String> violations = new ArrayList<>();

    /** A line for a figure that must not be above its threshold. */
    public String atMost(String what, double value, double threshold, String unit) {
        boolean holds = value <= threshold;
        String line = String.format(
                Locale.ROOT,
                "%-52s %,12.2f %-6s threshold %,10.2f  %s",
                what,
                value,
                unit,
                threshold,
                holds ? "holds" : "MISSED");
        if (!holds) {
            violation(String.format(Locale.ROOT, "%s: %,.2f %s, above %,.2f", what, value, unit, threshold));
        }
        return line;
    }

    /** A line for a figure without a threshold. */
    public static String figure(String what, double value, String unit) {
        return String.format(Locale.ROOT, "%-52s %,12.2f %-6s", what, value, unit)
                .stripTrailing();
    }

    public void violation(String what) {
        violations.add(what);
    }

    /** Ends a benchmark's report: a line for each threshold that was missed, and how many there are. */
    public void printEnd(PrintWriter out) {
        violations.forEach(violation -> out.println("MISSED  " + violation));
        out.println(violations.isEmpty() ? "All thresholds hold." : violations.size() + " thresholds do not hold.");
        out.flush();
    }

    /** What does not hold, each in one sentence. */
    public List<String> violations() {
        return List.copyOf(violations);
    }
}
