// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.bench.plan;

import io.hearth.bench.plan.PlanCaseResult.HearthRun;
import io.hearth.bench.plan.PlanCaseResult.StockRun;
import io.hearth.common.model.LoadDimension;
import io.hearth.sim.oracle.PlanEvaluation;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.apache.hadoop.hbase.master.balancer.StockSearch.StockTuning;

/** Holds the results to the thresholds: what does not hold, each in one sentence with the number and the threshold. */
public final class PlanViolations {

    /** Hearth's moves may be this share of tuned stock's, where that is no more even. */
    private static final double SHARE_OF_STOCK = 0.2;

    /** A threshold is a target that the planner may meet exactly: less than what is printed is not a miss. */
    private static final double ROUNDING = 5e-5;

    private final PlanCaseResult result;
    private final List<String> violations = new ArrayList<>();

    private PlanViolations(PlanCaseResult result) {
        this.result = result;
    }

    /** Every threshold of this row that does not hold; for all seeds what is about the plan, for the median what is about time. */
    public static List<String> of(PlanCaseResult result) {
        PlanViolations violations = new PlanViolations(result);
        result.dimensions().forEach(violations::evenness);
        violations.moves();
        violations.regionCounts();
        violations.times();
        violations.againstStock();
        return List.copyOf(violations.violations);
    }

    private void evenness(LoadDimension dimension) {
        double threshold = result.row().evennessThreshold().getOrDefault(dimension, 1.0);
        double worst = Statistics.worst(result.hearth(), run -> run.evenness(dimension));
        if (worst > threshold + ROUNDING) {
            violation("max/mean of %s is %.4f x its lower bound, above %.2f", dimension.label(), worst, threshold);
        }
    }

    private void moves() {
        double threshold = result.row().movesThreshold();
        double worst = Statistics.worst(result.hearth(), HearthRun::movesOverLeast);
        if (threshold > 0 && worst > threshold) {
            violation("the moves are %.3f x the least, above %.2f", worst, threshold);
        }
    }

    private void regionCounts() {
        for (HearthRun run : result.hearth()) {
            run.countProblems().stream()
                    .findFirst()
                    .ifPresent(first -> violation(
                            "seed %d: %d servers have too few or too many regions; %s",
                            run.seed(), run.countProblems().size(), first));
        }
    }

    private void times() {
        double plan = Statistics.median(result.hearth(), HearthRun::planMillis);
        if (plan > result.row().millisThreshold()) {
            violation("the plan takes %.1f ms, above %d ms", plan, result.row().millisThreshold());
        }
        double snapshot = Statistics.median(result.hearth(), HearthRun::snapshotMillis);
        if (result.row().snapshotMillisThreshold() > 0
                && snapshot > result.row().snapshotMillisThreshold()) {
            violation(
                    "the snapshot takes %.1f ms, above %d ms",
                    snapshot, result.row().snapshotMillisThreshold());
        }
    }

    /** Where the stock balancer found a plan, Hearth's that is as even is asked for and the moves are compared. */
    private void againstStock() {
        if (result.row().kind() == PlanBenchCase.Kind.EVERYTHING) {
            for (StockRun stock : result.stock(StockTuning.TUNED)) {
                stock.hearthAsEven().ifPresent(hearth -> against(hearth, stock));
            }
        }
    }

    private void against(PlanEvaluation hearth, StockRun stock) {
        if (hearth.moves() > SHARE_OF_STOCK * stock.after().moves()) {
            violation(
                    "seed %d takes %d moves to be as even as tuned stock, more than 1/5 of its %d",
                    stock.seed(), hearth.moves(), stock.after().moves());
        }
        for (LoadDimension dimension : result.dimensions()) {
            if (hearth.maxOverMean(dimension) > stock.after().maxOverMean(dimension) + ROUNDING) {
                violation(
                        "seed %d brings max/mean of %s to %.4f only, tuned stock to %.4f",
                        stock.seed(),
                        dimension.label(),
                        hearth.maxOverMean(dimension),
                        stock.after().maxOverMean(dimension));
            }
        }
    }

    private void violation(String format, Object... values) {
        violations.add(result.row().title() + ": " + String.format(Locale.ROOT, format, values));
    }
}
