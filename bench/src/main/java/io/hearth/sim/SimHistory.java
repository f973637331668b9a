// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.sim;

import io.hearth.common.model.EncodedRegionName;
import io.hearth.common.model.LoadDimension;
import io.hearth.common.model.ServerId;
import io.hearth.sim.scenario.Scenario.TimeInterval;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalDouble;
import java.util.OptionalLong;
import java.util.Set;

/**
 * What happened in a run: true max/mean over time, and every move. Immutable.
 *
 * @param samples in the order of their times
 * @param moves those that the balancer made, in the order of their times
 * @param replicasTogetherMs when replicas of one region were on one server, in milliseconds
 * @param toSplit the regions of which the balancer said that they should be split
 * @param healedBytes of all block moves; 0 where blocks are not simulated
 */
public record SimHistory(
        List<Sample> samples,
        List<ExecutedMove> moves,
        List<Long> replicasTogetherMs,
        Set<EncodedRegionName> toSplit,
        long healedBytes) {

    public SimHistory {
        samples = List.copyOf(samples);
        moves = List.copyOf(moves);
        replicasTogetherMs = List.copyOf(replicasTogetherMs);
        toSplit = Set.copyOf(toSplit);
    }

    /**
     * The cluster at one time.
     *
     * @param maxOverMean the true max/mean of the live servers' loads
     * @param locality the share of all bytes that is on the servers of their regions, 0 to 1; 1 where blocks are not simulated
     */
    public record Sample(long timeMs, Map<LoadDimension, Double> maxOverMean, double locality) {

        public double maxOverMean(LoadDimension dimension) {
            return maxOverMean.getOrDefault(dimension, 1.0);
        }
    }

    /**
     * One move of the balancer's.
     *
     * @param bytes of the region's store files
     */
    public record ExecutedMove(long timeMs, EncodedRegionName region, ServerId from, ServerId to, long bytes) {}

    /** The samples of this span. */
    public List<Sample> samples(TimeInterval during) {
        return samples.stream()
                .filter(sample -> during.contains(sample.timeMs()))
                .toList();
    }

    /** The moves of this span. */
    public List<ExecutedMove> moves(TimeInterval during) {
        return moves.stream().filter(move -> during.contains(move.timeMs())).toList();
    }

    /** The most moves in any stretch of this length. */
    public int mostMovesWithin(long stretchMs) {
        return mostWithin(moves, stretchMs);
    }

    /** The most moves of any one region in any stretch of this length. */
    public int mostMovesOfOneRegion(long stretchMs) {
        return movesByRegion().values().stream()
                .mapToInt(ofRegion -> mostWithin(ofRegion, stretchMs))
                .max()
                .orElse(0);
    }

    private static int mostWithin(List<ExecutedMove> moves, long stretchMs) {
        int most = 0;
        int first = 0;
        for (int last = 0; last < moves.size(); last++) {
            while (moves.get(last).timeMs() - moves.get(first).timeMs() >= stretchMs) {
                first++;
            }
            most = Math.max(most, last - first + 1);
        }
        return most;
    }

    /** How many times a move within this time of the one before took a region back to where it had come from. */
    public int returns(long withinMs) {
        int returns = 0;
        for (List<ExecutedMove> ofRegion : movesByRegion().values()) {
            for (int move = 1; move < ofRegion.size(); move++) {
                if (isReturn(ofRegion.get(move - 1), ofRegion.get(move), withinMs)) {
                    returns++;
                }
            }
        }
        return returns;
    }

    private static boolean isReturn(ExecutedMove there, ExecutedMove back, long withinMs) {
        return back.timeMs() - there.timeMs() <= withinMs
                && back.from().host().equals(there.to().host())
                && back.to().host().equals(there.from().host());
    }

    private Map<EncodedRegionName, List<ExecutedMove>> movesByRegion() {
        Map<EncodedRegionName, List<ExecutedMove>> byRegion = new HashMap<>();
        moves.forEach(move -> byRegion.computeIfAbsent(move.region(), region -> new ArrayList<>())
                .add(move));
        return byRegion;
    }

    /** Max/mean at the begin; empty where there is no sample. */
    public OptionalDouble first(LoadDimension dimension) {
        return samples.stream()
                .mapToDouble(sample -> sample.maxOverMean(dimension))
                .findFirst();
    }

    /** The largest max/mean of the last hour. */
    public OptionalDouble last(LoadDimension dimension) {
        long fromMs = samples.isEmpty()
                ? 0
                : Collections.max(samples.stream().map(Sample::timeMs).toList()) - 3_600_000;
        return samples(new TimeInterval(fromMs, Long.MAX_VALUE)).stream()
                .mapToDouble(sample -> sample.maxOverMean(dimension))
                .max();
    }

    /** When these dimensions are first all at or below this, in milliseconds; empty where they never are. */
    public OptionalLong evenAfterMs(Set<LoadDimension> dimensions, double limit) {
        return samples.stream()
                .filter(sample -> dimensions.stream().allMatch(dimension -> sample.maxOverMean(dimension) <= limit))
                .mapToLong(Sample::timeMs)
                .findFirst();
    }
}
