// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.balancer.config;

import io.hearth.common.config.Setting;
import io.hearth.common.config.SettingsReader;
import io.hearth.common.model.LoadDimension;
import io.hearth.common.model.LoadDimension.Kind;
import java.util.Collections;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;

/**
 * What a plan has to reach. Immutable.
 *
 * @param byDimension what it has to reach in each dimension of load
 * @param moves what a plan weighs besides heat
 */
public record GoalConfig(Map<LoadDimension, Goal> byDimension, MoveConfig moves) {

    public GoalConfig {
        byDimension = Collections.unmodifiableMap(new EnumMap<>(byDimension));
    }

    /**
     * What a plan has to reach in one dimension. Immutable.
     *
     * @param weight of its evenness; 0 leaves it out
     * @param trigger max/mean above which moves are planned
     * @param target max/mean at which a plan stops, below the trigger
     * @param minMean mean load of a server below which its skew does not matter, in the dimension's unit
     */
    public record Goal(double weight, double trigger, double target, double minMean) {

        /** Whether plans weigh the dimension at all. */
        public boolean isWeighed() {
            return weight > 0;
        }

        /** Whether plans weigh it where servers have this load on the mean, in the dimension's unit. */
        public boolean counts(double mean) {
            return isWeighed() && mean > 0 && mean >= minMean;
        }
    }

    /** What a plan has to reach in this dimension. */
    public Goal of(LoadDimension dimension) {
        return Objects.requireNonNull(byDimension.get(dimension));
    }

    static GoalConfig read(SettingsReader reader) {
        Map<Kind, Pair> pairByKind = new EnumMap<>(Kind.class);
        for (Kind kind : Kind.values()) {
            pairByKind.put(kind, Pair.read(reader, GoalSettings.target(kind), GoalSettings.trigger(kind)));
        }
        Map<LoadDimension, Double> weights = new EnumMap<>(LoadDimension.class);
        for (LoadDimension dimension : LoadDimension.values()) {
            weights.put(dimension, reader.read(GoalSettings.cost(dimension)));
        }
        Map<Setting<? extends Number>, Double> minMeans = new HashMap<>();
        Map<LoadDimension, Goal> goals = new EnumMap<>(LoadDimension.class);
        weights.forEach((dimension, weight) -> {
            Pair pair = Objects.requireNonNull(pairByKind.get(dimension.kind()));
            double minMean = minMeans.computeIfAbsent(GoalSettings.minMean(dimension), setting -> reader.read(setting)
                    .doubleValue());
            goals.put(dimension, new Goal(weight, pair.trigger, pair.target, minMean));
        });
        return new GoalConfig(goals, MoveConfig.read(reader));
    }

    /** A target and the trigger that it must be below. */
    private record Pair(double target, double trigger) {

        static Pair read(SettingsReader reader, Setting<Double> targetKey, Setting<Double> triggerKey) {
            Pair pair = new Pair(reader.read(targetKey), reader.read(triggerKey));
            if (pair.target < pair.trigger) {
                return pair;
            }
            Pair otherwise = new Pair(targetKey.defaultValue(), triggerKey.defaultValue());
            reader.problem(
                    targetKey,
                    pair.target,
                    "it must be below " + triggerKey + " = " + pair.trigger + ". " + otherwise.target + " and "
                            + otherwise.trigger + " are used instead.");
            return otherwise;
        }
    }

    /**
     * What a plan weighs besides heat, as {@link MoveSettings} describes it. Immutable.
     *
     * @param regionCountCost weight of even numbers of regions
     * @param countTrigger imbalance of region counts above which moves are planned for them alone
     * @param countTarget imbalance of region counts that is good enough
     * @param tableSkewCost weight of the spread of tables
     * @param tableSlop share of the mean by which a table may be above it
     * @param moveCost cost of a move for its own sake
     * @param bytesCost cost of healing as many bytes as a server stores
     * @param coldCacheCost cost of moving all reads of a server
     * @param minGain what a move must gain after its costs
     * @param minHotspotReduction by how much of a fair share a plan has to cool one of the servers above the trigger
     * @param minMarginalGainRatio share of the average gain below which the last moves are dropped
     */
    public record MoveConfig(
            double regionCountCost,
            double countTrigger,
            double countTarget,
            double tableSkewCost,
            double tableSlop,
            double moveCost,
            double bytesCost,
            double coldCacheCost,
            double minGain,
            double minHotspotReduction,
            double minMarginalGainRatio) {

        static MoveConfig read(SettingsReader reader) {
            return new MoveConfig(
                    reader.read(MoveSettings.REGION_COUNT_COST),
                    reader.read(MoveSettings.COUNT_TRIGGER),
                    reader.read(MoveSettings.COUNT_TARGET),
                    reader.read(MoveSettings.TABLE_SKEW_COST),
                    reader.read(MoveSettings.TABLE_SLOP),
                    reader.read(MoveSettings.MOVE_COST),
                    reader.read(MoveSettings.BYTES_COST),
                    reader.read(MoveSettings.COLD_CACHE_COST),
                    reader.read(MoveSettings.MIN_GAIN),
                    reader.read(MoveSettings.MIN_HOTSPOT_REDUCTION),
                    reader.read(MoveSettings.MIN_MARGINAL_GAIN_RATIO));
        }
    }
}
