// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.bench.value;

import io.hearth.bench.value.LayoutResult.Balancer;
import io.hearth.bench.value.LayoutResult.BalancingResult;
import io.hearth.cli.view.Table;
import io.hearth.testkit.load.LatencyRecorder.LatencySummary;
import java.util.List;
import java.util.Locale;
import java.util.OptionalInt;
import java.util.function.Function;
import java.util.function.ToDoubleFunction;
import java.util.stream.Stream;

/** The results as a table with a line for each balancer: the median of the draws, and their range where there are several. */
public final class ValueTable {

    private ValueTable() {}

    /** The table's text. */
    public static String of(List<DrawResult> draws) {
        List<Balancer> balancers = Stream.of(Balancer.values())
                .filter(balancer -> has(draws, balancer))
                .toList();
        return Table.of(
                        balancers,
                        List.of(
                                Table.left("", Balancer::description),
                                column(draws, "moves", "%,.0f", ValueTable::moves),
                                column(draws, "max/mean", "%.2f", LayoutResult::maxOverMean),
                                column(
                                        draws,
                                        "requests/s with p99 <= %.0f ms".formatted(RateMeter.LIMIT_MS),
                                        "%,.0f",
                                        LayoutResult::highestPerSecond),
                                column(draws, "of all x max/mean", "%.2f", ValueTable::used),
                                column(draws, "p99 at 60 %", "%.1f", layout -> layout.atSixty()
                                        .p99Ms()),
                                column(draws, "p99.9", "%.1f", layout -> layout.atSixty()
                                        .p999Ms()),
                                whileBalancing(draws, "p99 while balancing", LatencySummary::p99Ms),
                                whileBalancing(draws, "p99.9", LatencySummary::p999Ms),
                                column(draws, "failed", "%,.0f", LayoutResult::failed)))
                .text();
    }

    /** The table of what thresholds take the median of, Hearth's figures over those of others: a line for each draw. */
    public static String ofDraws(List<DrawResult> draws) {
        return Table.of(
                        draws,
                        List.of(
                                Table.right("max/mean at first", draw -> ratio(draw.skewInPlace())),
                                Table.right("rate / even load's", draw -> ratio(draw.rateOver(Balancer.CONTROL))),
                                Table.right("/ stock's", draw -> ratio(draw.rateOver(Balancer.STOCK))),
                                Table.right("/ tuned stock's", draw -> ratio(draw.rateOver(Balancer.STOCK_TUNED))),
                                Table.right("p99 at 60 % / even load's", draw -> ratio(draw.p99OverControl())),
                                Table.right("moves / tuned stock's", draw -> ratio(draw.movesOverTuned()))))
                .text();
    }

    private static String ratio(double ratio) {
        return Double.isFinite(ratio) ? String.format(Locale.ROOT, "%.2f", ratio) : "-";
    }

    /** The table of what became of a crash. */
    public static String ofCrash(List<CrashResult> crashes) {
        return Table.of(
                        crashes,
                        List.of(
                                Table.left("a server is killed", crash -> crash.balancer()
                                        .description()),
                                Table.right("90 % in time after", crash -> seconds(crash.secondsUntil(0.9))),
                                Table.right("99 % in time after", crash -> seconds(crash.secondsUntil(0.99))),
                                Table.right(
                                        "max/mean of those left",
                                        crash -> String.format(Locale.ROOT, "%.2f", crash.maxOverMean())),
                                Table.right("failed", crash -> Long.toString(crash.failed()))))
                .text();
    }

    /** The table of what locality is worth. */
    public static String ofLocality(List<LinkResult> results) {
        return Table.of(
                        results,
                        List.of(
                                Table.left(
                                        "links of %d Mbit/s".formatted(LinkRun.LINK_MEGABITS),
                                        result -> result.variant().description()),
                                Table.right("requests/s, all local", result -> perSecond(result.before())),
                                Table.right("one server's data away", result -> perSecond(result.away())),
                                Table.right("local again", result -> perSecond(result.after())),
                                Table.right(
                                        "after",
                                        result -> Double.isFinite(result.seconds())
                                                ? String.format(Locale.ROOT, "%.1f s", result.seconds())
                                                : "never"),
                                Table.right(
                                        "p99 meanwhile",
                                        result -> String.format(
                                                Locale.ROOT,
                                                "%,.0f ms at %,.0f/s",
                                                result.p99Ms(),
                                                result.whileWorkingPerSecond())),
                                Table.right("failed", result -> Long.toString(result.failed()))))
                .text();
    }

    private static String perSecond(double rate) {
        return String.format(Locale.ROOT, "%,.0f", rate);
    }

    private static String seconds(OptionalInt seconds) {
        return seconds.isPresent() ? seconds.getAsInt() + " s" : "never";
    }

    private static boolean has(List<DrawResult> draws, Balancer balancer) {
        return draws.stream()
                .allMatch(draw -> draw.layouts().stream().anyMatch(layout -> layout.balancer() == balancer));
    }

    /** Regions that its balancer moved. */
    static double moves(LayoutResult layout) {
        return layout.balancing().map(balancing -> (double) balancing.moves()).orElse(0.0);
    }

    /** How much of what all servers can answer would be used if they were asked evenly. */
    static double used(LayoutResult layout) {
        return layout.highestPerSecond() * layout.maxOverMean() / layout.nominalPerSecond();
    }

    /** Of half the load; no figure where the machine was too busy in any of the draws. */
    private static Table.RowColumn<Balancer> whileBalancing(
            List<DrawResult> draws, String heading, ToDoubleFunction<LatencySummary> figure) {
        Function<Balancer, String> text = text(draws, "%.1f", layout -> layout.balancing()
                .map(balancing -> figure.applyAsDouble(balancing.latencies()))
                .orElse(Double.NaN));
        return Table.right(heading, balancer -> isBusy(draws, balancer) ? "busy" : text.apply(balancer));
    }

    private static boolean isBusy(List<DrawResult> draws, Balancer balancer) {
        return draws.stream()
                .flatMap(draw -> draw.of(balancer).balancing().stream())
                .anyMatch(BalancingResult::onBusyMachine);
    }

    private static Table.RowColumn<Balancer> column(
            List<DrawResult> draws, String heading, String pattern, ToDoubleFunction<LayoutResult> figure) {
        return Table.right(heading, text(draws, pattern, figure));
    }

    private static Function<Balancer, String> text(
            List<DrawResult> draws, String pattern, ToDoubleFunction<LayoutResult> figure) {
        return balancer -> {
            double[] all = draws.stream()
                    .mapToDouble(draw -> figure.applyAsDouble(draw.of(balancer)))
                    .sorted()
                    .toArray();
            if (Double.isNaN(all[0])) {
                return "-";
            }
            String median = String.format(Locale.ROOT, pattern, all[all.length / 2]);
            return all.length == 1
                    ? median
                    : median
                            + String.format(
                                    Locale.ROOT, " (" + pattern + " to " + pattern + ")", all[0], all[all.length - 1]);
        };
    }
}
