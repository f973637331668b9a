// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.balancer.config;

import io.hearth.common.config.Setting;
import java.util.List;

/** Where regions land that have lost their server. */
public final class PlacementSettings {

    public static final Setting<Boolean> ENABLED = Setting.bool(
            "hearth.balancer.placement.enabled",
            true,
            "Whether regions that lost their server go where most of their blocks are. false: as with the"
                    + " stock balancer.");

    public static final Setting<Double> MAX_LOAD_RATIO = Setting.decimal(
            "hearth.balancer.placement.max.load.ratio",
            1.20,
            1.0,
            100,
            "",
            "How many times its fair share of reads or writes a server may reach by such regions.");

    public static final Setting<Double> MAX_BURST_FACTOR = Setting.decimal(
            "hearth.balancer.placement.max.burst.factor",
            2.0,
            1.0,
            1_000,
            "",
            "How many times its even part of regions placed at once a server may take.");

    public static final Setting<Long> VIEW_MAX_AGE_MS = Setting.millis(
            "hearth.balancer.placement.view.max.age.ms",
            600_000,
            1_000,
            86_400_000,
            "Age of the servers' loads above which regions land as with the stock balancer.");

    private PlacementSettings() {}

    /** Every setting, in the order in which it is documented. */
    public static List<Setting<?>> all() {
        return List.of(ENABLED, MAX_LOAD_RATIO, MAX_BURST_FACTOR, VIEW_MAX_AGE_MS);
    }
}
