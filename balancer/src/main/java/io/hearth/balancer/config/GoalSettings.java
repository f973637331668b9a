// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.balancer.config;

import io.hearth.common.config.Setting;
import java.util.List;
import java.util.stream.Stream;

/** What a plan has to reach: the weight of each dimension, and when it is even enough. */
public final class GoalSettings {

    private static final String STOCHASTIC = "hbase.master.balancer.stochastic.";

    public static final Setting<Double> READ_HEAT_COST = Setting.decimal(
            STOCHASTIC + "readHeatCost",
            200.0,
            0,
            1_000_000,
            "",
            "Weight of even reads, beside the stock weights (region count 500). 0 leaves reads out.");

    public static final Setting<Double> WRITE_HEAT_COST = Setting.decimal(
            STOCHASTIC + "writeHeatCost", 200.0, 0, 1_000_000, "", "Weight of even writes. 0 leaves writes out.");

    public static final Setting<Double> STORE_SIZE_COST = Setting.decimal(
            STOCHASTIC + "storeSizeCost", 35.0, 0, 1_000_000, "", "Weight of even store size. 0 leaves it out.");

    public static final Setting<Double> MEMSTORE_HEAT_COST = Setting.decimal(
            STOCHASTIC + "memstoreHeatCost",
            0.0,
            0,
            1_000_000,
            "",
            "Weight of even memstore bytes. 0 leaves them out: they follow writes and go with each flush.");

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
            "hearth.balancer.min.store.bytes",
            1L << 30,
            0,
            1L << 60,
            "bytes",
            "Mean store size of a server below which its skew is not worth a move.");

    public static final Setting<Long> MIN_MEMSTORE_BYTES = Setting.bytes(
            "hearth.balancer.min.memstore.bytes",
            64L << 20,
            0,
            1L << 60,
            "bytes",
            "Mean memstore bytes of a server below which their skew is not worth a move.");

    private GoalSettings() {}

    /** Every setting, in the order in which it is documented. */
    public static List<Setting<?>> all() {
        return Stream.concat(
                        Stream.of(
                                READ_HEAT_COST,
                                WRITE_HEAT_COST,
                                STORE_SIZE_COST,
                                MEMSTORE_HEAT_COST,
                                SKEW_TRIGGER,
                                SKEW_TARGET,
                                STORE_SIZE_SKEW_TRIGGER,
                                STORE_SIZE_SKEW_TARGET,
                                MIN_REQUESTS_PER_SECOND,
                                MIN_STORE_BYTES,
                                MIN_MEMSTORE_BYTES),
                        MoveSettings.all().stream())
                .toList();
    }
}
