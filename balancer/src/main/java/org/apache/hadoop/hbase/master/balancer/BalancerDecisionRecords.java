// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package org.apache.hadoop.hbase.master.balancer;

import io.hearth.balancer.engine.Decision;
import io.hearth.balancer.plan.Plan;
import io.hearth.balancer.plan.Plan.DimensionOutcome;
import io.hearth.common.model.LoadDimension;
import java.util.List;
import java.util.Locale;
import java.util.StringJoiner;
import java.util.function.ToDoubleFunction;
import org.apache.hadoop.hbase.client.BalancerDecision;
import org.apache.hadoop.hbase.client.BalancerRejection;
import org.apache.hadoop.hbase.master.RegionPlan;
import org.jspecify.annotations.NullMarked;

/** Hearth's plans in the form of the stock balancer's, for {@code get_balancer_decisions} and {@code get_balancer_rejections}. */
@NullMarked
final class BalancerDecisionRecords {

    private BalancerDecisionRecords() {}

    /** A plan that is carried out. The costs are max/mean, its steps are its moves. */
    static BalancerDecision decision(Plan plan, List<RegionPlan> regionPlans) {
        return new BalancerDecision.Builder()
                .setInitTotalCost(worst(plan, DimensionOutcome::maxOverMeanBefore))
                .setInitialFunctionCosts(text(plan, DimensionOutcome::maxOverMeanBefore))
                .setComputedTotalCost(worst(plan, DimensionOutcome::maxOverMeanAfter))
                .setFinalFunctionCosts(text(plan, DimensionOutcome::maxOverMeanAfter))
                .setComputedSteps(plan.moves().size())
                .setRegionPlans(
                        regionPlans.stream().map(BalancerDecisionRecords::text).toList())
                .build();
    }

    /** A plan that is only advice. */
    static BalancerRejection rejection(Decision decision) {
        BalancerRejection.Builder builder = new BalancerRejection.Builder()
                .setReason("Hearth only advises (" + decision.whyNotCarriedOut().orElse("") + "): "
                        + decision.plan().summary());
        decision.plan().outcomeByDimension().forEach((dimension, outcome) -> {
            if (outcome.weighed()) {
                builder.addCostFuncInfo("max/mean of " + dimension.label(), outcome.maxOverMeanBefore(), 1);
            }
        });
        return builder.build();
    }

    /** A plan of the stock balancer's that is in {@code get_balancer_decisions}, and is not carried out. */
    static BalancerRejection refusal(String why) {
        return new BalancerRejection.Builder()
                .setReason("The stock plan just made is not carried out: " + why)
                .build();
    }

    private static double worst(Plan plan, ToDoubleFunction<DimensionOutcome> maxOverMean) {
        return plan.outcomeByDimension().values().stream()
                .filter(DimensionOutcome::weighed)
                .mapToDouble(maxOverMean)
                .max()
                .orElse(1);
    }

    private static String text(Plan plan, ToDoubleFunction<DimensionOutcome> maxOverMean) {
        StringJoiner text = new StringJoiner(", ", "Hearth's max/mean of ", "");
        for (LoadDimension dimension : LoadDimension.values()) {
            DimensionOutcome outcome = plan.outcome(dimension);
            if (outcome.weighed()) {
                text.add(String.format(Locale.ROOT, "%s: %.3f", dimension.label(), maxOverMean.applyAsDouble(outcome)));
            }
        }
        return text.toString();
    }

    /** As the stock balancer writes it. */
    private static String text(RegionPlan plan) {
        return "table: " + plan.getRegionInfo().getTable() + " , region: " + plan.getRegionName() + " , source: "
                + plan.getSource() + " , destination: " + plan.getDestination();
    }
}
