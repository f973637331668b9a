// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.sim.cli;

import io.hearth.cli.view.Table;
import io.hearth.common.model.LoadDimension;
import io.hearth.sim.oracle.PlanEvaluation;
import java.util.List;
import java.util.Locale;

/** Alternatives side by side, as text. */
final class PlanComparisonTable {

    private PlanComparisonTable() {}

    static String of(List<EvaluatedPlan> alternatives) {
        return Table.of(
                        alternatives,
                        List.of(
                                Table.left("plan", EvaluatedPlan::who),
                                Table.right(
                                        "moves",
                                        plan -> Integer.toString(plan.after().moves())),
                                Table.right("reads", plan -> skew(plan, LoadDimension.READS)),
                                Table.right("writes", plan -> skew(plan, LoadDimension.WRITES)),
                                Table.right("store size", plan -> skew(plan, LoadDimension.STORE_SIZE)),
                                Table.right(
                                        "regions",
                                        plan -> plan.after().fewestRegions() + " to "
                                                + plan.after().mostRegions()),
                                Table.right(
                                        "to heal",
                                        plan -> text("%,d MB", plan.after().bytesToHeal() >> 20)),
                                Table.right("ms", plan -> text("%,d", plan.millis()))))
                .text();
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
