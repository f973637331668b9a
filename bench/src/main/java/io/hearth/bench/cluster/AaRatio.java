// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.bench.cluster;

import io.hearth.testkit.load.LatencyRecorder.LatencySummary;
import io.hearth.testkit.load.LatencyRecorder.NanoInterval;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.Function;
import java.util.function.ToDoubleFunction;

/**
 * The ratio of a latency in two times in which nothing was healed (an A/A test), and how far chance alone takes it: the ratio of all pairs
 * together with the two of each pair exchanged or not, in every way, without the 2.5 % at either end. A ratio within is no sign of anything.
 *
 * @param ratio of all second times over all first ones
 */
public record AaRatio(double ratio, double low, double high) {

    private static final double TAIL = 0.025;

    /** Of more pairs there are too many ways. */
    private static final int MOST_PAIRS = 10;

    /** Two times as long as each other, one just after the other. */
    record Pair(NanoInterval first, NanoInterval second) {}

    /**
     * Compares a percentile of them.
     *
     * @param pairs one or more; no more than the first {@value #MOST_PAIRS} are exchanged
     * @param latencies the requests of several times together
     */
    static AaRatio of(
            List<Pair> pairs,
            Function<List<NanoInterval>, LatencySummary> latencies,
            ToDoubleFunction<LatencySummary> percentile) {
        int ways = 1 << Math.min(MOST_PAIRS, pairs.size());
        double[] ratios = new double[ways];
        for (int way = 0; way < ways; way++) {
            ratios[way] = ratio(pairs, way, latencies, percentile);
        }
        double ratio = ratios[0];
        Arrays.sort(ratios);
        int tail = (int) (TAIL * ways);
        return new AaRatio(ratio, ratios[tail], ratios[ways - 1 - tail]);
    }

    private static double ratio(
            List<Pair> pairs,
            int exchanged,
            Function<List<NanoInterval>, LatencySummary> latencies,
            ToDoubleFunction<LatencySummary> percentile) {
        List<NanoInterval> first = new ArrayList<>();
        List<NanoInterval> second = new ArrayList<>();
        for (int i = 0; i < pairs.size(); i++) {
            boolean isExchanged = (exchanged >> i & 1) == 1;
            first.add(isExchanged ? pairs.get(i).second() : pairs.get(i).first());
            second.add(isExchanged ? pairs.get(i).first() : pairs.get(i).second());
        }
        return percentile.applyAsDouble(latencies.apply(second)) / percentile.applyAsDouble(latencies.apply(first));
    }
}
