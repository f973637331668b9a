// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.balancer.plan;

import io.hearth.balancer.state.Pin;
import io.hearth.common.model.LoadDimension;
import java.util.Collections;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.function.ToDoubleFunction;

/**
 * The moves that make a snapshot even, with what they change, what any plan could reach, and what could not be changed.
 * Immutable.
 *
 * @param moves in the order in which they were chosen, hottest server first: a shorter plan is a prefix of it (regions that
 *     are swapped follow each other)
 * @param outcomeByDimension every dimension of heat
 * @param counts the number of regions of the servers
 * @param heal what is left to the healer
 * @param unmovedRegions the hottest regions of each server that stays above its target
 * @param pinnedRegions how many regions are pinned for which reason
 * @param isCutShort whether there was no time to look for more moves
 */
public record Plan(
        List<PlannedMove> moves,
        Map<LoadDimension, DimensionOutcome> outcomeByDimension,
        RegionCountOutcome counts,
        LocalityOutcome heal,
        List<UnmovedRegion> unmovedRegions,
        Map<Pin, Integer> pinnedRegions,
        boolean isCutShort) {

    private static final DimensionOutcome NO_LOAD = new DimensionOutcome(false, 1, 1, 1, 0);

    public Plan {
        moves = List.copyOf(moves);
        outcomeByDimension = byEnum(LoadDimension.class, outcomeByDimension);
        unmovedRegions = List.copyOf(unmovedRegions);
        pinnedRegions = byEnum(Pin.class, pinnedRegions);
    }

    /** A plan for which there was time enough. */
    public Plan(
            List<PlannedMove> moves,
            Map<LoadDimension, DimensionOutcome> outcomeByDimension,
            RegionCountOutcome counts,
            LocalityOutcome heal,
            List<UnmovedRegion> unmovedRegions,
            Map<Pin, Integer> pinnedRegions) {
        this(moves, outcomeByDimension, counts, heal, unmovedRegions, pinnedRegions, false);
    }

    private static <K extends Enum<K>, V> Map<K, V> byEnum(Class<K> keys, Map<K, V> values) {
        Map<K, V> sorted = new EnumMap<>(keys);
        sorted.putAll(values);
        return Collections.unmodifiableMap(sorted);
    }

    /** What the plan does to this dimension. */
    public DimensionOutcome outcome(LoadDimension dimension) {
        return outcomeByDimension.getOrDefault(dimension, NO_LOAD);
    }

    /** Max/mean in every dimension, as the snapshot has it. */
    public Map<LoadDimension, Double> maxOverMeanBefore() {
        return map(DimensionOutcome::maxOverMeanBefore);
    }

    /** Max/mean in every dimension when every move is done. */
    public Map<LoadDimension, Double> maxOverMeanAfter() {
        return map(DimensionOutcome::maxOverMeanAfter);
    }

    /** The least number of moves that any plan needs for the same evenness: the largest of the weighed dimensions. */
    public int leastMoves() {
        return outcomeByDimension.values().stream()
                .filter(DimensionOutcome::weighed)
                .mapToInt(DimensionOutcome::leastMoves)
                .max()
                .orElse(0);
    }

    /** One line for the log: {@code 7 moves; max/mean of reads 3.31 -> 1.02, writes 3.20 -> 1.03, store size ...}. */
    public String summary() {
        return PlanText.summary(this);
    }

    /** Everything that there is to say, line by line, for a person. */
    public List<String> explain() {
        return PlanText.explain(this);
    }

    private Map<LoadDimension, Double> map(ToDoubleFunction<DimensionOutcome> value) {
        Map<LoadDimension, Double> all = new EnumMap<>(LoadDimension.class);
        for (LoadDimension dimension : LoadDimension.values()) {
            all.put(dimension, value.applyAsDouble(outcome(dimension)));
        }
        return all;
    }

    /**
     * What a plan does to one dimension of heat, and what any plan could. A server's share is its load over its fair share, which
     * goes by its capacity; max/mean is the largest share, at least 1. Immutable.
     *
     * @param weighed whether the dimension mattered: it has a goal with a weight above 0, and load enough
     * @param maxOverMeanBefore max/mean of the servers as the snapshot has it
     * @param maxOverMeanAfter the same when every move is done
     * @param lowerBound max/mean below which no plan can come: 1; or the hottest region on the largest server, with as many of the
     *     coldest regions as a server has to have at least; or what is pinned to a server; or what some server has of the hottest
     *     regions, wherever they are; whichever is most
     * @param leastMoves a number of moves that no plan can do without to reach {@code maxOverMeanAfter} in this dimension: for
     *     each server above it, its hottest movable regions until it is not, and what a region costs for which nobody has room
     */
    public record DimensionOutcome(
            boolean weighed, double maxOverMeanBefore, double maxOverMeanAfter, double lowerBound, int leastMoves) {}

    /**
     * What a plan does to the number of regions of the servers. Immutable.
     *
     * @param imbalanceBefore as stock's {@code RegionCountSkewCostFunction} measures it, 0 to 1
     * @param imbalanceAfter the same when every move is done
     * @param maxOverMeanWithoutSlop of the dimensions that {@code hbase.regions.slop} keeps less even than they could be what max/mean
     *     would be without it
     * @param fewForHeat whether servers have fewer regions than slop allows, all of them beside a large one, and none has more
     */
    public record RegionCountOutcome(
            int fewestBefore,
            int mostBefore,
            int fewestAfter,
            int mostAfter,
            double imbalanceBefore,
            double imbalanceAfter,
            Map<LoadDimension, Double> maxOverMeanWithoutSlop,
            boolean fewForHeat) {

        public RegionCountOutcome {
            maxOverMeanWithoutSlop = byEnum(LoadDimension.class, maxOverMeanWithoutSlop);
        }

        /** Numbers that keep no dimension less even. */
        public RegionCountOutcome(
                int fewestBefore,
                int mostBefore,
                int fewestAfter,
                int mostAfter,
                double imbalanceBefore,
                double imbalanceAfter) {
            this(fewestBefore, mostBefore, fewestAfter, mostAfter, imbalanceBefore, imbalanceAfter, Map.of(), false);
        }
    }

    /**
     * What a plan leaves to the healer. Immutable.
     *
     * @param bytesToHeal bytes that the moves add to what has to be made local; below 0 where they save more
     * @param unknownMoves moves of regions of which nobody knows where their bytes are, which are not in that sum
     * @param bytesAtTargets bytes of the moved regions that have a replica on the target's host already, as those of a server that came
     *     back: no block moves for them
     */
    public record LocalityOutcome(long bytesToHeal, int unknownMoves, long bytesAtTargets) {}
}
