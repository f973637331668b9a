// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.bench.value;

import io.hearth.bench.cluster.VariantRun.Variant;
import io.hearth.bench.threshold.ThresholdReport;
import io.hearth.bench.threshold.ThresholdReport.Figure;
import io.hearth.bench.value.LayoutResult.Balancer;
import io.hearth.testkit.load.LatencyRecorder.LatencySummary;
import java.util.List;
import java.util.Locale;
import java.util.OptionalInt;
import java.util.function.ToDoubleFunction;

/**
 * What Hearth has to reach beside the stock balancer. Most figures are medians over draws; a draw is one random choice of how often each
 * region is read ({@link RegionDraw}). What does not hold is one sentence with the number and the threshold. Pure.
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

    private static final String MEDIANS = "median of the draws";

    private final ThresholdReport report = new ThresholdReport();

    private ValueThresholds() {}

    /** All figures of the draws, those that are medians of them beside their thresholds. */
    public static ThresholdReport of(List<DrawResult> draws) {
        ValueThresholds thresholds = new ValueThresholds();
        thresholds.rate(draws, "rate / even load's", "of an even load's rate", OF_CONTROL, Balancer.CONTROL);
        thresholds.rate(draws, "rate / stock's", "of stock's rate", OF_STOCK, Balancer.STOCK);
        thresholds.rate(draws, "rate / tuned stock's", "of tuned stock's rate", 1, Balancer.STOCK_TUNED);
        double p99 = median(draws, DrawResult::p99OverControl);
        thresholds.report.add(
                Figure.of(MEDIANS, "p99 at 60 % / even load's", p99, "x").atMost(P99_OF_CONTROL, p99 <= P99_OF_CONTROL),
                format("p99 at 60 %% is %.2f times an even load's, above %.2f", p99, P99_OF_CONTROL));
        double moves = median(draws, DrawResult::movesOverTuned);
        thresholds.report.add(
                Figure.of(MEDIANS, "moves / tuned stock's", moves, "x").atMost(MOVES_OF_TUNED, moves <= MOVES_OF_TUNED),
                format(
                        "Hearth moved %.2f times the regions of tuned stock's first plan, above %.2f",
                        moves, MOVES_OF_TUNED));
        draws.forEach(thresholds::draw);
        return thresholds.report;
    }

    private void rate(List<DrawResult> draws, String figure, String ofWhat, double least, Balancer other) {
        double ratio = median(draws, draw -> draw.rateOver(other));
        report.add(
                Figure.of(MEDIANS, figure, ratio, "x").atLeast(least, ratio >= least),
                format("Hearth's highest rate is %.2f %s, below %.2f", ratio, ofWhat, least));
    }

    private void draw(DrawResult draw) {
        String of = "draw " + draw.number();
        report.add(Figure.of(of, "max/mean at first", draw.skewInPlace(), ""));
        report.add(Figure.of(of, "rate / even load's", draw.rateOver(Balancer.CONTROL), "x"));
        report.add(Figure.of(of, "rate / stock's", draw.rateOver(Balancer.STOCK), "x"));
        report.add(Figure.of(of, "rate / tuned stock's", draw.rateOver(Balancer.STOCK_TUNED), "x"));
        report.add(Figure.of(of, "p99 at 60 % / even load's", draw.p99OverControl(), "x"));
        report.add(Figure.of(of, "moves / tuned stock's", draw.movesOverTuned(), "x"));
        draw.layouts().forEach(layout -> layout(of, layout));
    }

    private void layout(String ofDraw, LayoutResult layout) {
        String of = ofDraw + ", " + layout.balancer().description();
        report.add(Figure.of(of, "moves", ValueTable.moves(layout), ""));
        report.add(Figure.of(of, "max/mean", layout.maxOverMean(), ""));
        report.add(Figure.of(of, "requests with p99 in time", layout.highestPerSecond(), "1/s"));
        report.add(Figure.of(of, "of all x max/mean", ValueTable.used(layout), ""));
        report.add(Figure.of(of, "p99 at 60 %", layout.atSixty().p99Ms(), "ms"));
        report.add(Figure.of(of, "p99.9 at 60 %", layout.atSixty().p999Ms(), "ms"));
        report.add(Figure.of(of, "p99 while balancing", whileBalancing(layout, LatencySummary::p99Ms), "ms"));
        report.add(Figure.of(of, "p99.9 while balancing", whileBalancing(layout, LatencySummary::p999Ms), "ms"));
        report.add(
                Figure.of(of, "failed", (double) layout.failed(), "").none(),
                layout.balancer().description() + ": " + layout.failed() + " requests failed");
    }

    /** Of half the load; no figure where the machine was too busy, or nobody moved regions. */
    private static double whileBalancing(LayoutResult layout, ToDoubleFunction<LatencySummary> figure) {
        return layout.balancing()
                .filter(balancing -> !balancing.onBusyMachine())
                .map(balancing -> figure.applyAsDouble(balancing.latencies()))
                .orElse(Double.NaN);
    }

    /** What a crash came to, beside what it must not do; how long stock takes is for comparison. */
    public static ThresholdReport ofCrash(List<CrashResult> crashes) {
        ThresholdReport report = new ThresholdReport();
        for (CrashResult crash : crashes) {
            String of = "a crash, " + crash.balancer().description();
            report.add(
                    Figure.of(of, "failed", (double) crash.failed(), "").none(),
                    of + ": " + crash.failed() + " requests failed");
            report.add(Figure.of(of, "90 % in time after", seconds(crash.secondsUntil(0.9)), "s"));
            OptionalInt inTime = crash.secondsUntil(IN_TIME);
            Figure figure = Figure.of(of, "99 % in time after", seconds(inTime), "s");
            report.add(
                    crash.balancer() == Balancer.HEARTH
                            ? figure.atMost(Double.POSITIVE_INFINITY, inTime.isPresent())
                            : figure,
                    of + ": " + format("%.0f %% of the requests were never answered in time again", 100 * IN_TIME));
            report.add(Figure.of(of, "max/mean of those left", crash.maxOverMean(), ""));
        }
        return report;
    }

    private static double seconds(OptionalInt seconds) {
        return seconds.isPresent() ? seconds.getAsInt() : Double.NaN;
    }

    /** What locality came to, beside what healing has to give back, and must not do. */
    public static ThresholdReport ofLocality(List<LinkResult> results) {
        ValueThresholds thresholds = new ValueThresholds();
        results.forEach(thresholds::links);
        return thresholds.report;
    }

    private void links(LinkResult result) {
        String variant = result.variant().description();
        String of = "links of " + LinkRun.LINK_MEGABITS + " Mbit/s, " + variant;
        boolean isAnyHeld = result.before() > 0;
        boolean isKnown = isAnyHeld && result.before() <= LinkRun.HIGHEST_MEASURED;
        report.add(
                Figure.of(of, "rate, all local", result.before(), "1/s").atMost(LinkRun.HIGHEST_MEASURED, isKnown),
                isAnyHeld
                        ? format(
                                "%s: while all was local any rate up to %,.0f was held: what it fell by is not known",
                                variant, result.before())
                        : variant + ": no rate was held while all was local");
        report.add(Figure.of(of, "rate, one server's data away", result.away(), "1/s"));
        double ratio = result.after() / result.before();
        Figure after = Figure.of(of, "rate, local again", result.after(), "1/s");
        report.add(
                isKnown && result.variant() == Variant.HEARTH
                        ? after.atLeast(HEALED * result.before(), ratio >= HEALED)
                        : after,
                format("healed, the highest rate is %.2f of the one before, below %.2f", ratio, HEALED));
        report.add(
                Figure.of(of, "local again after", result.seconds(), "s")
                        .atMost(LinkRun.MOST_SECONDS, Double.isFinite(result.seconds())),
                format("%s: not all was local again within %d s", variant, LinkRun.MOST_SECONDS));
        report.add(Figure.of(of, "p99 meanwhile", result.p99Ms(), "ms"));
        report.add(Figure.of(of, "rate meanwhile", result.whileWorkingPerSecond(), "1/s"));
        report.add(
                Figure.of(of, "failed", (double) result.failed(), "").none(),
                variant + ": " + result.failed() + " requests failed");
    }

    /** Of an odd number of draws. */
    static double median(List<DrawResult> draws, ToDoubleFunction<DrawResult> figure) {
        return draws.stream().mapToDouble(figure).sorted().toArray()[draws.size() / 2];
    }

    private static String format(String pattern, Object... values) {
        return String.format(Locale.ROOT, pattern, values);
    }
}
