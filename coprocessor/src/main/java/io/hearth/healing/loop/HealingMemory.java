package io.hearth.healing.loop;

import io.hearth.healing.history.HealHistory;

/** What outlives a loop, which is made anew after a failure: the brake, and what came of the last heals. */
public record HealingMemory(HealSwitch brake, HealHistory history) {

    public HealingMemory() {
        this(new HealSwitch(), new HealHistory());
    }
}
