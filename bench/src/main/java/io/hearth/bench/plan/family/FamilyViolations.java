// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.bench.plan.family;

import io.hearth.bench.plan.Statistics;
import io.hearth.bench.plan.family.EvennessCertificate.ServerAbove;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/**
 * Holds the results of families to the thresholds: what does not hold, each in one sentence that begins with the cluster and what it is
 * about, and then has the number and the threshold. By its beginning one that is known can be told.
 */
public final class FamilyViolations {

    /** Servers above what is asked, of all of a cluster's, that a certificate may excuse. */
    private static final double CERTIFIED_SERVERS = 0.02;

    private static final double SECOND_PLAN = 0.01;
    private static final double MOVES_OVER_SOLVER = 1.03;
    private static final double TIME_OVER_RANDOM_HEAT = 2;

    private final List<String> violations = new ArrayList<>();

    private FamilyViolations() {}

    /**
     * Every threshold that does not hold.
     *
     * @param millisOfRandomHeat processor time of a plan for random heat, by family and size
     */
    public static List<String> of(List<FamilyResult> results, Map<String, Double> millisOfRandomHeat) {
        FamilyViolations violations = new FamilyViolations();
        for (FamilyResult result : results) {
            violations.plans(result);
            violations.evenness(result);
        }
        violations.movesAgainstSolver(results);
        Map<String, List<FamilyResult>> byRow = new LinkedHashMap<>();
        results.forEach(result -> byRow.computeIfAbsent(row(result.instance()), any -> new ArrayList<>())
                .add(result));
        byRow.forEach((row, ofRow) -> {
            violations.bytes(row, ofRow);
            violations.time(row, ofRow, millisOfRandomHeat.getOrDefault(row, 0.0));
        });
        return List.copyOf(violations.violations);
    }

    /** The thresholds of every plan that do not hold for this cluster: hard rules, and that the second one finds nothing to move. */
    static List<String> ofPlans(FamilyResult result) {
        FamilyViolations violations = new FamilyViolations();
        violations.plans(result);
        return List.copyOf(violations.violations);
    }

    /** The threshold of evenness by the first plan, where it does not hold for this cluster. */
    static List<String> ofEvenness(FamilyResult result) {
        FamilyViolations violations = new FamilyViolations();
        violations.evenness(result);
        return List.copyOf(violations.violations);
    }

    /** The family and size of a cluster. */
    public static String row(FamilyInstance instance) {
        return instance.family().label() + " " + instance.size();
    }

    private void plans(FamilyResult result) {
        result.problems().forEach(problem -> violation(result, "%s", problem));
        int second = result.movesOfSecond();
        if (second > SECOND_PLAN * result.first().moves()) {
            violation(
                    result,
                    "the second plan moves %d, the first %d",
                    second,
                    result.first().moves());
        }
        if (!result.stands()) {
            violation(
                    result,
                    "plan %d still moves %d",
                    result.plans().size(),
                    result.last().moves());
        }
        if (result.movedTwice() > 0) {
            violation(result, "%d regions move more than once", result.movedTwice());
        }
    }

    private void evenness(FamilyResult result) {
        List<ServerAbove> unexcused =
                result.above().stream().filter(server -> !server.isExcused()).toList();
        if (!unexcused.isEmpty()) {
            violation(
                    result,
                    "servers above what is asked without a certificate: %d; %s",
                    hosts(unexcused),
                    unexcused.get(0).text());
        } else if (hosts(result.above()) > CERTIFIED_SERVERS * result.servers()) {
            violation(
                    result,
                    "servers above what is asked with a certificate: %d of %d, more than 2 %%; %s",
                    hosts(result.above()),
                    result.servers(),
                    result.above().get(0).text());
        }
    }

    private static long hosts(List<ServerAbove> servers) {
        return servers.stream().map(ServerAbove::host).distinct().count();
    }

    private void movesAgainstSolver(List<FamilyResult> results) {
        RecordedFigures solver = RecordedFigures.ofSolver();
        List<Double> ratios = new ArrayList<>();
        for (FamilyResult result : results) {
            solver.of(result.instance())
                    .ifPresent(figures -> ratios.add(result.movesOfAll() / figures.number("moves")));
        }
        double median = Statistics.median(ratios, ratio -> ratio);
        if (median > MOVES_OVER_SOLVER) {
            violations.add(String.format(
                    Locale.ROOT,
                    "the moves are %.3f x the solver's in median over %d clusters, above %.2f",
                    median,
                    ratios.size(),
                    MOVES_OVER_SOLVER));
        }
    }

    /** Of all the clusters of a row that the earlier planner was measured on. */
    private void bytes(String row, List<FamilyResult> results) {
        RecordedFigures baseline = RecordedFigures.ofBaseline();
        double now = 0;
        double before = 0;
        for (FamilyResult result : results) {
            double earlier = baseline.of(result.instance())
                    .map(figures -> figures.number("gb"))
                    .orElse(-1.0);
            now += earlier < 0 ? 0 : result.gigabytesOfAll();
            before += Math.max(0, earlier);
        }
        if (now > before + 0.5 * results.size()) {
            violations.add(String.format(
                    Locale.ROOT,
                    "%s: bytes to heal are %.0f GB, above the %.0f of the earlier planner",
                    row,
                    now,
                    before));
        }
    }

    private void time(String row, List<FamilyResult> results, double ofRandomHeat) {
        double millis = Statistics.median(results, FamilyResult::cpuMillis);
        if (ofRandomHeat > 0 && millis > TIME_OVER_RANDOM_HEAT * ofRandomHeat) {
            violations.add(String.format(
                    Locale.ROOT,
                    "%s: a plan takes %.1f ms of processor time, above %.0f x the %.1f of random heat",
                    row,
                    millis,
                    TIME_OVER_RANDOM_HEAT,
                    ofRandomHeat));
        }
    }

    private void violation(FamilyResult result, String format, Object... values) {
        violations.add(result.instance().title() + ": " + String.format(Locale.ROOT, format, values));
    }
}
