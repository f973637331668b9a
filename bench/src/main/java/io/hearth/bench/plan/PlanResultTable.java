// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.bench.plan;

import io.hearth.bench.plan.PlanCaseResult.HearthRun;
import io.hearth.bench.plan.PlanCaseResult.StockRun;
import io.hearth.cli.view.Table;
import io.hearth.common.model.LoadDimension;
import io.hearth.sim.oracle.PlanEvaluation;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;
import org.apache.hadoop.hbase.master.balancer.StockSearch.StockTuning;

/** The results as a table: for each row of the benchmark one line for Hearth and one for each stock configuration. */
public final class PlanResultTable {

    private PlanResultTable() {}

    /** One line of the table. */
    private record Line(
            String row, String who, String seeds, String evenness, String moves, String toHeal, String millis) {}

    /** The table, a line for each row and balancer. */
    public static String of(List<PlanCaseResult> results) {
        List<Line> lines = new ArrayList<>();
        results.forEach(result -> lines.addAll(lines(result)));
        return Table.of(
                        lines,
                        List.of(
                                Table.left("servers x regions", Line::row),
                                Table.left("balancer", Line::who),
                                Table.right("seeds", Line::seeds),
                                Table.left("max/mean, median (worst)", Line::evenness),
                                Table.left("moves, median (worst)", Line::moves),
                                Table.right("to heal", Line::toHeal),
                                Table.left("ms, median (worst)", Line::millis)))
                .text();
    }

    private static List<Line> lines(PlanCaseResult result) {
        List<Line> lines = new ArrayList<>();
        lines.add(hearth(result));
        for (StockTuning tuning : StockTuning.values()) {
            List<StockRun> runs = result.stock(tuning);
            if (!runs.isEmpty()) {
                lines.add(stock(result, tuning, runs));
            }
        }
        return lines;
    }

    private static Line hearth(PlanCaseResult result) {
        List<HearthRun> runs = result.hearth();
        List<PlanEvaluation> after = runs.stream().map(HearthRun::after).toList();
        String least = text(
                " = %.2f (%.2f) x least",
                Statistics.median(runs, HearthRun::movesOverLeast), Statistics.worst(runs, HearthRun::movesOverLeast));
        String apart = text(
                ", cpu %.1f; snapshot %.1f (%.1f)",
                Statistics.median(runs, HearthRun::planCpuMillis),
                Statistics.median(runs, HearthRun::snapshotMillis),
                Statistics.worst(runs, HearthRun::snapshotMillis));
        return new Line(
                result.row().title(),
                "hearth",
                Integer.toString(runs.size()),
                evenness(result, after),
                moves(after) + least,
                toHeal(after),
                text(
                                "%.1f (%.1f)",
                                Statistics.median(runs, HearthRun::planMillis),
                                Statistics.worst(runs, HearthRun::planMillis))
                        + apart);
    }

    private static Line stock(PlanCaseResult result, StockTuning tuning, List<StockRun> runs) {
        List<PlanEvaluation> after = runs.stream().map(StockRun::after).toList();
        return new Line(
                "",
                tuning.label(),
                Integer.toString(runs.size()),
                evenness(result, after),
                moves(after) + hearthAsEven(runs),
                toHeal(after),
                text(
                        "%,.0f (%,.0f)",
                        Statistics.median(runs, StockRun::millis), Statistics.worst(runs, StockRun::millis)));
    }

    private static String hearthAsEven(List<StockRun> runs) {
        List<PlanEvaluation> hearth =
                runs.stream().flatMap(run -> run.hearthAsEven().stream()).toList();
        return hearth.isEmpty() ? "" : text(", hearth as even %s", moves(hearth));
    }

    private static String evenness(PlanCaseResult result, List<PlanEvaluation> after) {
        return result.dimensions().stream()
                .map(dimension -> text(
                        "%s %.3f (%.3f)",
                        shortName(dimension),
                        Statistics.median(after, measure -> measure.maxOverMean(dimension)),
                        Statistics.worst(after, measure -> measure.maxOverMean(dimension))))
                .collect(Collectors.joining(", "));
    }

    private static String shortName(LoadDimension dimension) {
        return dimension == LoadDimension.STORE_SIZE ? "b" : dimension.label().substring(0, 1);
    }

    private static String moves(List<PlanEvaluation> after) {
        return text(
                "%,.0f (%,.0f)",
                Statistics.median(after, PlanEvaluation::moves), Statistics.worst(after, PlanEvaluation::moves));
    }

    private static String toHeal(List<PlanEvaluation> after) {
        double median = Statistics.median(after, PlanEvaluation::bytesToHeal);
        return median == 0 ? "-" : text("%,.0f GB", median / (1 << 30));
    }

    private static String text(String format, Object... values) {
        return String.format(Locale.ROOT, format, values);
    }
}
