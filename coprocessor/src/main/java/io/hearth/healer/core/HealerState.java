// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.healer.core;

import io.hearth.healer.history.HealHistory;
import io.hearth.healer.history.UnreportedRegions;
import io.hearth.healer.lock.HealerLockManager;
import io.hearth.healer.model.BlockMove;
import io.hearth.healer.model.ServedRegion;
import io.hearth.healer.move.TrackedMove.MoveState;
import io.hearth.healer.plan.MovePlan;
import io.hearth.healer.queue.HealQueue;
import io.hearth.healer.queue.HealRequests;
import io.hearth.healer.verify.DataNodeStates;
import java.util.List;
import java.util.Optional;
import java.util.function.IntSupplier;
import java.util.function.Supplier;

/**
 * What outlives a loop, which is made anew after a failure: a pause or an alarm, what came of the last heals, what was asked for, which
 * regions are said to be remote though their servers report them local, the claim to the lock that keeps two healers apart, who
 * listens, which regions are local and not reported to be, what was raised at DataNodes, which of them are sick, what was seen that can't
 * be seen again, who brakes, and how often the master is to be polled.
 *
 * @param braked why no move may start for the sake of service level objectives, as the end of a sentence; empty where nobody brakes
 * @param stretch how many times less often than set assignments are polled, at least 1
 */
public record HealerState(
        PauseSwitch pauseSwitch,
        HealHistory history,
        HealRequests requests,
        HealerLockManager lockManager,
        HealListener listener,
        UnreportedRegions unreported,
        BandwidthRaise bandwidthRaise,
        DataNodeStates dataNodeStates,
        LoopState loopState,
        Supplier<Optional<String>> braked,
        IntSupplier stretch) {

    /**
     * What the loop's thread has seen. Not thread-safe.
     */
    public static final class LoopState {

        private final RegionFailureTracker failures = new RegionFailureTracker();
        private final HealedRegions healed = new HealedRegions();
        private final RegionPlanner.PreviousHosts previousHosts = new RegionPlanner.PreviousHosts();
        private final CompactionFallback.RequestedCompactions compactions =
                new CompactionFallback.RequestedCompactions();
        private HealQueue queue = new HealQueue();

        RegionFailureTracker failures() {
            return failures;
        }

        HealedRegions healed() {
            return healed;
        }

        RegionPlanner.PreviousHosts previousHosts() {
            return previousHosts;
        }

        CompactionFallback.RequestedCompactions compactions() {
            return compactions;
        }

        /**
         * The queue of a new loop. What has moved since the last poll of the loop before, or was not settled by it, is found to
         * have moved.
         */
        HealQueue newQueue() {
            queue = new HealQueue(queue.settled());
            return queue;
        }
    }

    public HealerState(HealerLockManager lockManager, HealListener listener) {
        this(lockManager, listener, BandwidthRaise.none());
    }

    public HealerState(HealerLockManager lockManager, HealListener listener, BandwidthRaise bandwidthRaise) {
        this(lockManager, listener, bandwidthRaise, Optional::empty);
    }

    public HealerState(
            HealerLockManager lockManager,
            HealListener listener,
            BandwidthRaise bandwidthRaise,
            Supplier<Optional<String>> braked) {
        this(lockManager, listener, bandwidthRaise, braked, () -> 1);
    }

    /** The last two as in the record. */
    public HealerState(
            HealerLockManager lockManager,
            HealListener listener,
            BandwidthRaise bandwidthRaise,
            Supplier<Optional<String>> braked,
            IntSupplier stretch) {
        this(
                new PauseSwitch(),
                new HealHistory(),
                new HealRequests(),
                lockManager,
                listener,
                new UnreportedRegions(),
                bandwidthRaise,
                new DataNodeStates(),
                new LoopState(),
                braked,
                stretch);
    }

    /**
     * Hears what healing finds and does, region by region, for somebody who waits for it. Called by the loop's thread; returns at
     * once and never throws.
     */
    public interface HealListener {

        /** Nobody listens. */
        HealListener NONE = new HealListener() {};

        /**
         * A region's blocks were listed and its moves planned.
         *
         * @param taken the moves that will be made; none where only advice is asked for
         */
        default void planned(ServedRegion region, MovePlan plan, List<BlockMove> taken) {}

        /** A loop begins, the first or after a failure: nobody follows the moves that one before it has left open. */
        default void startedOver() {}

        /** A move has ended. */
        default void ended(BlockMove move, MoveState end) {}

        /** The same move has copied so many bytes from one rack into another, whether or not they have stayed. */
        default void copiedAcrossRacks(BlockMove move, long bytes) {}

        /** No move can be asked for at all. */
        default void privilegeMissing(String why) {}

        /** The NameNode could not say where blocks are. */
        default void nameNodeFailed(String why) {}
    }
}
