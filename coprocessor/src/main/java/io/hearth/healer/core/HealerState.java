// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.healer.core;

import io.hearth.healer.history.HealHistory;
import io.hearth.healer.history.UnreportedRegions;
import io.hearth.healer.lock.HealerLockManager;
import io.hearth.healer.queue.HealQueue;
import io.hearth.healer.queue.HealRequests;

/**
 * What outlives a loop, which is made anew after a failure: a pause or an alarm, what came of the last heals, what was asked for, which
 * regions are said to be away though their servers report them at home, the claim to the lock that keeps two healers apart, who
 * listens, which regions are local and not reported to be, and what was seen that can't be seen again.
 */
public record HealerState(
        PauseSwitch pauseSwitch,
        HealHistory history,
        HealRequests requests,
        HealerLockManager lockManager,
        HealListener listener,
        UnreportedRegions unreported,
        LoopState loopState) {

    /**
     * What the loop's thread has seen. Not thread-safe.
     */
    public static final class LoopState {

        private final RegionFailureTracker failures = new RegionFailureTracker();
        private final HealedRegions healed = new HealedRegions();
        private HealQueue queue = new HealQueue();

        RegionFailureTracker failures() {
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

    public HealerState(HealerLockManager lockManager, HealListener listener) {
        this(
                new PauseSwitch(),
                new HealHistory(),
                new HealRequests(),
                lockManager,
                listener,
                new UnreportedRegions(),
                new LoopState());
    }
}
