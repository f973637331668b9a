package io.hearth.healing.loop;

import io.hearth.healing.history.HealHistory;
import io.hearth.healing.lock.Tenure;

/**
 * What outlives a loop, which is made anew after a failure: the brake, what came of the last heals, the claim to the lock that
 * keeps two healers apart, and who listens.
 */
public record HealingMemory(HealSwitch brake, HealHistory history, Tenure tenure, HealListener listener) {

    public HealingMemory(Tenure tenure, HealListener listener) {
        this(new HealSwitch(), new HealHistory(), tenure, listener);
    }
}
