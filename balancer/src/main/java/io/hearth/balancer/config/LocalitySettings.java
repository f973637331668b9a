package io.hearth.balancer.config;

import java.util.List;

/** How the NameNode is asked where the blocks of regions are. */
public final class LocalitySettings {

    public static final Setting<Double> REGIONS_PER_SECOND = Setting.decimal(
            "hearth.balancer.locality.regions.per.second",
            100.0,
            0.1,
            100_000,
            "regions per second",
            "How many regions a second the NameNode is asked about in the background. Each costs one listing for each column"
                    + " family, and one more call for each reference or link.");

    public static final Setting<Long> MAX_AGE_MS = Setting.millis(
            "hearth.balancer.locality.max.age.ms",
            14_400_000,
            60_000,
            604_800_000,
            "Age at which an answer is asked for again though nothing is known to have changed. It is also how long a region can"
                    + " be away though its server reports it at home, as after HDFS's Balancer, before the healer in the"
                    + " master is told.");

    private LocalitySettings() {}

    /** Every setting, in the order in which it is documented. */
    public static List<Setting<?>> all() {
        return List.of(REGIONS_PER_SECOND, MAX_AGE_MS);
    }
}
