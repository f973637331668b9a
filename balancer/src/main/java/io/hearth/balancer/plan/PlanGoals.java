// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.balancer.plan;

import io.hearth.balancer.config.GoalConfig;
import io.hearth.balancer.config.GoalConfig.MoveConfig;
import io.hearth.balancer.state.Pin;
import io.hearth.common.model.LoadDimension;
import io.hearth.common.model.TableId;
import java.util.EnumMap;
import java.util.Map;
import java.util.Set;

/**
 * What a plan has to reach, what a move costs, and what the plan may not exceed. Immutable: {@link #of} has defaults for all
 * but heat, each {@code with} method gives a copy with one group replaced.
 *
 * @param goalByDimension one goal for each dimension of heat that matters at all
 * @param counts the number of regions of a server
 * @param tables the number of regions of one table on a server
 * @param moveCosts what a move costs
 * @param limits what the plan may not exceed
 */
public record PlanGoals(
        Map<LoadDimension, DimensionGoal> goalByDimension,
        RegionCountGoal counts,
        TableGoal tables,
        MoveCosts moveCosts,
        PlanLimits limits) {

    public PlanGoals {
        goalByDimension = Map.copyOf(goalByDimension);
    }

    /** These goals of heat, and the defaults of everything else. */
    public static PlanGoals of(Map<LoadDimension, DimensionGoal> goalByDimension) {
        return new PlanGoals(
                goalByDimension, RegionCountGoal.DEFAULT, TableGoal.DEFAULT, MoveCosts.DEFAULT, PlanLimits.DEFAULT);
    }

    /**
     * What the site asks for.
     *
     * @param noiseMargin by how much the trigger of a dimension is wider than the site asks for
     * @param regionCountSlop how far a server's number of regions may be from the mean, as {@link RegionCountGoal} has it
     */
    public static PlanGoals of(
            GoalConfig config,
            Map<LoadDimension, Double> noiseMargin,
            double regionCountSlop,
            int maxMoves,
            Map<TableId, Integer> movesLeftByTable,
            Set<TableId> neverHealed) {
        MoveConfig moves = config.moves();
        Map<LoadDimension, DimensionGoal> goals = new EnumMap<>(LoadDimension.class);
        config.byDimension()
                .forEach((dimension, goal) -> goals.put(
                        dimension,
                        new DimensionGoal(
                                goal.weight(),
                                goal.trigger() + noiseMargin.getOrDefault(dimension, 0.0),
                                goal.target(),
                                goal.minMean())));
        return new PlanGoals(
                goals,
                new RegionCountGoal(
                        moves.regionCountCost(), regionCountSlop, moves.countTrigger(), moves.countTarget()),
                new TableGoal(moves.tableSkewCost(), moves.tableSlop()),
                new MoveCosts(moves.moveCost(), moves.bytesCost(), moves.coldCacheCost(), neverHealed),
                new PlanLimits(
                        maxMoves,
                        movesLeftByTable,
                        moves.minGain(),
                        moves.minHotspotReduction(),
                        moves.minMarginalGainRatio()));
    }

    /** Whether evenness is all that counts: moves cost nothing, and the least gain is worth one. */
    public boolean movesAreFree() {
        return moveCosts.equals(MoveCosts.NONE) && limits.minGain() == 0;
    }

    public PlanGoals withCounts(RegionCountGoal newCounts) {
        return new PlanGoals(goalByDimension, newCounts, tables, moveCosts, limits);
    }

    public PlanGoals withMoveCosts(MoveCosts newMoveCosts) {
        return new PlanGoals(goalByDimension, counts, tables, newMoveCosts, limits);
    }

    public PlanGoals withLimits(PlanLimits newLimits) {
        return new PlanGoals(goalByDimension, counts, tables, moveCosts, newLimits);
    }

    /**
     * What a plan has to reach in one dimension of heat. Immutable.
     *
     * @param weight how much it counts against the other dimensions, at least 0; 0 leaves it out
     * @param trigger max/mean above which moves are planned
     * @param target max/mean at which it is good enough
     * @param minMean mean load of a server below which its skew does not matter, in the dimension's unit
     */
    public record DimensionGoal(double weight, double trigger, double target, double minMean) {}

    /**
     * What a plan has to reach in the number of regions of a server. What is fair goes with its capacity. The stock balancer's
     * slop and its region count cost know no capacity, so that they are suspended where capacities differ. Immutable.
     *
     * @param weight how much an uneven number counts against heat (stock's {@code regionCountCost})
     * @param slop how far a server's number may be from what is fair, as a share of it: a hard rule; below 0 means that the number
     *     does not matter at all (HBase's {@code hbase.regions.slop})
     * @param trigger the imbalance, measured as stock's {@code RegionCountSkewCostFunction} does (0 is even, 1 is everything on
     *     one server), above which moves are planned for the numbers alone where heat needs none: what stock would start a run
     *     of its own for; at 1 there are no such plans
     * @param target the imbalance, in the same measure, to which a plan brings the numbers when heat is even: low enough that
     *     stock does not start a run of its own to even them
     */
    public record RegionCountGoal(double weight, double slop, double trigger, double target) {

        /**
         * Stock's weight and slop, the imbalance that by stock's default weights comes to its threshold of 0.025, and one that
         * leaves most of it to its other costs.
         */
        public static final RegionCountGoal DEFAULT = new RegionCountGoal(500, 0.2, 0.028, 0.01);

        /** The same with another slop. */
        public RegionCountGoal withSlop(double newSlop) {
            return new RegionCountGoal(weight, newSlop, trigger, target);
        }

        /** With a larger share of regions that a plan may not move, it can't even numbers. */
        private static final double MOST_CLOSED = 0.25;

        /** Whether the number of regions matters at all. */
        public boolean matters() {
            return slop >= 0;
        }

        /**
         * Whether plans even numbers, so that what they leave of them they leave for the sake of heat: then the server of a large region
         * may have fewer than slop allows.
         *
         * @param regions how many there are
         * @param pinned how many of them may not be moved, by why
         */
        public boolean isEvened(int regions, Map<Pin, Integer> pinned) {
            int closed = pinned.getOrDefault(Pin.HEAT_UNKNOWN, 0) + pinned.getOrDefault(Pin.INACTIVE, 0);
            return trigger < 1 && closed <= regions * MOST_CLOSED;
        }
    }

    /**
     * What a plan has to reach in the number of regions of one table on one server. Immutable.
     *
     * @param weight how much all tables together count against heat (stock's {@code tableSkewCost}); 0 leaves them out
     * @param slop how many regions of a table above the mean a server may have at no cost, as a share of the mean; one region
     *     of a table never costs
     */
    public record TableGoal(double weight, double slop) {

        /** Stock's weight, and two and a half times the mean. */
        public static final TableGoal DEFAULT = new TableGoal(35, 1.5);

        /** Tables do not matter. */
        public static final TableGoal NONE = new TableGoal(0, 0.5);
    }

    /**
     * What a move costs, in the unit of the gain: weight times multiples of a server's fair share. With a weight of 200, a gain
     * of 2 is one server that comes 1 % of its fair share nearer to its target. Immutable.
     *
     * @param perMove the region is closed for a moment: three quarters of it for every move, the rest for one with as many requests
     *     as the mean region or more, and for one with fewer in proportion
     * @param bytesToHeal a region as large as everything that a server stores, not a byte of it local at the target and every
     *     byte local where it is; the healer makes everything local in the end, so a byte that is not local now either costs
     *     nothing, and one that would become local is a gain
     * @param coldCache a region with all the reads of a server, which begins with an empty block cache at the target
     * @param neverHealed tables that no healer makes local: of them a byte that becomes remote stays so, and one that becomes local
     *     is a gain; both count {@link #NEVER_HEALED_FACTOR} times as much
     */
    public record MoveCosts(double perMove, double bytesToHeal, double coldCache, Set<TableId> neverHealed) {

        /** How many times as much a byte counts that stays remote as one that is copied once. */
        public static final double NEVER_HEALED_FACTOR = 4;

        public static final MoveCosts DEFAULT = new MoveCosts(0.2, 25, 5);

        public MoveCosts {
            neverHealed = Set.copyOf(neverHealed);
        }

        /** What moves cost where every table is healed. */
        public MoveCosts(double perMove, double bytesToHeal, double coldCache) {
            this(perMove, bytesToHeal, coldCache, Set.of());
        }

        /** Moves are free. */
        public static final MoveCosts NONE = new MoveCosts(0, 0, 0);
    }

    /**
     * What a plan may not exceed, and what is too little to be worth a move. Immutable.
     *
     * @param maxMoves the most moves that one plan may hold
     * @param maxHeatMoves the most of them for heat; those that mend a hard rule or even numbers of regions are not among them
     * @param movesLeftByTable how many regions of a table may still be moved for heat ({@code HEARTH_MAX_MOVES_PER_HOUR}); a table
     *     that is missing has no limit
     * @param minGain what a move must gain after its costs, in the unit of {@link MoveCosts}
     * @param minHotspotReduction by how much of a fair share a plan for heat has to cool at least one of the servers above the trigger
     * @param minMarginalGainRatio the last moves of a plan are dropped while each gains less than this share of what a move of the plan gains on
     *     average, and its server is next to its target without it
     */
    public record PlanLimits(
            int maxMoves,
            int maxHeatMoves,
            Map<TableId, Integer> movesLeftByTable,
            double minGain,
            double minHotspotReduction,
            double minMarginalGainRatio) {

        /** No limit to the number of moves. */
        public static final PlanLimits DEFAULT = new PlanLimits(Integer.MAX_VALUE, Map.of(), 0.05, 0.03, 0.01);

        public PlanLimits {
            movesLeftByTable = Map.copyOf(movesLeftByTable);
        }

        /** Limits where any move may be one for heat. */
        public PlanLimits(
                int maxMoves,
                Map<TableId, Integer> movesLeftByTable,
                double minGain,
                double minHotspotReduction,
                double minMarginalGainRatio) {
            this(maxMoves, Integer.MAX_VALUE, movesLeftByTable, minGain, minHotspotReduction, minMarginalGainRatio);
        }

        /** The same with another number of moves. */
        public PlanLimits withMaxMoves(int newMaxMoves) {
            return new PlanLimits(
                    newMaxMoves, maxHeatMoves, movesLeftByTable, minGain, minHotspotReduction, minMarginalGainRatio);
        }

        /** The same with another number of moves for heat. */
        public PlanLimits withMaxHeatMoves(int newMaxHeatMoves) {
            return new PlanLimits(
                    maxMoves, newMaxHeatMoves, movesLeftByTable, minGain, minHotspotReduction, minMarginalGainRatio);
        }

        /** The same with other budgets of tables. */
        public PlanLimits withMovesLeftByTable(Map<TableId, Integer> newMovesLeftByTable) {
            return new PlanLimits(
                    maxMoves, maxHeatMoves, newMovesLeftByTable, minGain, minHotspotReduction, minMarginalGainRatio);
        }
    }
}
