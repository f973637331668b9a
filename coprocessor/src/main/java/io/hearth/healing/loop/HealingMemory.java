package io.hearth.healing.loop;

import io.hearth.healing.history.HealHistory;
import io.hearth.healing.trigger.WishBox;

/** What outlives a loop, which is made anew after a failure: the brake, what came of the last heals, and what was asked for. */
public record HealingMemory(HealSwitch brake, HealHistory history, WishBox wishes) {

    public HealingMemory() {
        this(new HealSwitch(), new HealHistory(), new WishBox());
    }
}
