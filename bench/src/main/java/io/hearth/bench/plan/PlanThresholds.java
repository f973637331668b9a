// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.bench.plan;

import io.hearth.bench.plan.PlanCaseResult.HearthRun;
import io.hearth.bench.plan.PlanCaseResult.StockRun;
import io.hearth.bench.threshold.ThresholdReport;
import io.hearth.bench.threshold.ThresholdReport.Figure;
import io.hearth.common.model.LoadDimension;
import io.hearth.sim.oracle.PlanEvaluation;
import java.util.List;
import java.util.Locale;
import org.apache.hadoop.hbase.master.balancer.StockSearch.StockTuning;

/**
 * The results as figures beside the thresholds of Hearth's; what does not hold is one sentence with the number and the threshold. Not
 * thread-safe.
 */
public final class PlanThresholds {

    /** Hearth's moves may be this share of tuned stock's, where that is no more even. */
    private static final double SHARE_OF_STOCK = 0.2;

    /** A threshold is a target that the planner may meet exactly: less than what is printed is not a miss. */
    private static final double ROUNDING = 5e-5;

    private static final double GIBIBYTE = 1 << 30;

    private final PlanCaseResult result;
    private final String ofHearth;
    private final ThresholdReport report = new ThresholdReport();

    private PlanThresholds(PlanCaseResult result) {
        this.result = result;
        ofHearth = of("hearth");
    }

    /** Every figure of this row; thresholds are for all seeds where they are about the plan, for the median where they are about time. */
    public static ThresholdReport of(PlanCaseResult result) {
        PlanThresholds thresholds = new PlanThresholds(result);
        thresholds.report.add(
                Figure.of(thresholds.ofHearth, "seeds", result.hearth().size(), ""));
        result.dimensions().forEach(thresholds::evenness);
        thresholds.moves();
        thresholds.regionCounts();
        thresholds.times();
        thresholds.againstStock();
        for (StockTuning tuning : StockTuning.values()) {
            thresholds.stock(tuning);
        }
        return thresholds.report;
    }

    private String of(String balancer) {
        return result.row().title() + ", " + balancer;
    }

    private void evenness(LoadDimension dimension) {
        double threshold = result.row().evennessThreshold().getOrDefault(dimension, 1.0);
        double worst = Statistics.worst(result.hearth(), run -> run.evenness(dimension));
        maxOverMean(
                ofHearth,
                dimension,
                result.hearth().stream().map(HearthRun::after).toList());
        report.add(
                Figure.of(ofHearth, "max/mean of " + dimension.label() + " / its lower bound, worst", worst, "x")
                        .atMost(threshold, !(worst > threshold + ROUNDING)),
                missed("max/mean of %s is %.4f x its lower bound, above %.2f", dimension.label(), worst, threshold));
    }

    private void maxOverMean(String of, LoadDimension dimension, List<PlanEvaluation> after) {
        String figure = "max/mean of " + dimension.label();
        report.add(Figure.of(
                of, figure + ", median", Statistics.median(after, measure -> measure.maxOverMean(dimension)), ""));
        report.add(Figure.of(
                of, figure + ", worst", Statistics.worst(after, measure -> measure.maxOverMean(dimension)), ""));
    }

    private void moves() {
        double threshold = result.row().movesThreshold();
        moves(ofHearth, "moves", result.hearth().stream().map(HearthRun::after).toList());
        double median = Statistics.median(result.hearth(), HearthRun::movesOverLeast);
        report.add(Figure.of(ofHearth, "moves / least, median", median, "x"));
        double worst = Statistics.worst(result.hearth(), HearthRun::movesOverLeast);
        Figure figure = Figure.of(ofHearth, "moves / least, worst", worst, "x");
        report.add(
                threshold > 0 ? figure.atMost(threshold, !(worst > threshold)) : figure,
                missed("the moves are %.3f x the least, above %.2f", worst, threshold));
        toHeal(ofHearth, result.hearth().stream().map(HearthRun::after).toList());
    }

    private void moves(String of, String figure, List<PlanEvaluation> after) {
        report.add(Figure.of(of, figure + ", median", Statistics.median(after, PlanEvaluation::moves), ""));
        report.add(Figure.of(of, figure + ", worst", Statistics.worst(after, PlanEvaluation::moves), ""));
    }

    private void toHeal(String of, List<PlanEvaluation> after) {
        double median = Statistics.median(after, PlanEvaluation::bytesToHeal);
        report.add(Figure.of(of, "to heal, median", median / GIBIBYTE, "GB"));
    }

    private void regionCounts() {
        int servers = 0;
        for (HearthRun run : result.hearth()) {
            servers += run.countProblems().size();
            run.countProblems().stream()
                    .findFirst()
                    .ifPresent(first -> report.violation(missed(
                            "seed %d: %d servers have too few or too many regions; %s",
                            run.seed(), run.countProblems().size(), first)));
        }
        report.add(Figure.of(ofHearth, "servers with too few or too many regions", servers, "")
                .none());
    }

    private void times() {
        List<HearthRun> runs = result.hearth();
        double plan = Statistics.median(runs, HearthRun::planMillis);
        long mostMs = result.row().millisThreshold();
        report.add(
                Figure.of(ofHearth, "time of a plan, median", plan, "ms").atMost((double) mostMs, !(plan > mostMs)),
                missed("the plan takes %.1f ms, above %d ms", plan, mostMs));
        add("time of a plan, worst", Statistics.worst(runs, HearthRun::planMillis));
        add("CPU of a plan, median", Statistics.median(runs, HearthRun::planCpuMillis));
        double snapshot = Statistics.median(runs, HearthRun::snapshotMillis);
        long mostOfSnapshotMs = result.row().snapshotMillisThreshold();
        Figure figure = Figure.of(ofHearth, "time of a snapshot, median", snapshot, "ms");
        report.add(
                mostOfSnapshotMs > 0
                        ? figure.atMost((double) mostOfSnapshotMs, !(snapshot > mostOfSnapshotMs))
                        : figure,
                missed("the snapshot takes %.1f ms, above %d ms", snapshot, mostOfSnapshotMs));
        add("time of a snapshot, worst", Statistics.worst(runs, HearthRun::snapshotMillis));
    }

    private void add(String figure, double millis) {
        report.add(Figure.of(ofHearth, figure, millis, "ms"));
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
        String of = of("hearth as even as tuned stock, seed " + stock.seed());
        double mostMoves = SHARE_OF_STOCK * stock.after().moves();
        report.add(
                Figure.of(of, "moves", hearth.moves(), "").atMost(mostMoves, !(hearth.moves() > mostMoves)),
                missed(
                        "seed %d takes %d moves to be as even as tuned stock, more than 1/5 of its %d",
                        stock.seed(), hearth.moves(), stock.after().moves()));
        for (LoadDimension dimension : result.dimensions()) {
            double ofHearthsPlan = hearth.maxOverMean(dimension);
            double ofStock = stock.after().maxOverMean(dimension);
            report.add(
                    Figure.of(of, "max/mean of " + dimension.label(), ofHearthsPlan, "")
                            .atMost(ofStock, !(ofHearthsPlan > ofStock + ROUNDING)),
                    missed(
                            "seed %d brings max/mean of %s to %.4f only, tuned stock to %.4f",
                            stock.seed(), dimension.label(), ofHearthsPlan, ofStock));
        }
    }

    private void stock(StockTuning tuning) {
        List<StockRun> runs = result.stock(tuning);
        if (runs.isEmpty()) {
            return;
        }
        String of = of(tuning.label());
        List<PlanEvaluation> after = runs.stream().map(StockRun::after).toList();
        report.add(Figure.of(of, "seeds", runs.size(), ""));
        result.dimensions().forEach(dimension -> maxOverMean(of, dimension, after));
        moves(of, "moves", after);
        List<PlanEvaluation> hearth =
                runs.stream().flatMap(run -> run.hearthAsEven().stream()).toList();
        if (!hearth.isEmpty()) {
            moves(of, "moves of hearth as even", hearth);
        }
        toHeal(of, after);
        report.add(Figure.of(of, "time of a plan, median", Statistics.median(runs, StockRun::millis), "ms"));
        report.add(Figure.of(of, "time of a plan, worst", Statistics.worst(runs, StockRun::millis), "ms"));
    }

    private String missed(String format, Object... values) {
        return result.row().title() + ": " + String.format(Locale.ROOT, format, values);
    }
}
