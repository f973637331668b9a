package io.hearth.balancer.config;

import java.util.List;

/** How heat is learnt. */
public final class HeatSettings {

    public static final Setting<Long> HALF_LIFE_MS = Setting.millis(
            "hearth.balancer.heat.half.life.ms",
            300_000,
            1_000,
            86_400_000,
            "Observed time in which old reads and writes lose half their weight. Longer is steadier, shorter is quicker.");

    public static final Setting<Long> MIN_OBSERVED_MS = Setting.millis(
            "hearth.balancer.heat.min.observed.ms",
            60_000,
            1_000,
            86_400_000,
            "Observed time from which the heat of a region counts as known. A region with unknown heat is not moved.");

    private HeatSettings() {}

    /** Every setting, in the order in which it is documented. */
    public static List<Setting<?>> all() {
        return List.of(HALF_LIFE_MS, MIN_OBSERVED_MS);
    }
}
