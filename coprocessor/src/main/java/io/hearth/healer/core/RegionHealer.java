// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.healer.core;

import io.hearth.healer.config.HealingSettings.HealingConfig;
import io.hearth.healer.history.HealHistory.HealEndState;
import io.hearth.healer.model.ServedRegion;
import io.hearth.healer.move.BlockMover;
import io.hearth.healer.move.MoveExecutor;
import io.hearth.healer.move.TrackedMove.MoveState;
import io.hearth.healer.plan.MovePlan;
import io.hearth.healer.plan.TargetHeadroom;
import io.hearth.healer.queue.HealQueue;
import io.hearth.healer.queue.HealQueue.AttemptResult;
import io.hearth.healer.spi.Observed;
import io.hearth.healer.spi.Observed.UnknownReason;
import java.util.Optional;
import java.util.function.LongPredicate;

/**
 * Takes regions that are due, has their blocks listed and their moves planned, and sets the moves going, or publishes them, or
 * does what is done where no block can be moved. Not thread-safe.
 */
final class RegionHealer {

    /** The longest run of listings before answers are taken in again. */
    private static final int REGIONS_PER_TURN = 8;

    /** Moves that wait for a host: enough that it never idles for want of a plan. */
    private static final int WAITING_PER_HOST = 16;

    /** How long a region that most likely can't be planned waits while others are due. */
    private static final long SUSPECTS_WAIT_MS = 1_000;

    private final HealQueue queue;
    private final RegionPlanner planner;
    private final BlockMover mover;
    private final MoveExecutor executor;
    private final RevertDetector revertDetector;
    private final HealingEvents events;
    private final RevertedMoveAlarm revertedMoveAlarm;
    private final LocalityReportTracker reportTracker;
    private final CompactionFallback compactionFallback;
    private final HealsInProgress heals;
    private final AdaptiveThrottle throttle;
    private final LongPredicate mayList;
    private final RegionFailureTracker failures;
    private boolean privilegeMissing;
    /** A region of this turn that has its chance if no other is due. */
    private Optional<ServedRegion> suspect = Optional.empty();

    /** @param mayList whether the NameNode may be asked for one more region at this time */
    RegionHealer(
            HealQueue queue,
            RegionPlanner planner,
            BlockMover mover,
            MoveExecutor executor,
            RevertDetector revertDetector,
            HealingEvents events,
            RevertedMoveAlarm revertedMoveAlarm,
            LocalityReportTracker reportTracker,
            CompactionFallback compactionFallback,
            HealsInProgress heals,
            AdaptiveThrottle throttle,
            LongPredicate mayList,
            RegionFailureTracker failures) {
        this.queue = queue;
        this.planner = planner;
        this.mover = mover;
        this.executor = executor;
        this.revertDetector = revertDetector;
        this.events = events;
        this.revertedMoveAlarm = revertedMoveAlarm;
        this.reportTracker = reportTracker;
        this.compactionFallback = compactionFallback;
        this.heals = heals;
        this.throttle = throttle;
        this.mayList = mayList;
        this.failures = failures;
    }

    /**
     * Plans regions that are due and sets their moves going; returns their number.
     *
     * @param adviseOnly whether plans are only published
     */
    int doWork(HealingConfig now, boolean adviseOnly, long nowMs) {
        int done = 0;
        suspect = Optional.empty();
        while (done < REGIONS_PER_TURN && needsMoves(now) && planner.mayCallNameNode(nowMs)) {
            Optional<ServedRegion> due = nextDue(now, nowMs);
            if (due.isEmpty() && done == 0) {
                due = suspect;
                suspect = Optional.empty();
            }
            if (due.isEmpty()) {
                break;
            }
            if (!mayList.test(nowMs)) {
                queue.putBack(due.get());
                break;
            }
            if (adviseOnly || mayMove(now, nowMs)) {
                planRegion(due.get(), now, adviseOnly, nowMs);
            } else if (compactionFallback.hasRoom(now.policy())) {
                boolean unused = compactInstead(due.get(), now, nowMs);
                queue.ended(due.get(), AttemptResult.UNFINISHED, LoopTuning.queue(now), nowMs);
            } else {
                // No fault of the region's: it keeps its turn.
                queue.putBack(due.get());
                break;
            }
            failures.isOver();
            done++;
        }
        suspect.ifPresent(queue::putBack);
        return done;
    }

    /**
     * The next region on a server whose DataNode has not plenty waiting for it already. One that most likely can't be planned
     * has its turn when there were enough others since the last such one, or when nobody else is due.
     */
    private Optional<ServedRegion> nextDue(HealingConfig now, long nowMs) {
        int enough = Math.max(WAITING_PER_HOST, 4 * now.limits().dataNodeMoves());
        while (true) {
            Optional<ServedRegion> due = queue.take(nowMs, server -> executor.planned(server.host()) < enough);
            if (due.isEmpty()) {
                return due;
            }
            ServedRegion region = due.get();
            long backedOffUntilMs = failures.backedOffUntilMs(region);
            if (backedOffUntilMs > nowMs) {
                queue.defer(region, backedOffUntilMs);
            } else if (!failures.isSuspect(region) || failures.maySpendAttempt()) {
                return due;
            } else if (suspect.isEmpty()) {
                suspect = due;
            } else {
                queue.defer(region, nowMs + SUSPECTS_WAIT_MS);
            }
        }
    }

    /** Whether few enough moves could start: what is planned late is planned on fresh locations. */
    private boolean needsMoves(HealingConfig now) {
        return executor.count(MoveState.PLANNED) - executor.deferred()
                < now.limits().clusterMoves();
    }

    private boolean mayMove(HealingConfig now, long nowMs) {
        Optional<String> missing = mover.missingPrivilege();
        missing.ifPresent(why -> events.privilegeMissing("move", why, nowMs));
        if (privilegeMissing && missing.isEmpty()) {
            queue.startOver(LoopTuning.queue(now), nowMs);
        }
        privilegeMissing = missing.isPresent();
        return missing.isEmpty();
    }

    private void planRegion(ServedRegion region, HealingConfig now, boolean adviseOnly, long nowMs) {
        long budgetBytes = adviseOnly ? Long.MAX_VALUE : budgetBytes(region, now, nowMs);
        TargetHeadroom headroom = new TargetHeadroom(
                now.policy().targetMaxUsedRatio(),
                executor.bytesTo(region.server().host()));
        Observed<MovePlan> plan = planner.plan(region, executor::hasMoveOf, headroom, budgetBytes, nowMs);
        if (plan instanceof Observed.Known<MovePlan> known) {
            revertedMoveAlarm.revertedAfterVerify(revertDetector.revertedAfterVerify(region, nowMs), now, nowMs);
            carryOut(region, known.value(), now, adviseOnly, nowMs);
        } else {
            queue.ended(region, withoutPlan(plan), LoopTuning.queue(now), nowMs);
        }
    }

    /** For what the region's host may be given soon: a later plan is made of fresher locations. */
    private long budgetBytes(ServedRegion region, HealingConfig now, long nowMs) {
        long atHost = planner.bytesPerSecond(region, throttle.dataNodeLimits(), nowMs);
        long inCluster = now.limits().clusterBytesPerSecond();
        return LoopTuning.budgetBytes(inCluster == 0 ? atHost : Math.min(inCluster, atHost));
    }

    private static AttemptResult withoutPlan(Observed<MovePlan> plan) {
        if (plan instanceof Observed.Unknown<MovePlan> unknown) {
            // What can't be planned now can't be in a minute; a NameNode that is away has nothing to do with the
            // region.
            return unknown.reason() == UnknownReason.NAMENODE_FAILED ? AttemptResult.UNKNOWN : AttemptResult.UNFINISHED;
        }
        return AttemptResult.OBSOLETE;
    }

    private void carryOut(ServedRegion region, MovePlan plan, HealingConfig now, boolean adviseOnly, long nowMs) {
        if (adviseOnly && !plan.moves().isEmpty()) {
            events.advised(region, plan, nowMs);
            reportTracker.record(
                    region,
                    HealEndState.ADVISED,
                    plan.bytesToMove(),
                    plan.moves().size(),
                    nowMs);
            queue.ended(region, AttemptResult.UNFINISHED, LoopTuning.queue(now), nowMs);
        } else if (!plan.moves().isEmpty()
                && compactionFallback.isRefusedForGood(region.region())
                && compactInstead(region, now, nowMs)) {
            queue.ended(region, AttemptResult.UNFINISHED, LoopTuning.queue(now), nowMs);
        } else {
            heals.begin(region, plan, now, nowMs);
        }
    }

    /** For a region whose blocks can't be moved: whether something else is done for it. */
    private boolean compactInstead(ServedRegion region, HealingConfig now, long nowMs) {
        if (!planner.mayCallNameNode(nowMs)) {
            return false;
        }
        long bytes = compactionFallback.tryCompact(region, now.policy(), nowMs);
        if (bytes > 0) {
            reportTracker.record(region, HealEndState.COMPACTION_REQUESTED, bytes, 0, nowMs);
        }
        return bytes > 0;
    }
}
