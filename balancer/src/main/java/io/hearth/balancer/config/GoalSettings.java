// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.balancer.config;

import io.hearth.common.config.Setting;
import io.hearth.common.model.LoadDimension;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Stream;

/**
 * What a plan has to reach: the weight of each dimension, and when it is even enough. Dimensions of one kind have one trigger and
 * one target.
 */
public final class GoalSettings {

    private static final String STOCHASTIC = "hbase.master.balancer.stochastic.";

    public static final Setting<Double> SKEW_TRIGGER = Setting.decimal(
            "hearth.balancer.skew.trigger",
            1.10,
            1.01,
            100,
            "",
            "Max/mean of reads or writes above which moves are planned.");

    public static final Setting<Double> SKEW_TARGET = Setting.decimal(
            "hearth.balancer.skew.target",
            1.03,
            1.0,
            100,
            "",
            "Max/mean at which such a plan ends. Below hearth.balancer.skew.trigger.");

    public static final Setting<Double> STORE_SIZE_SKEW_TRIGGER = Setting.decimal(
            "hearth.balancer.store.size.skew.trigger",
            1.30,
            1.01,
            100,
            "",
            "Max/mean of store size or memstore bytes above which moves are planned.");

    public static final Setting<Double> STORE_SIZE_SKEW_TARGET = Setting.decimal(
            "hearth.balancer.store.size.skew.target",
            1.20,
            1.0,
            100,
            "",
            "Max/mean at which such a plan ends. Below hearth.balancer.store.size.skew.trigger.");

    public static final Setting<Double> MIN_REQUESTS_PER_SECOND = Setting.decimal(
            "hearth.balancer.min.requests.per.second",
            20.0,
            0,
            1_000_000_000,
            "requests per second",
            "Mean reads (or writes) of a server below which their skew is not worth a move.");

    public static final Setting<Long> MIN_STORE_BYTES = Setting.bytes(
            "hearth.balancer.min.store.bytes", 1L << 30, 0, 1L << 60, "bytes", "The same for store size.");

    public static final Setting<Long> MIN_MEMSTORE_BYTES = Setting.bytes(
            "hearth.balancer.min.memstore.bytes", 64L << 20, 0, 1L << 60, "bytes", "The same for memstore bytes.");

    private static final Map<LoadDimension, Setting<Double>> COSTS = new EnumMap<>(LoadDimension.class);

    static {
        for (LoadDimension dimension : LoadDimension.values()) {
            COSTS.put(dimension, newCost(dimension));
        }
    }

    private GoalSettings() {}

    /** The weight of an even load in this dimension. */
    public static Setting<Double> cost(LoadDimension dimension) {
        return Objects.requireNonNull(COSTS.get(dimension));
    }

    private static Setting<Double> newCost(LoadDimension dimension) {
        return switch (dimension) {
            case READS -> newCost(dimension, 200, "Weight of even reads, beside stock's weights.");
            case WRITES -> newCost(dimension, 200, "Weight of even writes.");
            case STORE_SIZE -> newCost(dimension, 35, "Weight of even store size.");
            case MEMSTORE -> newCost(dimension, 0, "Weight of even memstore bytes, which follow writes.");
        };
    }

    private static Setting<Double> newCost(LoadDimension dimension, double defaultValue, String doc) {
        return Setting.decimal(STOCHASTIC + dimension.costName(), defaultValue, 0, 1_000_000, "", doc);
    }

    /** The mean load of a server below which its skew in this dimension does not matter. */
    static Setting<? extends Number> minMean(LoadDimension dimension) {
        return switch (dimension) {
            case READS, WRITES -> MIN_REQUESTS_PER_SECOND;
            case STORE_SIZE -> MIN_STORE_BYTES;
            case MEMSTORE -> MIN_MEMSTORE_BYTES;
        };
    }

    static Setting<Double> trigger(LoadDimension.Kind kind) {
        return switch (kind) {
            case COUNTER -> SKEW_TRIGGER;
            case SIZE -> STORE_SIZE_SKEW_TRIGGER;
        };
    }

    static Setting<Double> target(LoadDimension.Kind kind) {
        return switch (kind) {
            case COUNTER -> SKEW_TARGET;
            case SIZE -> STORE_SIZE_SKEW_TARGET;
        };
    }

    /** Every setting, in the order in which it is documented. */
    public static List<Setting<?>> all() {
        return Stream.of(
                        COSTS.values().stream(),
                        Stream.of(SKEW_TRIGGER, SKEW_TARGET, STORE_SIZE_SKEW_TRIGGER, STORE_SIZE_SKEW_TARGET),
                        Arrays.stream(LoadDimension.values())
                                .map(GoalSettings::minMean)
                                .distinct(),
                        MoveSettings.all().stream())
                .<Setting<?>>flatMap(settings -> settings)
                .toList();
    }
}
