package io.hearth.balancer.config;

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
            "Stock's weight of even numbers of regions, which Hearth's plan uses too once heat is even. hbase.regions.slop is"
                    + " a hard rule besides.");

    public static final Setting<Double> COUNT_TRIGGER = Setting.decimal(
            "hearth.balancer.count.trigger",
            0.028,
            0,
            1,
            "",
            "Imbalance of region counts, as the stock balancer measures it (1 is all on one server), above which Hearth evens"
                    + " them where heat needs no move: what stock would start a run for, with many more moves. 1 leaves it"
                    + " to stock.");

    public static final Setting<Double> COUNT_TARGET = Setting.decimal(
            "hearth.balancer.count.target",
            0.01,
            0,
            1,
            "",
            "Imbalance of region counts, as the stock balancer measures it (1 is all on one server), to which a plan"
                    + " brings them, so that stock does not start a run of its own for them.");

    public static final Setting<Double> TABLE_SKEW_COST = Setting.decimal(
            STOCHASTIC + "tableSkewCost",
            35.0,
            0,
            1_000_000,
            "",
            "Stock's weight of the spread of each table's regions, which Hearth's plan uses too. 0 leaves tables out.");

    public static final Setting<Double> TABLE_SLOP = Setting.decimal(
            "hearth.balancer.table.slop",
            1.5,
            0,
            1000,
            "",
            "How many regions of one table above the mean a server may have at no cost, as a share of the mean.");

    public static final Setting<Double> MOVE_COST = Setting.decimal(
            "hearth.balancer.move.cost",
            0.2,
            0,
            1_000_000,
            "",
            "What a move costs because the region is closed for a moment. At a weight of 200 a gain of 2 is one server that"
                    + " comes 1 % of its fair share nearer to its target.");

    public static final Setting<Double> BYTES_COST = Setting.decimal(
            "hearth.balancer.move.cost.bytes",
            25.0,
            0,
            1_000_000,
            "",
            "What a move costs that leaves as many bytes to heal as a server stores; fewer cost in proportion.");

    public static final Setting<Double> COLD_CACHE_COST = Setting.decimal(
            "hearth.balancer.move.cost.cold.cache",
            5.0,
            0,
            1_000_000,
            "",
            "What it costs to move all the reads of a server to an empty block cache; fewer cost in proportion.");

    public static final Setting<Double> MIN_GAIN = Setting.decimal(
            "hearth.balancer.min.gain",
            0.05,
            0,
            1_000_000,
            "",
            "What a move must gain after its costs, in the unit of hearth.balancer.move.cost.");

    public static final Setting<Double> MIN_RELIEF = Setting.decimal(
            "hearth.balancer.min.relief",
            0.03,
            0,
            1,
            "",
            "By how much of a fair share a plan for heat has to cool at least one of the servers above the trigger. One that"
                    + " cools them less is not made: the next run would find the same alarm and move again.");

    public static final Setting<Double> KNEE = Setting.decimal(
            "hearth.balancer.knee",
            0.01,
            0,
            1,
            "",
            "The last moves of a plan are dropped while each gains less than this share of the average.");

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
                MIN_RELIEF,
                KNEE);
    }
}
