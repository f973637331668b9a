// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.bench.threshold;

import io.hearth.cli.ExitCode;
import io.hearth.cli.view.Table;
import io.hearth.testkit.command.OutputOption;
import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** Figures beside their thresholds: lines for a person, rows for a program, and whether all of them hold. Not thread-safe. */
public final class ThresholdReport {

    private static final List<Table.RowColumn<Figure>> COLUMNS = List.of(
            Table.left("of", Figure::of),
            Table.left("figure", Figure::figure),
            Table.right("value", figure -> text(figure.value())),
            Table.left("unit", Figure::unit),
            Table.right("atLeast", figure -> text(figure.atLeast())),
            Table.right("atMost", figure -> text(figure.atMost())),
            Table.left("holds", figure -> text(figure.holds())));

    private final List<Figure> figures = new ArrayList<>();
    private final List<String> violations = new ArrayList<>();
    private String subject = "";

    /**
     * One figure as a program reads it. Immutable.
     *
     * @param of what was measured; empty where {@code figure} says it
     * @param value {@code null} where it is not finite
     * @param unit empty for a plain number
     * @param atLeast the threshold that it must not be below; {@code null} where there is none
     * @param atMost the threshold that it must not be above; {@code null} where there is none
     * @param holds {@code null} where nothing was to hold
     */
    public record Figure(
            String of,
            String figure,
            @Nullable Double value,
            String unit,
            @Nullable Double atLeast,
            @Nullable Double atMost,
            @Nullable Boolean holds) {

        /** A figure without a threshold. */
        public static Figure of(String of, String figure, double value, String unit) {
            return new Figure(of.strip(), figure.strip(), finite(value), unit, null, null, null);
        }

        /** The same with a threshold that it must not be below; not finite where there is no number for it. */
        public Figure atLeast(double threshold, boolean isHeld) {
            return new Figure(of, figure, value, unit, finite(threshold), atMost, isHeld);
        }

        /** The same with a threshold that it must not be above; not finite where there is no number for it. */
        public Figure atMost(double threshold, boolean isHeld) {
            return new Figure(of, figure, value, unit, atLeast, finite(threshold), isHeld);
        }

        /** The same of a count of what must not be at all. */
        public Figure none() {
            return atMost(0, value != null && value == 0);
        }

        /** The same, held to nothing. */
        public Figure withoutThreshold() {
            return new Figure(of, figure, value, unit, null, null, null);
        }

        private Figure ofBesides(String what) {
            String all = of.isEmpty() || what.isEmpty() ? of + what : of + ", " + what;
            return new Figure(all, figure, value, unit, atLeast, atMost, holds);
        }

        private static @Nullable Double finite(double value) {
            return Double.isFinite(value) ? value : null;
        }
    }

    private record Document(List<Figure> figures, boolean holds, List<String> missed) {}

    /** A line above figures: what those are of that come next and are indented. */
    public String about(String heading) {
        subject = heading.endsWith(":") ? heading.substring(0, heading.length() - 1) : heading;
        return heading;
    }

    /** A line for a figure that must not be above its threshold. */
    public String atMost(String what, double value, double threshold, String unit) {
        boolean holds = value <= threshold;
        add(row(what, value, unit).atMost(threshold, holds));
        return line(what, value, threshold, unit, holds, "above");
    }

    /** A line for a figure that must not be below its threshold. */
    public String atLeast(String what, double value, double threshold, String unit) {
        boolean holds = value >= threshold;
        add(row(what, value, unit).atLeast(threshold, holds));
        return line(what, value, threshold, unit, holds, "below");
    }

    private String line(String what, double value, double threshold, String unit, boolean holds, String side) {
        if (!holds) {
            violation(String.format(Locale.ROOT, "%s: %,.2f %s, %s %,.2f", what, value, unit, side, threshold));
        }
        return String.format(
                Locale.ROOT,
                "%-52s %,12.2f %-6s threshold %,10.2f  %s",
                what,
                value,
                unit,
                threshold,
                holds ? "holds" : "MISSED");
    }

    /** A line for a figure without a threshold. */
    public String figure(String what, double value, String unit) {
        add(row(what, value, unit));
        return String.format(Locale.ROOT, "%-52s %,12.2f %-6s", what, value, unit)
                .stripTrailing();
    }

    private Figure row(String what, double value, String unit) {
        return Figure.of(what.startsWith(" ") ? subject : "", what, value, unit);
    }

    /** Takes a figure that has no line of its own. */
    public void add(Figure figure) {
        figures.add(figure);
    }

    /** The same, with the sentence for it if it does not hold. */
    public void add(Figure figure, String otherwise) {
        add(figure);
        if (Boolean.FALSE.equals(figure.holds())) {
            violation(otherwise);
        }
    }

    /**
     * Takes all of another report in.
     *
     * @param of what its figures are of, besides what they say themselves; empty for nothing
     * @param beforeViolation begins each of its sentences
     */
    public void addAll(ThresholdReport other, String of, String beforeViolation) {
        other.figures.forEach(figure -> add(figure.ofBesides(of)));
        other.violations.forEach(violation -> violation(beforeViolation + violation));
    }

    public void violation(String what) {
        violations.add(what);
    }

    /**
     * Ends a benchmark's report: a line for each threshold that was missed, and how many there are. Returns how the command ends, a number
     * of {@link ExitCode}.
     */
    public static int printEnd(PrintWriter out, List<String> violations) {
        violations.forEach(violation -> out.println("MISSED  " + violation));
        out.println(violations.isEmpty() ? "All thresholds hold." : violations.size() + " thresholds do not hold.");
        out.flush();
        return violations.isEmpty() ? ExitCode.DONE.code() : ExitCode.INCOMPLETE.code();
    }

    /** The same of this report's thresholds; then, for a program, all figures. */
    public int end(OutputOption output) {
        int exitCode = printEnd(output.forPerson(), violations);
        print(output);
        return exitCode;
    }

    /** Prints all figures, and what does not hold, for a program; for a person nothing. */
    public void print(OutputOption output) {
        if (!output.isTable()) {
            output.print(Table.of(figures, COLUMNS), new Document(figures, violations.isEmpty(), violations));
        }
    }

    private static String text(@Nullable Object value) {
        return value == null ? "" : value.toString();
    }

    /** The figures for a program, in their order. */
    public List<Figure> figures() {
        return List.copyOf(figures);
    }

    /** What does not hold, each in one sentence. */
    public List<String> violations() {
        return List.copyOf(violations);
    }
}
