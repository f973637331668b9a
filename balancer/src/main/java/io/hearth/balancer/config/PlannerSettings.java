// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.balancer.config;

import io.hearth.common.config.Setting;
import java.util.List;

/** How long a plan may be looked for, and how many moves it may have. */
public final class PlannerSettings {

    public static final Setting<Long> DEADLINE_MS = Setting.millis(
            "hearth.balancer.plan.deadline.ms",
            10_000,
            100,
            600_000,
            "How long a run may search under the balancer's lock. What was found is the plan; the next run"
                    + " continues.");

    public static final Setting<Integer> MAX_MOVES_PER_SECOND = Setting.integer(
            "hearth.balancer.max.moves.per.second",
            50,
            1,
            100_000,
            "moves per second",
            "Moves that the HMaster can carry out. A run plans no more than fit into"
                    + " hbase.balancer.max.balancing (15,000 by default).");

    private PlannerSettings() {}

    /** Every setting, in the order in which it is documented. */
    public static List<Setting<?>> all() {
        return List.of(DEADLINE_MS, MAX_MOVES_PER_SECOND);
    }
}
