package io.hearth.healing.loop;

import io.hearth.healing.history.HealHistory;
import io.hearth.healing.history.UnreportedRegions;
import io.hearth.healing.lock.Tenure;
import io.hearth.healing.trigger.DoubtBox;
import io.hearth.healing.trigger.HealQueue;
import io.hearth.healing.trigger.WishBox;

/**
 * What outlives a loop, which is made anew after a failure: the brake, what came of the last heals, what was asked for, which
 * regions are said to be away though their servers report them at home, the claim to the lock that keeps two healers apart, who
 * listens, which regions are local and not reported to be, and what was seen that can't be seen again.
 */
public record HealingMemory(
        HealSwitch brake,
        HealHistory history,
        WishBox wishes,
        DoubtBox doubts,
        Tenure tenure,
        HealListener listener,
        UnreportedRegions unreported,
        Seen seen) {

    /**
     * What the loop's thread has seen. Not thread-safe.
     */
    public static final class Seen {

        private final LookFailures failures = new LookFailures();
        private final HealedRegions healed = new HealedRegions();
        private HealQueue queue = new HealQueue();

        LookFailures failures() {
            return failures;
        }

        HealedRegions healed() {
            return healed;
        }

        /**
         * The queue of a new loop. What has moved since the last look of the loop before, or was not settled by it, is found to
         * have moved.
         */
        HealQueue newQueue() {
            queue = new HealQueue(queue.settled());
            return queue;
        }
    }

    public HealingMemory(Tenure tenure, HealListener listener) {
        this(
                new HealSwitch(),
                new HealHistory(),
                new WishBox(),
                new DoubtBox(),
                tenure,
                listener,
                new UnreportedRegions(),
                new Seen());
    }
}
