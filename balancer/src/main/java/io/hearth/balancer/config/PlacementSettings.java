package io.hearth.balancer.config;

import java.util.List;

/** Where regions land that have lost their server. */
public final class PlacementSettings {

    public static final Setting<Boolean> ENABLED = Setting.bool(
            "hearth.balancer.placement.enabled",
            true,
            "Whether regions that have lost their server go where most of their blocks are. When false, they land as with the"
                    + " stock balancer.");

    public static final Setting<Double> HEAT_CAP = Setting.decimal(
            "hearth.balancer.placement.heat.cap",
            1.20,
            1.0,
            100,
            "",
            "How many times its fair share of reads or of writes a server may come to by regions that are placed for their"
                    + " blocks.");

    public static final Setting<Double> INTAKE_FACTOR = Setting.decimal(
            "hearth.balancer.placement.intake.factor",
            2.0,
            1.0,
            1_000,
            "",
            "How many times its even share of the regions that are placed at once one server may take. It keeps an empty server"
                    + " from being given all of them.");

    public static final Setting<Long> VIEW_MAX_AGE_MS = Setting.millis(
            "hearth.balancer.placement.view.max.age.ms",
            600_000,
            1_000,
            86_400_000,
            "Age of the last look at the servers' loads above which regions land as with the stock balancer.");

    private PlacementSettings() {}

    /** Every setting, in the order in which it is documented. */
    public static List<Setting<?>> all() {
        return List.of(ENABLED, HEAT_CAP, INTAKE_FACTOR, VIEW_MAX_AGE_MS);
    }
}
