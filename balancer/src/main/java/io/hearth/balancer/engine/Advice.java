// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.balancer.engine;

import io.hearth.common.model.LoadDimension;
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
}
