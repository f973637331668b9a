package io.hearth.bench.plan;

import com.github.freva.asciitable.AsciiTable;
import com.github.freva.asciitable.Column;
import com.github.freva.asciitable.ColumnData;
import com.github.freva.asciitable.HorizontalAlign;
import io.hearth.balancer.load.LoadDimension;
import io.hearth.yardstick.PlanMeasure;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.apache.hadoop.hbase.master.balancer.StockTuning;

/** The results as a table: for each row of the benchmark one line for Hearth and one for each stock configuration. */
public final class PlanBenchTable {

    private PlanBenchTable() {}

    /** One line of the table. */
    private record Line(
            String row, String who, String seeds, String evenness, String moves, String toHeal, String millis) {}

    /** The table, a line for each row and balancer. */
    public static String of(List<RowResult> results) {
        List<Line> lines = new ArrayList<>();
        results.forEach(result -> lines.addAll(lines(result)));
        return AsciiTable.builder()
                .border(AsciiTable.NO_BORDERS)
                .data(
                        lines,
                        List.of(
                                left("servers x regions", Line::row),
                                left("balancer", Line::who),
                                right("seeds", Line::seeds),
                                left("max/mean, median (worst)", Line::evenness),
                                left("moves, median (worst)", Line::moves),
                                right("to heal", Line::toHeal),
                                left("ms, median (worst)", Line::millis)))
                .asString()
                .lines()
                .map(String::stripTrailing)
                .collect(Collectors.joining("\n"));
    }

    private static List<Line> lines(RowResult result) {
        List<Line> lines = new ArrayList<>();
        lines.add(ours(result));
        for (StockTuning tuning : StockTuning.values()) {
            List<StockRun> runs = result.stock(tuning);
            if (!runs.isEmpty()) {
                lines.add(stock(result, tuning, runs));
            }
        }
        return lines;
    }

    private static Line ours(RowResult result) {
        List<OurRun> runs = result.ours();
        List<PlanMeasure> after = runs.stream().map(OurRun::after).toList();
        String least = text(
                " = %.2f (%.2f) x least",
                Numbers.median(runs, OurRun::movesOverLeast), Numbers.worst(runs, OurRun::movesOverLeast));
        String apart = text(
                ", cpu %.1f; snapshot %.1f (%.1f)",
                Numbers.median(runs, OurRun::planCpuMillis),
                Numbers.median(runs, OurRun::snapshotMillis),
                Numbers.worst(runs, OurRun::snapshotMillis));
        return new Line(
                result.row().title(),
                "hearth",
                Integer.toString(runs.size()),
                evenness(result, after),
                moves(after) + least,
                toHeal(after),
                text("%.1f (%.1f)", Numbers.median(runs, OurRun::planMillis), Numbers.worst(runs, OurRun::planMillis))
                        + apart);
    }

    private static Line stock(RowResult result, StockTuning tuning, List<StockRun> runs) {
        List<PlanMeasure> after = runs.stream().map(StockRun::after).toList();
        return new Line(
                "",
                tuning.label(),
                Integer.toString(runs.size()),
                evenness(result, after),
                moves(after) + oursAsEven(runs),
                toHeal(after),
                text("%,.0f (%,.0f)", Numbers.median(runs, StockRun::millis), Numbers.worst(runs, StockRun::millis)));
    }

    private static String oursAsEven(List<StockRun> runs) {
        List<PlanMeasure> ours =
                runs.stream().flatMap(run -> run.oursAsEven().stream()).toList();
        return ours.isEmpty() ? "" : text(", hearth as even %s", moves(ours));
    }

    private static String evenness(RowResult result, List<PlanMeasure> after) {
        return result.dimensions().stream()
                .map(dimension -> text(
                        "%s %.3f (%.3f)",
                        shortName(dimension),
                        Numbers.median(after, measure -> measure.maxOverMean(dimension)),
                        Numbers.worst(after, measure -> measure.maxOverMean(dimension))))
                .collect(Collectors.joining(", "));
    }

    private static String shortName(LoadDimension dimension) {
        return switch (dimension) {
            case READS -> "r";
            case WRITES -> "w";
            case STORE_SIZE -> "b";
            case MEMSTORE -> "m";
        };
    }

    private static String moves(List<PlanMeasure> after) {
        return text(
                "%,.0f (%,.0f)", Numbers.median(after, PlanMeasure::moves), Numbers.worst(after, PlanMeasure::moves));
    }

    private static String toHeal(List<PlanMeasure> after) {
        double median = Numbers.median(after, PlanMeasure::bytesToHeal);
        return median == 0 ? "-" : text("%,.0f GB", median / (1 << 30));
    }

    private static String text(String format, Object... values) {
        return String.format(Locale.ROOT, format, values);
    }

    private static ColumnData<Line> left(String header, Function<Line, String> text) {
        return column(header, HorizontalAlign.LEFT, text);
    }

    private static ColumnData<Line> right(String header, Function<Line, String> text) {
        return column(header, HorizontalAlign.RIGHT, text);
    }

    private static ColumnData<Line> column(String header, HorizontalAlign align, Function<Line, String> text) {
        return new Column()
                .header(header)
                .headerAlign(align)
                .dataAlign(align)
                .maxWidth(80)
                .with(text);
    }
}
