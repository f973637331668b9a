// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.balancer.config;

import io.hearth.common.config.Setting;
import java.util.List;

/** How the NameNode is asked where the blocks of regions are. */
public final class LocalitySettings {

    public static final Setting<Double> REGIONS_PER_SECOND = Setting.decimal(
            "hearth.balancer.locality.regions.per.second",
            100.0,
            0.1,
            100_000,
            "regions per second",
            "Regions per second that the NameNode is asked about in the background. Each costs one listing"
                    + " per column family, and one call per reference or link.");

    public static final Setting<Long> MAX_AGE_MS = Setting.millis(
            "hearth.balancer.locality.max.age.ms",
            14_400_000,
            60_000,
            604_800_000,
            "Age at which an answer is asked for again. Also how long a remote region that its server"
                    + " reports local can go unnoticed.");

    private LocalitySettings() {}

    /** Every setting, in the order in which it is documented. */
    public static List<Setting<?>> all() {
        return List.of(REGIONS_PER_SECOND, MAX_AGE_MS);
    }
}
