// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.sim.cli;

import io.hearth.balancer.config.GoalSettings;
import io.hearth.cli.view.Table;
import io.hearth.common.model.LoadDimension;
import io.hearth.sim.oracle.PlanEvaluation;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** Alternatives side by side, as text. */
final class PlanComparisonTable {

    private PlanComparisonTable() {}

    static String of(List<EvaluatedPlan> alternatives) {
        List<Table.RowColumn<EvaluatedPlan>> columns = new ArrayList<>();
        columns.add(Table.left("plan", EvaluatedPlan::who));
        columns.add(Table.right("moves", plan -> Integer.toString(plan.after().moves())));
        LoadDimension.shown().stream()
                .filter(dimension -> isOfInterest(alternatives, dimension))
                .forEach(dimension -> columns.add(Table.right(dimension.label(), plan -> skew(plan, dimension))));
        columns.addAll(List.of(
                Table.right(
                        "regions",
                        plan -> plan.after().fewestRegions() + " to "
                                + plan.after().mostRegions()),
                Table.right("to heal", plan -> text("%,d MB", plan.after().bytesToHeal() >> 20)),
                Table.right("ms", plan -> text("%,d", plan.millis()))));
        return Table.of(alternatives, columns).text();
    }

    /** Whether plans weigh it unless a site says otherwise, or a server has more of it than another. */
    private static boolean isOfInterest(List<EvaluatedPlan> alternatives, LoadDimension dimension) {
        return GoalSettings.cost(dimension).defaultValue() > 0
                || alternatives.stream().anyMatch(plan -> plan.after().maxOverMean(dimension) > 1);
    }

    private static String skew(EvaluatedPlan plan, LoadDimension dimension) {
        return text("%.3f", plan.after().maxOverMean(dimension));
    }

    private static String text(String format, Object... values) {
        return String.format(Locale.ROOT, format, values);
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
