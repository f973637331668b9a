// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.bench.value;

import io.hearth.bench.cluster.VariantRun.Variant;
import io.hearth.bench.value.LayoutResult.Balancer;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.function.ToDoubleFunction;

/**
 * What Hearth has to reach beside the stock balancer. Most figures are medians over draws; a draw is one random choice of how often each
 * region is read ({@link RegionDraw}). Pure.
 */
public final class ValueThresholds {

    /** The share of requests that have to be answered in time again after a crash; at least. */
    static final double IN_TIME = 0.99;

    /** Hearth's highest rate over that of an even load; at least. */
    static final double OF_CONTROL = 0.95;

    /** The highest rate after a heal over the one before the regions moved; at least. */
    static final double HEALED = 0.95;

    /** Hearth's highest rate over the stock balancer's; at least. */
    static final double OF_STOCK = 1.2;

    /** Hearth's p99 over an even load's, both at 60 % of what all servers together are made to answer; at most. */
    static final double P99_OF_CONTROL = 1.15;

    /** The regions that Hearth moves over those of the tuned stock balancer's first plan; at most. */
    static final double MOVES_OF_TUNED = 1 / 3.0;

    private ValueThresholds() {}

    /** The thresholds that do not hold in the median of the draws, each in one sentence with the number and the threshold. */
    public static List<String> violations(List<DrawResult> draws) {
        List<String> violations = new ArrayList<>();
        atLeast(violations, draws, "of an even load's rate", OF_CONTROL, Balancer.CONTROL);
        atLeast(violations, draws, "of stock's rate", OF_STOCK, Balancer.STOCK);
        atLeast(violations, draws, "of tuned stock's rate", 1, Balancer.STOCK_TUNED);
        double p99 = median(draws, DrawResult::p99OverControl);
        if (!(p99 <= P99_OF_CONTROL)) {
            violations.add(format("p99 at 60 %% is %.2f times an even load's, above %.2f", p99, P99_OF_CONTROL));
        }
        double moves = median(draws, DrawResult::movesOverTuned);
        if (!(moves <= MOVES_OF_TUNED)) {
            violations.add(format(
                    "Hearth moved %.2f times the regions of tuned stock's first plan, above %.2f",
                    moves, MOVES_OF_TUNED));
        }
        draws.forEach(draw -> draw.layouts().stream()
                .filter(layout -> layout.failed() > 0)
                .forEach(layout ->
                        violations.add(layout.balancer().description() + ": " + layout.failed() + " requests failed")));
        return violations;
    }

    /** What a crash must not do. */
    public static List<String> crashViolations(List<CrashResult> crashes) {
        List<String> violations = new ArrayList<>();
        for (CrashResult crash : crashes) {
            String which = "a crash, " + crash.balancer().description() + ": ";
            if (crash.failed() > 0) {
                violations.add(which + crash.failed() + " requests failed");
            }
            if (crash.secondsUntil(IN_TIME).isEmpty()) {
                violations.add(
                        which + format("%.0f %% of the requests were never answered in time again", 100 * IN_TIME));
            }
        }
        return violations;
    }

    /** What healing has to give back, and must not do. */
    public static List<String> localityViolations(List<LinkResult> results) {
        List<String> violations = new ArrayList<>();
        for (LinkResult result : results) {
            double ratio = result.after() / result.before();
            if (!(result.before() > 0)) {
                violations.add(result.variant().description() + ": no rate was held while all was local");
            } else if (result.before() > LinkRun.HIGHEST_MEASURED) {
                violations.add(format(
                        "%s: while all was local any rate up to %,.0f was held: what it fell by is not known",
                        result.variant().description(), result.before()));
            } else if (result.variant() == Variant.HEARTH && !(ratio >= HEALED)) {
                violations.add(format("healed, the highest rate is %.2f of the one before, below %.2f", ratio, HEALED));
            }
            if (!Double.isFinite(result.seconds())) {
                violations.add(format(
                        "%s: not all was local again within %d s",
                        result.variant().description(), LinkRun.MOST_SECONDS));
            }
            if (result.failed() > 0) {
                violations.add(result.variant().description() + ": " + result.failed() + " requests failed");
            }
        }
        return violations;
    }

    private static void atLeast(
            List<String> violations, List<DrawResult> draws, String ofWhat, double least, Balancer other) {
        double ratio = median(draws, draw -> draw.rateOver(other));
        if (!(ratio >= least)) {
            violations.add(format("Hearth's highest rate is %.2f %s, below %.2f", ratio, ofWhat, least));
        }
    }

    /** Of an odd number of draws. */
    static double median(List<DrawResult> draws, ToDoubleFunction<DrawResult> figure) {
        return draws.stream().mapToDouble(figure).sorted().toArray()[draws.size() / 2];
    }

    private static String format(String pattern, Object... values) {
        return String.format(Locale.ROOT, pattern, values);
    }
}
