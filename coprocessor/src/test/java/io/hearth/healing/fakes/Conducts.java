package io.hearth.healing.fakes;

import io.hearth.balancer.config.MapSettings;
import io.hearth.healing.config.ConductConfig;
import io.hearth.healing.config.HealingSettings;
import java.util.HashMap;
import java.util.Map;

/** How healing is told to conduct itself. */
public final class Conducts {

    private Conducts() {}

    /** The defaults, with readers that refresh each second. */
    public static ConductConfig usual() {
        return with(Map.of());
    }

    /** {@link #usual} with these keys, written without {@code hearth.heal.}. */
    public static ConductConfig with(Map<String, String> values) {
        Map<String, String> all = new HashMap<>();
        all.put("hearth.heal.readers.refresh.ms", "1000");
        values.forEach((key, value) -> all.put("hearth.heal." + key, value));
        return HealingSettings.read("test", new MapSettings(all)).config().conduct();
    }
}
