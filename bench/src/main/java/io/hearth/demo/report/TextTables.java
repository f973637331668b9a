// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.demo.report;

import static java.util.Locale.ROOT;

import io.hearth.cli.view.Table;
import io.hearth.demo.console.DemoConsole;
import io.hearth.demo.report.DemoReport.HealSummary;
import io.hearth.demo.report.ServerTable.ServerTableRow;
import io.hearth.demo.threshold.Threshold;
import io.hearth.demo.threshold.Threshold.Unit;
import io.hearth.demo.threshold.ThresholdResults;
import io.hearth.demo.threshold.ThresholdResults.Measurement.Measured;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalDouble;
import java.util.stream.Collectors;

/** The tables and the summary as text for a console of 100 columns. */
public final class TextTables {

    private TextTables() {}

    /** One line for each server, and below them how uneven they are. */
    public static String servers(ServerTable table) {
        String rows = Table.of(
                        table.rows(),
                        List.of(
                                Table.left("server", ServerTableRow::host),
                                Table.right("regions", row -> Integer.toString(row.regions())),
                                Table.right("reads/s", row -> rate(row.readsPerSecond())),
                                Table.right("writes/s", row -> rate(row.writesPerSecond())),
                                Table.right("store", row -> megabytes(row.storeBytes())),
                                Table.right("locality", row -> Unit.SHARE.format(row.locality())),
                                Table.right("as reported", row -> reported(row.reportedLocality()))))
                .text();
        return indented(rows) + "\n   max/mean: reads " + skew(table.readSkew()) + ", writes "
                + skew(table.writeSkew());
    }

    /** Two lines that say what was away and what was moved. */
    public static String heal(HealSummary heal) {
        return "   %d regions with %s in %d blocks not local: locality %s -> %s%n   moved %s in %d blocks in %d s, %s of what was not local"
                .formatted(
                        heal.regions(),
                        megabytes(heal.nonLocalBytes()),
                        heal.nonLocalBlocks(),
                        Unit.SHARE.format(heal.localityBefore()),
                        Unit.SHARE.format(heal.localityAfter()),
                        megabytes(heal.bytesMoved()),
                        heal.blocksMoved(),
                        heal.durationMs() / 1000,
                        heal.movedOverNonLocal().isPresent()
                                ? Unit.RATIO.format(heal.movedOverNonLocal().getAsDouble()) + " times"
                                : "none");
    }

    /** What was and what is, in a few lines. */
    public static String headline(ThresholdResults thresholdResults) {
        return String.join(
                "\n",
                "   Load, max/mean over the servers     reads   %s -> %s, and %s after the crash"
                        .formatted(
                                value(thresholdResults, Threshold.READ_SKEW_BEFORE),
                                value(thresholdResults, Threshold.READ_SKEW_BALANCED),
                                value(thresholdResults, Threshold.READ_SKEW_END)),
                "                                       writes  %s -> %s, and %s after the crash"
                        .formatted(
                                value(thresholdResults, Threshold.WRITE_SKEW_BEFORE),
                                value(thresholdResults, Threshold.WRITE_SKEW_BALANCED),
                                value(thresholdResults, Threshold.WRITE_SKEW_END)),
                "   The same servers could hold                 " + worth(thresholdResults),
                "   Locality of the killed server's regions     %s -> %s, %s bytes moved for each that was remote"
                        .formatted(
                                value(thresholdResults, Threshold.LOCALITY_CRASHED),
                                value(thresholdResults, Threshold.LOCALITY_HEALED),
                                value(thresholdResults, Threshold.BYTES_MOVED)),
                "   Harm                                        %s corrupt, %s missing, %s racks lost, %s client errors"
                        .formatted(
                                value(thresholdResults, Threshold.CORRUPT_BLOCKS),
                                value(thresholdResults, Threshold.MISSING_BLOCKS),
                                value(thresholdResults, Threshold.RACKS_LOST),
                                value(thresholdResults, Threshold.CLIENT_ERRORS)));
    }

    /** How much more the same servers could hold once the load is even: max/mean before over max/mean after. */
    static String worth(ThresholdResults thresholdResults) {
        return "%s times the reads, %s times the writes"
                .formatted(
                        quotient(thresholdResults, Threshold.READ_SKEW_BEFORE, Threshold.READ_SKEW_BALANCED),
                        quotient(thresholdResults, Threshold.WRITE_SKEW_BEFORE, Threshold.WRITE_SKEW_BALANCED));
    }

    /** How much larger one figure is than the other, or a dash. */
    private static String quotient(ThresholdResults thresholdResults, Threshold of, Threshold by) {
        return thresholdResults.results().get(of.ordinal()).measurement() instanceof Measured dividend
                        && thresholdResults.results().get(by.ordinal()).measurement() instanceof Measured divisor
                ? String.format(ROOT, "%.1f", dividend.value() / divisor.value())
                : "-";
    }

    private static String value(ThresholdResults thresholdResults, Threshold threshold) {
        return thresholdResults.results().get(threshold.ordinal()).shortText();
    }

    /** PASS or FAIL for every threshold, and the sentence that sums them up. */
    public static String thresholdResults(ThresholdResults thresholdResults, DemoConsole console) {
        int titleWidth = thresholdResults.results().stream()
                .mapToInt(result -> result.threshold().title().length())
                .max()
                .orElse(0);
        List<String> lines = new ArrayList<>();
        for (ThresholdResults.Result result : thresholdResults.results()) {
            String word = result.holds() ? console.good("PASS") : console.bad("FAIL");
            lines.add("   %s  %s  %10s  (%s)"
                    .formatted(
                            word,
                            padded(result.threshold().title(), titleWidth),
                            result.valueText(),
                            result.threshold().limitText()));
        }
        lines.add("");
        lines.add("   "
                + (thresholdResults.holds()
                        ? console.good(sentence(thresholdResults))
                        : console.bad(sentence(thresholdResults))));
        return String.join("\n", lines);
    }

    /** The whole run in one sentence. */
    public static String sentence(ThresholdResults thresholdResults) {
        if (thresholdResults.holds()) {
            return "The cluster ended evened and healed: all "
                    + thresholdResults.results().size() + " thresholds hold.";
        }
        return thresholdResults.violated().size() + " of "
                + thresholdResults.results().size() + " thresholds do not hold: "
                + thresholdResults.violated().stream()
                        .map(result -> result.threshold().title())
                        .collect(Collectors.joining("; "))
                + ".";
    }

    static String rate(double perSecond) {
        return String.format(ROOT, "%,.0f", perSecond);
    }

    static String megabytes(long bytes) {
        return String.format(ROOT, "%,.1f MB", Unit.megabytes(bytes));
    }

    static String skew(OptionalDouble skew) {
        return skew.isPresent() ? Unit.RATIO.format(skew.getAsDouble()) : "no load";
    }

    static String reported(double locality) {
        return Double.isNaN(locality) ? "unknown" : Unit.SHARE.format(locality);
    }

    private static String padded(String text, int width) {
        return text + " ".repeat(width - text.length());
    }

    private static String indented(String text) {
        return text.lines().map(line -> "   " + line.stripTrailing()).collect(Collectors.joining("\n"));
    }
}
