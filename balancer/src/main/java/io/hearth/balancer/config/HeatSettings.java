package io.hearth.balancer.config;

import java.util.List;

/** How heat is learnt and kept. */
public final class HeatSettings {

    public static final Setting<Long> HALF_LIFE_MS = Setting.millis(
            "hearth.balancer.heat.half.life.ms",
            300_000,
            1_000,
            86_400_000,
            "Observed time in which old reads and writes lose half their weight in what plans use. Longer is steadier,"
                    + " shorter is quicker.");

    public static final Setting<Long> RECENT_HALF_LIFE_MS = Setting.millis(
            "hearth.balancer.heat.recent.half.life.ms",
            60_000,
            100,
            86_400_000,
            "The same for the recent heat, which is shown beside it. It must be below hearth.balancer.heat.half.life.ms;"
                    + " where it is not set it is at most a fifth of that.");

    public static final Setting<Long> MIN_OBSERVED_MS = Setting.millis(
            "hearth.balancer.heat.min.observed.ms",
            60_000,
            1_000,
            86_400_000,
            "Observed time from which the heat of a region counts as known. A region with unknown heat is not moved.");

    public static final Setting<Double> REMOTE_READ_EXTRA = Setting.decimal(
            "hearth.balancer.heat.remote.read.extra",
            0.0,
            0,
            100,
            "",
            "How much more a read costs where the region's data are not local, by the share that is not. 0: as much as a"
                    + " local one, 1: double.");

    public static final Setting<Long> STORE_INTERVAL_MS = Setting.millis(
            "hearth.balancer.heat.store.interval.ms",
            300_000,
            0,
            86_400_000,
            "How often heat, and with it what is remembered of moves (pins, budgets, the ledger), is written to .hearth under"
                    + " hbase.rootdir for the next master. 0: never, and the next master knows none of it.");

    public static final Setting<Double> SUSPECT_SERVED_RATIO = Setting.decimal(
            "hearth.balancer.suspect.served.ratio",
            0.65,
            0,
            0.9,
            "",
            "A server is suspect if its regions together come to serve less than this part of what they served before, while"
                    + " the same tables do not elsewhere, or if regions that were moved there do. It gets no regions for the"
                    + " sake of heat, and its regions keep the heat that they had, until it serves again. 0: no server is.");

    public static final Setting<Boolean> NOISE_FILTER = Setting.bool(
            "hearth.balancer.noise.filter",
            true,
            "Whether plans use the load of hours for as long as that of the last minutes may be a swing around it, widen their"
                    + " triggers by what is left of the swings, and leave a region that was moved alone for"
                    + " hearth.balancer.rest.ms. false: plans follow the last minutes.");

    public static final Setting<Long> HOT_REQUESTS = Setting.wholeNumber(
            "hearth.balancer.hot.requests",
            0,
            0,
            1_000_000_000,
            "requests",
            "A region with no more reads and writes than this in the last hearth.balancer.hot.minutes is not worth a move"
                    + " for the sake of heat. 0: every region is.");

    public static final Setting<Integer> HOT_MINUTES = Setting.integer(
            "hearth.balancer.hot.minutes",
            10,
            1,
            120,
            "minutes",
            "The last minutes in which requests are counted for hearth.balancer.hot.requests.");

    public static final Setting<Boolean> HOT_WINDOW = Setting.bool(
            "hearth.balancer.hot.window",
            true,
            "Whether the requests of hearth.balancer.hot.requests are counted, in buckets of a minute for each region. When"
                    + " false they are taken from the decayed rates, which needs no memory of its own.");

    private HeatSettings() {}

    /** Every setting, in the order in which it is documented. */
    public static List<Setting<?>> all() {
        return List.of(
                HALF_LIFE_MS,
                RECENT_HALF_LIFE_MS,
                MIN_OBSERVED_MS,
                REMOTE_READ_EXTRA,
                STORE_INTERVAL_MS,
                SUSPECT_SERVED_RATIO,
                NOISE_FILTER,
                HOT_REQUESTS,
                HOT_MINUTES,
                HOT_WINDOW);
    }
}
