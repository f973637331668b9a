// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.testkit.process;

import java.util.HashMap;
import java.util.Map;

/** Settings with which Hearth acts within seconds, for runs of minutes: its defaults wait until a real cluster has calmed down. */
public final class FastTimings {

    private static final Map<String, String> SETTINGS = Map.of(
            "hearth.heal.poll.ms", "1000",
            "hearth.heal.region.stable.ms", "1000",
            "hearth.balancer.heat.half.life.ms", "10000",
            "hearth.balancer.heat.min.observed.ms", "10000",
            "hearth.balancer.cool.down.ms", "20000",
            // It tells swings by hours of load.
            "hearth.balancer.noise.filter", "false",
            "hearth.balancer.oscillation.window.ms", "20000");

    private FastTimings() {}

    /** These settings, with the run's own beside or instead of them. */
    public static Map<String, String> with(Map<String, String> own) {
        Map<String, String> settings = new HashMap<>(SETTINGS);
        settings.putAll(own);
        return Map.copyOf(settings);
    }
}
