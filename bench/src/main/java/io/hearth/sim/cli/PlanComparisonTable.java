// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.sim.cli;

import com.github.freva.asciitable.AsciiTable;
import com.github.freva.asciitable.Column;
import com.github.freva.asciitable.ColumnData;
import com.github.freva.asciitable.HorizontalAlign;
import io.hearth.common.model.LoadDimension;
import io.hearth.sim.oracle.PlanEvaluation;
import java.util.List;
import java.util.Locale;
import java.util.function.Function;
import java.util.stream.Collectors;

/** Alternatives side by side, as text. */
final class PlanComparisonTable {

    private PlanComparisonTable() {}

    static String of(List<EvaluatedPlan> alternatives) {
        return AsciiTable.builder()
                .border(AsciiTable.NO_BORDERS)
                .data(
                        alternatives,
                        List.of(
                                column("plan", HorizontalAlign.LEFT, EvaluatedPlan::who),
                                right(
                                        "moves",
                                        plan -> Integer.toString(plan.after().moves())),
                                right("reads", plan -> skew(plan, LoadDimension.READS)),
                                right("writes", plan -> skew(plan, LoadDimension.WRITES)),
                                right("store size", plan -> skew(plan, LoadDimension.STORE_SIZE)),
                                right(
                                        "regions",
                                        plan -> plan.after().fewestRegions() + " to "
                                                + plan.after().mostRegions()),
                                right(
                                        "to heal",
                                        plan -> text("%,d MB", plan.after().bytesToHeal() >> 20)),
                                right("ms", plan -> text("%,d", plan.millis()))))
                .asString()
                .lines()
                .map(String::stripTrailing)
                .collect(Collectors.joining("\n"));
    }

    private static String skew(EvaluatedPlan plan, LoadDimension dimension) {
        return text("%.3f", plan.after().maxOverMean(dimension));
    }

    private static String text(String format, Object... values) {
        return String.format(Locale.ROOT, format, values);
    }

    private static ColumnData<EvaluatedPlan> right(String header, Function<EvaluatedPlan, String> text) {
        return column(header, HorizontalAlign.RIGHT, text);
    }

    private static ColumnData<EvaluatedPlan> column(
            String header, HorizontalAlign align, Function<EvaluatedPlan, String> text) {
        return new Column().header(header).headerAlign(align).dataAlign(align).with(text);
    }

    /**
     * One thing that could be done with a cluster, and what comes of it. Immutable.
     *
     * @param who whose plan it is
     * @param after the cluster when it is done
     * @param millis how long it took to plan, in milliseconds
     */
    record EvaluatedPlan(String who, PlanEvaluation after, long millis) {}
}
