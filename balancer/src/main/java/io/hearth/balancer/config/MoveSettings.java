// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.balancer.config;

import io.hearth.common.config.Setting;
import java.util.List;

/** What a plan weighs besides heat: numbers of regions, tables, and what a move costs. */
public final class MoveSettings {

    private static final String STOCHASTIC = "hbase.master.balancer.stochastic.";

    public static final Setting<Double> REGION_COUNT_COST = Setting.decimal(
            STOCHASTIC + "regionCountCost",
            500.0,
            0,
            1_000_000,
            "",
            "Stock's weight of even region counts, used once requests are even.");

    public static final Setting<Double> COUNT_TRIGGER = Setting.decimal(
            "hearth.balancer.count.trigger",
            0.028,
            0,
            1,
            "",
            "Imbalance of region counts, in stock's measure, above which Hearth evens them where requests need"
                    + " no move. 1 leaves it to stock.");

    public static final Setting<Double> COUNT_TARGET = Setting.decimal(
            "hearth.balancer.count.target", 0.01, 0, 1, "", "Imbalance to which a plan brings region counts.");

    public static final Setting<Double> TABLE_SKEW_COST = Setting.decimal(
            STOCHASTIC + "tableSkewCost",
            35.0,
            0,
            1_000_000,
            "",
            "Stock's weight of the spread of each table's regions.");

    public static final Setting<Double> TABLE_SLOP = Setting.decimal(
            "hearth.balancer.table.slop",
            1.5,
            0,
            1000,
            "",
            "Regions of one table above the mean that cost a server nothing, as a share of the mean.");

    public static final Setting<Double> MOVE_COST = Setting.decimal(
            "hearth.balancer.move.cost", 0.2, 0, 1_000_000, "", "Cost of a move, for the moment a region is closed.");

    public static final Setting<Double> BYTES_COST = Setting.decimal(
            "hearth.balancer.move.cost.bytes",
            25.0,
            0,
            1_000_000,
            "",
            "Cost of a move that leaves as many bytes to heal as a server stores; fewer in proportion.");

    public static final Setting<Double> COLD_CACHE_COST = Setting.decimal(
            "hearth.balancer.move.cost.cold.cache",
            5.0,
            0,
            1_000_000,
            "",
            "Cost of moving all reads of a server to an empty block cache; fewer in proportion.");

    public static final Setting<Double> MIN_GAIN = Setting.decimal(
            "hearth.balancer.min.gain", 0.05, 0, 1_000_000, "", "What a move must gain after its costs.");

    public static final Setting<Double> MIN_HOTSPOT_REDUCTION = Setting.decimal(
            "hearth.balancer.min.hotspot.reduction",
            0.03,
            0,
            1,
            "",
            "Part of a fair share by which a plan must cool at least one server above the trigger.");

    public static final Setting<Double> MIN_MARGINAL_GAIN_RATIO = Setting.decimal(
            "hearth.balancer.plan.min.marginal.gain.ratio",
            0.01,
            0,
            1,
            "",
            "A plan's last moves are dropped while each gains less than this share of the average and no server"
                    + " is above its target without it.");

    private MoveSettings() {}

    /** Every setting, in the order in which it is documented. */
    public static List<Setting<?>> all() {
        return List.of(
                REGION_COUNT_COST,
                COUNT_TRIGGER,
                COUNT_TARGET,
                TABLE_SKEW_COST,
                TABLE_SLOP,
                MOVE_COST,
                BYTES_COST,
                COLD_CACHE_COST,
                MIN_GAIN,
                MIN_HOTSPOT_REDUCTION,
                MIN_MARGINAL_GAIN_RATIO);
    }
}
