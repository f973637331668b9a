package io.hearth.healing.loop;

import io.hearth.healing.history.HealHistory;
import io.hearth.healing.lock.Tenure;
import io.hearth.healing.trigger.DoubtBox;
import io.hearth.healing.trigger.WishBox;

/**
 * What outlives a loop, which is made anew after a failure: the brake, what came of the last heals, what was asked for, which
 * regions are said to be away though their servers report them at home, the claim to the lock that keeps two healers apart, and
 * who listens.
 */
public record HealingMemory(
        HealSwitch brake, HealHistory history, WishBox wishes, DoubtBox doubts, Tenure tenure, HealListener listener) {

    public HealingMemory(Tenure tenure, HealListener listener) {
        this(new HealSwitch(), new HealHistory(), new WishBox(), new DoubtBox(), tenure, listener);
    }
}
