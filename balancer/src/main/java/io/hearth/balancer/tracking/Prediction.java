// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.balancer.tracking;

import io.hearth.balancer.heat.RegionLoads;
import io.hearth.common.model.LoadDimension;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * What one run with moves predicted, and what came of it. Immutable.
 *
 * @param group the servers that it was about, by the first of them, as {@code host:port}
 * @param runAtMs when the run began, in milliseconds since 1970
 * @param actedAtMs when its last plan was made
 * @param moves how many moves it planned
 * @param movesNotMade how many of the moves were dropped, overtaken or lost
 * @param predicted max/mean of each dimension when every move is done
 * @param bound the most max/mean of each dimension that is not wrong
 * @param observed max/mean of each dimension when the run was judged; empty before
 * @param evaluatedAtMs when that was; empty before
 */
public record Prediction(
        String group,
        long runAtMs,
        long actedAtMs,
        int moves,
        int movesNotMade,
        Map<LoadDimension, Double> predicted,
        Map<LoadDimension, Double> bound,
        Map<LoadDimension, Double> observed,
        Outcome outcome,
        OptionalLong evaluatedAtMs) {

    public Prediction {
        predicted = Map.copyOf(predicted);
        bound = Map.copyOf(bound);
        observed = Map.copyOf(observed);
    }

    /** What is to be said of a run. */
    public enum Outcome {
        /** It is too early to say. */
        PENDING("not judged yet"),
        /** Every dimension is within its bound. */
        AS_PREDICTED("as predicted"),
        /** A dimension is above its bound. */
        MISPREDICTED("not as predicted"),
        /** A dimension is above its bound, but not every move was made, so that the plan is not to blame. */
        NOT_CARRIED_OUT("not every move was made"),
        /** A dimension is above its bound, but would not be if only the plan had moved regions and no region were new or gone. */
        CLUSTER_CHANGED("others have changed the cluster"),
        /** A dimension is above its bound, but would not be if only the moved regions had grown. */
        LOAD_CHANGED("the load of regions has changed"),
        /** The next run acted while moves of this one were still on their way. */
        SUPERSEDED("the next run came too early"),
        /** The master that planned it was followed by another, which knows neither what it rested on nor whether it was judged. */
        MASTER_CHANGED("the master changed before it was judged");

        private final String text;

        Outcome(String text) {
            this.text = text;
        }

        /** The verdict in words. */
        public String text() {
            return text;
        }
    }

    /** One run of the balancer over one group of servers. */
    record Run(String group, long atMs) {}

    Run run() {
        return new Run(group, runAtMs);
    }

    Prediction withMoveNotMade() {
        return new Prediction(
                group, runAtMs, actedAtMs, moves, movesNotMade + 1, predicted, bound, observed, outcome, evaluatedAtMs);
    }

    /** The same, held against what is seen now. */
    Prediction evaluated(
            Map<LoadDimension, Double> seen,
            Optional<PlannedPlacement> placement,
            RegionLoads currentLoads,
            long nowMs) {
        return closed(seen, outcome(seen, placement, currentLoads), nowMs);
    }

    private Outcome outcome(
            Map<LoadDimension, Double> seen, Optional<PlannedPlacement> placement, RegionLoads currentLoads) {
        if (!isAbove(seen)) {
            return Outcome.AS_PREDICTED;
        }
        if (movesNotMade > 0) {
            return Outcome.NOT_CARRIED_OUT;
        }
        if (placement.isEmpty()) {
            return Outcome.MISPREDICTED;
        }
        if (!isAbove(placement.get().maxOverMean(currentLoads))) {
            return Outcome.CLUSTER_CHANGED;
        }
        return isAbove(placement.get().maxOverMeanByGrowthOfMoved(currentLoads))
                ? Outcome.MISPREDICTED
                : Outcome.LOAD_CHANGED;
    }

    private boolean isAbove(Map<LoadDimension, Double> seen) {
        return bound.keySet().stream().anyMatch(dimension -> isAbove(dimension, seen));
    }

    Prediction leftByItsMaster(long nowMs) {
        return closed(Map.of(), Outcome.MASTER_CHANGED, nowMs);
    }

    Prediction superseded(long nowMs) {
        return closed(Map.of(), Outcome.SUPERSEDED, nowMs);
    }

    private Prediction closed(Map<LoadDimension, Double> seen, Outcome word, long nowMs) {
        return new Prediction(
                group, runAtMs, actedAtMs, moves, movesNotMade, predicted, bound, seen, word, OptionalLong.of(nowMs));
    }

    private boolean isAbove(LoadDimension dimension, Map<LoadDimension, Double> seen) {
        return seen.getOrDefault(dimension, 1.0) > bound.getOrDefault(dimension, Double.POSITIVE_INFINITY);
    }

    /** Each dimension that is above its bound: {@code writes 1.02 predicted, 1.62 seen, at most 1.20 allowed}. */
    public String deviations() {
        List<String> deviations = new ArrayList<>();
        for (LoadDimension dimension : LoadDimension.values()) {
            if (isAbove(dimension, observed)) {
                deviations.add(String.format(
                        Locale.ROOT,
                        "%s %.2f predicted, %.2f seen, at most %.2f allowed",
                        dimension.label(),
                        predicted.getOrDefault(dimension, 1.0),
                        observed.getOrDefault(dimension, 1.0),
                        bound.getOrDefault(dimension, 1.0)));
            }
        }
        return String.join("; ", deviations);
    }
}
