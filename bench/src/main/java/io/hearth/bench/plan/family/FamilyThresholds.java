// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.bench.plan.family;

import io.hearth.bench.plan.Statistics;
import io.hearth.bench.plan.family.EvennessCertificate.ServerAbove;
import io.hearth.bench.plan.family.RecordedFigures.Figures;
import io.hearth.bench.threshold.ThresholdReport;
import io.hearth.bench.threshold.ThresholdReport.Figure;
import io.hearth.common.model.LoadDimension;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;

/**
 * The results of families as figures beside the thresholds; what does not hold is one sentence that begins with the cluster and what it is
 * about, and then has the number and the threshold. By its beginning one that is known can be told. Not thread-safe.
 */
public final class FamilyThresholds {

    /** Servers above what is asked, of all of a cluster's, that a certificate may excuse. */
    private static final double CERTIFIED_SERVERS = 0.02;

    private static final double SECOND_PLAN = 0.01;
    private static final double MOVES_OVER_SOLVER = 1.03;
    private static final double TIME_OVER_RANDOM_HEAT = 2;

    private final ThresholdReport report = new ThresholdReport();

    private FamilyThresholds() {}

    /**
     * Every figure.
     *
     * @param millisOfRandomHeat processor time of a plan for random heat, by family and size
     */
    public static ThresholdReport of(List<FamilyResult> results, Map<String, Double> millisOfRandomHeat) {
        FamilyThresholds thresholds = new FamilyThresholds();
        RecordedFigures solver = RecordedFigures.ofSolver();
        for (FamilyResult result : results) {
            thresholds.plans(result);
            thresholds.evenness(result);
            thresholds.figures(result);
            solver.of(result.instance()).ifPresent(figures -> thresholds.solver(result, figures));
        }
        thresholds.movesAgainstSolver(results, solver);
        Map<String, List<FamilyResult>> byRow = new LinkedHashMap<>();
        results.forEach(result -> byRow.computeIfAbsent(row(result.instance()), any -> new ArrayList<>())
                .add(result));
        byRow.forEach((row, ofRow) -> {
            thresholds.bytes(row, ofRow);
            thresholds.time(row, ofRow, millisOfRandomHeat.getOrDefault(row, 0.0));
        });
        return thresholds.report;
    }

    /** The thresholds of every plan for this cluster: hard rules, and that the second one finds nothing to move. */
    static ThresholdReport ofPlans(FamilyResult result) {
        FamilyThresholds thresholds = new FamilyThresholds();
        thresholds.plans(result);
        return thresholds.report;
    }

    /** The threshold of evenness by the first plan for this cluster. */
    static ThresholdReport ofEvenness(FamilyResult result) {
        FamilyThresholds thresholds = new FamilyThresholds();
        thresholds.evenness(result);
        return thresholds.report;
    }

    /** The family and size of a cluster. */
    public static String row(FamilyInstance instance) {
        return instance.family().label() + " " + instance.size();
    }

    private void plans(FamilyResult result) {
        report.add(
                figure(result, "hard rules that do not hold", result.problems().size())
                        .none());
        result.problems().forEach(problem -> report.violation(missed(result, "%s", problem)));
        int second = result.movesOfSecond();
        double most = SECOND_PLAN * result.first().moves();
        report.add(
                figure(result, "moves of the second plan", second).atMost(most, !(second > most)),
                missed(
                        result,
                        "the second plan moves %d, the first %d",
                        second,
                        result.first().moves()));
        report.add(
                figure(result, "moves of the last plan", result.last().moves()).none(),
                missed(
                        result,
                        "plan %d still moves %d",
                        result.plans().size(),
                        result.last().moves()));
        report.add(
                figure(result, "regions moved more than once", result.movedTwice())
                        .none(),
                missed(result, "%d regions move more than once", result.movedTwice()));
    }

    private void evenness(FamilyResult result) {
        List<ServerAbove> unexcused =
                result.above().stream().filter(server -> !server.isExcused()).toList();
        Figure without = figure(result, "servers above what is asked without a certificate", (double) hosts(unexcused))
                .none();
        long above = hosts(result.above());
        Figure all = figure(result, "servers above what is asked", (double) above);
        double most = CERTIFIED_SERVERS * result.servers();
        if (!unexcused.isEmpty()) {
            report.add(
                    without,
                    missed(
                            result,
                            "servers above what is asked without a certificate: %d; %s",
                            hosts(unexcused),
                            unexcused.get(0).text()));
            report.add(all);
        } else if (above > most) {
            report.add(without);
            report.add(
                    all.atMost(most, false),
                    missed(
                            result,
                            "servers above what is asked with a certificate: %d of %d, more than 2 %%; %s",
                            above,
                            result.servers(),
                            result.above().get(0).text()));
        } else {
            report.add(without);
            report.add(all.atMost(most, true));
        }
    }

    private static long hosts(List<ServerAbove> servers) {
        return servers.stream().map(ServerAbove::host).distinct().count();
    }

    /** Those without a threshold. */
    private void figures(FamilyResult result) {
        for (LoadDimension dimension : result.instance().dimensions()) {
            String maxOverMean = "max/mean of " + dimension.label();
            report.add(figure(result, maxOverMean + " before", result.before().maxOverMean(dimension)));
            report.add(figure(result, maxOverMean, result.first().maxOverMean(dimension)));
            report.add(figure(result, maxOverMean + ", bound", result.bound(dimension)));
            report.add(figure(
                    result, maxOverMean + " where it stands", result.last().maxOverMean(dimension)));
        }
        report.add(figure(result, "moves", result.first().moves()));
        report.add(figure(result, "moves of all plans", result.movesOfAll()));
        report.add(figure(result, "plans that move", result.plansThatMove()));
        String of = result.instance().title();
        report.add(Figure.of(of, "to heal", result.gigabytesOfFirst(), "GB"));
        report.add(Figure.of(of, "to heal, all plans", result.gigabytesOfAll(), "GB"));
        report.add(Figure.of(of, "CPU of a plan", result.cpuMillis(), "ms"));
    }

    private void solver(FamilyResult result, Figures solver) {
        for (LoadDimension dimension : result.instance().dimensions()) {
            report.add(figure(
                    result,
                    "solver's max/mean of " + dimension.label(),
                    solver.number(FamilyResultTable.column(dimension))));
        }
        double moves = solver.number("moves");
        report.add(figure(result, "solver's moves", moves));
        report.add(Figure.of(result.instance().title(), "solver's to heal", solver.number("gb_to_heal"), "GB"));
        report.add(Figure.of(
                result.instance().title(), "moves of all plans / solver's", result.movesOfAll() / moves, "x"));
    }

    private static Figure figure(FamilyResult result, String figure, double value) {
        return Figure.of(result.instance().title(), figure, value, "");
    }

    private void movesAgainstSolver(List<FamilyResult> results, RecordedFigures solver) {
        List<Double> ratios = new ArrayList<>();
        for (FamilyResult result : results) {
            solver.of(result.instance())
                    .ifPresent(figures -> ratios.add(result.movesOfAll() / figures.number("moves")));
        }
        if (ratios.isEmpty()) {
            return;
        }
        double median = Statistics.median(ratios, ratio -> ratio);
        report.add(
                Figure.of("", "moves of all plans / solver's, median", median, "x")
                        .atMost(MOVES_OVER_SOLVER, !(median > MOVES_OVER_SOLVER)),
                String.format(
                        Locale.ROOT,
                        "the moves are %.3f x the solver's in median over %d clusters, above %.2f",
                        median,
                        ratios.size(),
                        MOVES_OVER_SOLVER));
    }

    /** Of all the clusters of a row that the earlier planner was measured on. */
    private void bytes(String row, List<FamilyResult> results) {
        RecordedFigures baseline = RecordedFigures.ofBaseline();
        double now = 0;
        double before = 0;
        int measured = 0;
        for (FamilyResult result : results) {
            Optional<Figures> earlier = baseline.of(result.instance());
            if (earlier.isPresent()) {
                now += result.gigabytesOfAll();
                before += earlier.get().number("gb");
                measured++;
            }
        }
        if (measured > 0) {
            double most = before + 0.5 * results.size();
            report.add(
                    Figure.of(row, "to heal, all plans of the clusters that the earlier planner had", now, "GB")
                            .atMost(most, !(now > most)),
                    String.format(
                            Locale.ROOT,
                            "%s: bytes to heal are %.0f GB, above the %.0f of the earlier planner",
                            row,
                            now,
                            before));
        }
    }

    private void time(String row, List<FamilyResult> results, double ofRandomHeat) {
        double millis = Statistics.median(results, FamilyResult::cpuMillis);
        Figure figure = Figure.of(row, "CPU of a plan, median", millis, "ms");
        double most = TIME_OVER_RANDOM_HEAT * ofRandomHeat;
        report.add(
                ofRandomHeat > 0 ? figure.atMost(most, !(millis > most)) : figure,
                String.format(
                        Locale.ROOT,
                        "%s: a plan takes %.1f ms of processor time, above %.0f x the %.1f of random heat",
                        row,
                        millis,
                        TIME_OVER_RANDOM_HEAT,
                        ofRandomHeat));
    }

    private static String missed(FamilyResult result, String format, Object... values) {
        return result.instance().title() + ": " + String.format(Locale.ROOT, format, values);
    }
}
