package io.hearth.demo.report;

import static java.util.Locale.ROOT;

import com.github.freva.asciitable.AsciiTable;
import com.github.freva.asciitable.Column;
import com.github.freva.asciitable.ColumnData;
import com.github.freva.asciitable.HorizontalAlign;
import io.hearth.demo.console.DemoConsole;
import io.hearth.demo.verdict.Bar;
import io.hearth.demo.verdict.Unit;
import io.hearth.demo.verdict.Verdict;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalDouble;
import java.util.function.Function;
import java.util.stream.Collectors;

/** The tables and the summary as text for a console of 100 columns. */
public final class TextTables {
    private static final Character[] BORDERS = AsciiTable.NO_BORDERS;

    private TextTables() {}

    /** One line for each server, and below them how uneven they are. */
    public static String servers(ServerTable table) {
        String rows = AsciiTable.builder()
                .border(BORDERS)
                .data(
                        table.rows(),
                        List.of(
                                left("server", ServerRow::host),
                                right("regions", row -> Integer.toString(row.regions())),
                                right("reads/s", row -> rate(row.readsPerSecond())),
                                right("writes/s", row -> rate(row.writesPerSecond())),
                                right("store", row -> megabytes(row.storeBytes())),
                                right("locality", row -> Unit.SHARE.format(row.locality())),
                                right("as reported", row -> reported(row.reportedLocality()))))
                .asString();
        return indented(rows) + "\n   max/avg: reads " + skew(table.readSkew()) + ", writes " + skew(table.writeSkew());
    }

    /** Two lines that say what was away and what was moved. */
    public static String heal(Heal heal) {
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
    public static String headline(Verdict verdict) {
        return String.join(
                "\n",
                "   Heat, busiest server over average   reads   %s -> %s, and %s after the crash"
                        .formatted(
                                value(verdict, Bar.READ_SKEW_BEFORE),
                                value(verdict, Bar.READ_SKEW_BALANCED),
                                value(verdict, Bar.READ_SKEW_END)),
                "                                       writes  %s -> %s, and %s after the crash"
                        .formatted(
                                value(verdict, Bar.WRITE_SKEW_BEFORE),
                                value(verdict, Bar.WRITE_SKEW_BALANCED),
                                value(verdict, Bar.WRITE_SKEW_END)),
                "   Locality of the killed server's regions     %s -> %s, %s bytes moved for each that was away"
                        .formatted(
                                value(verdict, Bar.LOCALITY_CRASHED),
                                value(verdict, Bar.LOCALITY_HEALED),
                                value(verdict, Bar.BYTES_MOVED)),
                "   Harm                                        %s corrupt, %s missing, %s racks lost, %s client errors"
                        .formatted(
                                value(verdict, Bar.CORRUPT_BLOCKS),
                                value(verdict, Bar.MISSING_BLOCKS),
                                value(verdict, Bar.RACKS_LOST),
                                value(verdict, Bar.CLIENT_ERRORS)));
    }

    private static String value(Verdict verdict, Bar bar) {
        return verdict.results().get(bar.ordinal()).shortText();
    }

    /** PASS or FAIL for every bar, and the sentence that sums them up. */
    public static String verdict(Verdict verdict, DemoConsole console) {
        int titleWidth = verdict.results().stream()
                .mapToInt(result -> result.bar().title().length())
                .max()
                .orElse(0);
        List<String> lines = new ArrayList<>();
        for (Verdict.Result result : verdict.results()) {
            String word = result.holds() ? console.good("PASS") : console.bad("FAIL");
            lines.add("   %s  %s  %10s  (%s)"
                    .formatted(
                            word,
                            padded(result.bar().title(), titleWidth),
                            result.valueText(),
                            result.bar().limitText()));
        }
        lines.add("");
        lines.add("   " + (verdict.holds() ? console.good(sentence(verdict)) : console.bad(sentence(verdict))));
        return String.join("\n", lines);
    }

    /** The whole run in one sentence. */
    public static String sentence(Verdict verdict) {
        if (verdict.holds()) {
            return "The cluster ended evened and healed: all "
                    + verdict.results().size() + " bars hold.";
        }
        return verdict.broken().size() + " of " + verdict.results().size() + " bars do not hold: "
                + verdict.broken().stream().map(result -> result.bar().title()).collect(Collectors.joining("; ")) + ".";
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

    private static ColumnData<ServerRow> left(String header, Function<ServerRow, String> text) {
        return new Column()
                .header(header)
                .headerAlign(HorizontalAlign.LEFT)
                .dataAlign(HorizontalAlign.LEFT)
                .with(text);
    }

    private static ColumnData<ServerRow> right(String header, Function<ServerRow, String> text) {
        return new Column()
                .header(header)
                .headerAlign(HorizontalAlign.RIGHT)
                .dataAlign(HorizontalAlign.RIGHT)
                .with(text);
    }
}
