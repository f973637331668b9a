// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.healer.fakes;

import io.hearth.common.config.RawSettings.MapSettings;
import io.hearth.healer.config.HealPolicySettings.HealPolicyConfig;
import io.hearth.healer.config.HealingSettings;
import java.util.HashMap;
import java.util.Map;

/** How healing is told to conduct itself. */
public final class HealPolicies {

    private HealPolicies() {}

    /** The defaults, with readers that refresh each second. */
    public static HealPolicyConfig usual() {
        return with(Map.of());
    }

    /** {@link #usual} with these keys, written without {@code hearth.heal.}. */
    public static HealPolicyConfig with(Map<String, String> values) {
        Map<String, String> all = new HashMap<>();
        all.put("hearth.heal.reader.locations.max.age.ms", "1000");
        values.forEach((key, value) -> all.put("hearth.heal." + key, value));
        return HealingSettings.read("test", new MapSettings(all)).config().policy();
    }
}
