// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.balancer.engine;

import io.hearth.common.model.LoadDimension;
import java.util.EnumMap;
import java.util.Map;

/**
 * A day of runs in which Hearth only advised, in sums: a few hundred bytes, so that weeks of it can be kept. Immutable.
 *
 * @param startMs midnight UTC, in milliseconds since 1970
 * @param plans how many plans there were: one a run, or one for each table of a run
 * @param plansWithMoves in how many of them Hearth would have moved something
 * @param stockMoves how many moves the stock balancer made
 * @param sumBefore max/mean of heat before each run, summed
 * @param sumHearth max/mean with Hearth's moves, as planned, summed
 */
public record DailyAdvice(
        long startMs,
        long plans,
        long plansWithMoves,
        long stockMoves,
        Map<LoadDimension, Double> sumBefore,
        Map<LoadDimension, Double> sumHearth) {

    static final long DAY_MS = 86_400_000;

    public DailyAdvice {
        sumBefore = Map.copyOf(sumBefore);
        sumHearth = Map.copyOf(sumHearth);
    }

    static DailyAdvice empty(long startMs) {
        return new DailyAdvice(startMs, 0, 0, 0, Map.of(), Map.of());
    }

    DailyAdvice with(Advice advice) {
        return new DailyAdvice(
                startMs,
                plans + 1,
                plansWithMoves + (advice.hearthMoves() > 0 ? 1 : 0),
                stockMoves + advice.stock().moves(),
                sum(sumBefore, advice.before()),
                sum(sumHearth, advice.hearthAfter()));
    }

    private static Map<LoadDimension, Double> sum(Map<LoadDimension, Double> one, Map<LoadDimension, Double> other) {
        Map<LoadDimension, Double> sum = new EnumMap<>(LoadDimension.class);
        sum.putAll(one);
        other.forEach((dimension, value) -> sum.merge(dimension, value, Double::sum));
        return sum;
    }

    /** Mean max/mean of heat under the stock balancer, over the plans of the day. */
    public Map<LoadDimension, Double> meanBefore() {
        return mean(sumBefore);
    }

    /** Mean max/mean of heat that Hearth's plans of the day would have led to. */
    public Map<LoadDimension, Double> meanHearth() {
        return mean(sumHearth);
    }

    private Map<LoadDimension, Double> mean(Map<LoadDimension, Double> sum) {
        Map<LoadDimension, Double> mean = new EnumMap<>(LoadDimension.class);
        sum.forEach((dimension, value) -> mean.put(dimension, value / Math.max(1, plans)));
        return mean;
    }
}
