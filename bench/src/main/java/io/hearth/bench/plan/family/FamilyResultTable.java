// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.bench.plan.family;

import io.hearth.bench.plan.family.RecordedFigures.Figures;
import io.hearth.cli.view.Table;
import io.hearth.common.model.LoadDimension;
import io.hearth.sim.oracle.PlanEvaluation;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.function.ToDoubleFunction;
import java.util.stream.Collectors;

/** The results of families as a table for people, a line for each cluster, and as lines for the files of figures. */
public final class FamilyResultTable {

    private FamilyResultTable() {}

    /** The table. */
    public static String of(List<FamilyResult> results) {
        RecordedFigures solver = RecordedFigures.ofSolver();
        return Table.of(
                        results,
                        List.of(
                                Table.left(
                                        "cluster", result -> result.instance().title()),
                                Table.left("max/mean before", result -> shares(result, result.before())),
                                Table.left("first plan", result -> shares(result, result.first())),
                                Table.left("bound", result -> join(result, result::bound)),
                                Table.left("where it stands", result -> shares(result, result.last())),
                                Table.right(
                                        "moves", result -> number(result.first().moves())),
                                Table.right("second", result -> number(result.movesOfSecond())),
                                Table.right("all (plans)", FamilyResultTable::all),
                                Table.right("twice", result -> number(result.movedTwice())),
                                Table.right("GB (all)", FamilyResultTable::gigabytes),
                                Table.right("cpu ms", result -> text("%.1f", result.cpuMillis())),
                                Table.left("solver", result -> solver(result, solver.of(result.instance())))))
                .text();
    }

    /** One line of the solver's: max/mean, moves, GB, and all of Hearth's moves against its. */
    private static String solver(FamilyResult result, Optional<Figures> figures) {
        return figures.map(solver -> text(
                        "%s; %.0f moves, %.0f GB; x%.3f",
                        join(result, dimension -> solver.number(column(dimension))),
                        solver.number("moves"),
                        solver.number("gb_to_heal"),
                        result.movesOfAll() / solver.number("moves")))
                .orElse("");
    }

    /** What files of figures call it. */
    static String column(LoadDimension dimension) {
        return dimension == LoadDimension.STORE_SIZE ? "bytes" : dimension.label();
    }

    private static String all(FamilyResult result) {
        return text("%,d (%s%d)", result.movesOfAll(), result.stands() ? "" : ">", result.plansThatMove());
    }

    private static String gigabytes(FamilyResult result) {
        return text("%,.0f (%,.0f)", result.gigabytesOfFirst(), result.gigabytesOfAll());
    }

    private static String shares(FamilyResult result, PlanEvaluation measured) {
        return join(result, measured::maxOverMean);
    }

    private static String join(FamilyResult result, ToDoubleFunction<LoadDimension> share) {
        return result.instance().dimensions().stream()
                .map(dimension -> text("%.3f", share.applyAsDouble(dimension)))
                .collect(Collectors.joining(" "));
    }

    private static String number(int number) {
        return text("%,d", number);
    }

    private static String text(String format, Object... values) {
        return String.format(Locale.ROOT, format, values);
    }

    /** The lines of a file of figures, the columns' names first. */
    public static List<String> lines(List<FamilyResult> results) {
        List<String> lines = new ArrayList<>();
        lines.add(
                "family\tservers\tregions_per_server\tseed\treads\twrites\tbytes\tstands_reads\tstands_writes"
                        + "\tstands_bytes\tbound_reads\tbound_writes\tbound_bytes\tmoves\tmoves_of_all\tplans\tgb_of_first\tgb\tms");
        for (FamilyResult result : results) {
            lines.add(text(
                    "%s\t%d\t%d\t%d\t%s\t%s\t%s\t%d\t%d\t%d\t%.1f\t%.1f\t%.1f",
                    result.instance().family().label(),
                    result.instance().size().servers(),
                    result.instance().size().regionsPerServer(),
                    result.instance().seed(),
                    columns(result.first()::maxOverMean),
                    columns(result.last()::maxOverMean),
                    columns(result::bound),
                    result.first().moves(),
                    result.movesOfAll(),
                    result.plansThatMove(),
                    result.gigabytesOfFirst(),
                    result.gigabytesOfAll(),
                    result.cpuMillis()));
        }
        return lines;
    }

    private static String columns(ToDoubleFunction<LoadDimension> share) {
        return List.of(LoadDimension.READS, LoadDimension.WRITES, LoadDimension.STORE_SIZE).stream()
                .map(dimension -> text("%.3f", share.applyAsDouble(dimension)))
                .collect(Collectors.joining("\t"));
    }
}
