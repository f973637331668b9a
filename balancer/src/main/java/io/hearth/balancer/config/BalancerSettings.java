// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.balancer.config;

import io.hearth.common.config.Setting;
import java.util.List;
import java.util.stream.Stream;

/** Every key of the balancer, with its default, bounds and meaning; each group has a class of its own. */
public final class BalancerSettings {

    public static final Setting<Boolean> ENABLED = Setting.bool(
            "hearth.balancer.enabled",
            true,
            "Whether Hearth plans moves. false is the same as hearth.balancer.mode = off.");

    private BalancerSettings() {}

    /** Every setting of every group, in the order in which it is documented. */
    public static List<Setting<?>> all() {
        return Stream.<List<Setting<?>>>of(
                        List.of(ENABLED),
                        GoalSettings.all(),
                        HeatSettings.all(),
                        MoveTrackerSettings.all(),
                        PlacementSettings.all(),
                        LocalitySettings.all(),
                        PlannerSettings.all())
                .flatMap(List::stream)
                .toList();
    }
}
