// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.balancer.engine;

import io.hearth.common.model.LoadDimension;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;

/**
 * A run in which Hearth only advised: what it would have done, what the stock balancer did in its place, and what came of that.
 * Max/mean is of the weighed dimensions of heat over the servers of the run, in the measure of Hearth's plans. Immutable.
 *
 * @param atMs when the run was, in milliseconds since 1970
 * @param scope the table that it is about, or the name that HBase has for all of them
 * @param group the servers that it is about, by the first of them, as {@code host:port}
 * @param why why it was advice only, as the end of a sentence
 * @param hearth what Hearth would have done, as the line that the log has
 * @param hearthMoves how many moves that is
 * @param before max/mean before the run
 * @param hearthAfter max/mean with Hearth's moves, as planned
 * @param observed max/mean some minutes later; empty before it was looked at
 * @param observedAtMs when that was
 */
public record Advice(
        long atMs,
        String scope,
        String group,
        String why,
        String hearth,
        int hearthMoves,
        Map<LoadDimension, Double> before,
        Map<LoadDimension, Double> hearthAfter,
        StockPlan stock,
        Map<LoadDimension, Double> observed,
        OptionalLong observedAtMs) {

    /**
     * What the stock balancer planned, and carries out.
     *
     * @param moves how many moves
     * @param firstMoves the first of them, one a line
     * @param costs what the plan is good for in the measure of its own costs, as a sentence
     * @param maxOverMeanAfter max/mean of heat when all of them are done, if nothing else changes
     */
    public record StockPlan(
            int moves, List<String> firstMoves, String costs, Map<LoadDimension, Double> maxOverMeanAfter) {

        public StockPlan {
            firstMoves = List.copyOf(firstMoves);
            maxOverMeanAfter = Map.copyOf(maxOverMeanAfter);
        }
    }

    public Advice {
        before = Map.copyOf(before);
        hearthAfter = Map.copyOf(hearthAfter);
        observed = Map.copyOf(observed);
    }

    /** Whether either of the two had anything to move. */
    public boolean isNotable() {
        return hearthMoves > 0 || stock.moves() > 0;
    }

    Advice withOutcome(Map<LoadDimension, Double> maxOverMean, long nowMs) {
        return new Advice(
                atMs,
                scope,
                group,
                why,
                hearth,
                hearthMoves,
                before,
                hearthAfter,
                stock,
                maxOverMean,
                OptionalLong.of(nowMs));
    }

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

        private static Map<LoadDimension, Double> sum(
                Map<LoadDimension, Double> one, Map<LoadDimension, Double> other) {
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
}
