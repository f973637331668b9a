package io.hearth.healing.fakes;

import io.hearth.healing.config.ConductConfig;
import io.hearth.healing.config.Fallback;
import io.hearth.healing.config.HealAction;
import io.hearth.healing.config.HealWindows;

/** How healing is told to conduct itself. */
public final class Conducts {

    private Conducts() {}

    public static ConductConfig usual() {
        return new ConductConfig(HealAction.ACT, false, HealWindows.ALWAYS, 1_000, 50, Fallback.NONE, 1, 1_000_000);
    }
}
