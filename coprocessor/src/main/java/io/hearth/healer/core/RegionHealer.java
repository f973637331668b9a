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
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.LongPredicate;

/**
 * Takes regions that are due, has their blocks listed and their moves planned, and sets the moves going, or publishes them, or
 * does what is done where no block can be moved. Not thread-safe.
 */
final class RegionHealer {

    /** The longest run of plans before answers are taken in again, and of calls to list what is planned. */
    private static final int REGIONS_PER_TURN = 64;

    private static final int CALLS_PER_TURN = 8;

    /** HDFS's default, to guess how many moves a region needs. */
    private static final long BLOCK_BYTES = 128L << 20;

    /**
     * Moves that wait for a host at least, so that it never idles for want of a plan: three times as many as a DataNode of 1 GB/s makes
     * at a time. What waits is filled up at each turn.
     */
    private static final int WAITING_PER_HOST = 16;

    /** Where the operator has set how many a DataNode makes at a time, four times as many if that is more. */
    private static final int WAITING_PER_SLOT = 4;

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
    /** The regions that this turn has taken and not looked at yet: those listed, then the others, each in the queue's order. */
    private final Deque<ServedRegion> listed = new ArrayDeque<>();

    private final Deque<ServedRegion> ahead = new ArrayDeque<>();
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
        int calls = 0;
        suspect = Optional.empty();
        if (planner.mayCallNameNode(nowMs)) {
            revertedMoveAlarm.revertedAfterVerify(revertDetector.takeProven(nowMs), now, nowMs);
        }
        if (!adviseOnly && !mover.isReady()) {
            return 0;
        }
        while (done < REGIONS_PER_TURN && needsMoves(now) && planner.mayCallNameNode(nowMs)) {
            if (listed.isEmpty()) {
                takeAhead(REGIONS_PER_TURN - done, now, nowMs);
                if (ahead.isEmpty() && done == 0) {
                    suspect.ifPresent(ahead::add);
                    suspect = Optional.empty();
                }
                if (ahead.isEmpty() || calls == CALLS_PER_TURN || !mayList.test(nowMs)) {
                    break;
                }
                calls++;
                list(now, adviseOnly, nowMs);
            }
            if (!attempt(listed.remove(), now, adviseOnly, nowMs)) {
                break;
            }
            failures.isOver();
            done++;
        }
        // No fault of theirs: they keep their turn.
        listed.forEach(queue::putBack);
        listed.clear();
        ahead.forEach(queue::putBack);
        ahead.clear();
        suspect.ifPresent(queue::putBack);
        return done;
    }

    /** One call of the NameNode is for as many of those ahead as it has an answer for. */
    private void list(HealingConfig now, boolean adviseOnly, long nowMs) {
        boolean plans = adviseOnly || mayMove(now, nowMs);
        int prepared = plans ? planner.prepare(List.copyOf(ahead), nowMs) : 1;
        for (int region = 0; region < prepared; region++) {
            listed.add(ahead.remove());
        }
    }

    /** Returns whether another region may be worked at. */
    private boolean attempt(ServedRegion region, HealingConfig now, boolean adviseOnly, long nowMs) {
        if (adviseOnly || mayMove(now, nowMs)) {
            if (!planRegion(region, now, adviseOnly, nowMs)) {
                listed.removeIf(other -> !mayAttempt(other, nowMs));
                ahead.removeIf(other -> !mayAttempt(other, nowMs));
            }
            return true;
        }
        if (compactionFallback.hasRoom(now.policy())) {
            boolean unused = planner.attempt(region, () -> compactInstead(region, now, nowMs), nowMs);
            queue.ended(region, AttemptResult.UNFINISHED, LoopTuning.queue(now), nowMs);
            return true;
        }
        queue.putBack(region);
        return false;
    }

    /**
     * Takes regions that are next, on servers whose DataNodes have not plenty waiting for them already. One that most likely can't be
     * planned has its turn when there were enough others since the last such one, or when nobody else is due, and is the last then.
     */
    private void takeAhead(int most, HealingConfig now, long nowMs) {
        int mostWaiting =
                Math.max(WAITING_PER_HOST, WAITING_PER_SLOT * now.limits().dataNodeMoves());
        Map<String, Integer> movesAhead = new HashMap<>();
        ahead.forEach(
                region -> movesAhead.merge(region.server().host(), likelyMoves(region, mostWaiting), Integer::sum));
        boolean isLast = ahead.stream().anyMatch(failures::isSuspect);
        while (!isLast && ahead.size() < most) {
            Optional<ServedRegion> due = queue.take(
                    nowMs,
                    server ->
                            executor.planned(server.host()) + movesAhead.getOrDefault(server.host(), 0) < mostWaiting);
            if (due.isEmpty()) {
                return;
            }
            ServedRegion region = due.get();
            if (mayAttempt(region, nowMs)) {
                ahead.add(region);
                movesAhead.merge(region.server().host(), likelyMoves(region, mostWaiting), Integer::sum);
                isLast = failures.isSuspect(region);
            }
        }
    }

    /** By what its server has reported; of one that has not, so many as no other region is to be taken beside. */
    private static int likelyMoves(ServedRegion region, int unknown) {
        return region.reported()
                .map(reported -> (int) Math.min(unknown, 1 + reported.nonLocalBytes() / BLOCK_BYTES))
                .orElse(unknown);
    }

    /** Whether a region that was taken may be worked at now; one that may not is put off. */
    private boolean mayAttempt(ServedRegion region, long nowMs) {
        long backedOffUntilMs = failures.backedOffUntilMs(region);
        if (backedOffUntilMs > nowMs) {
            queue.defer(region, backedOffUntilMs);
        } else if (!failures.isSuspect(region) || failures.maySpendAttempt()) {
            return true;
        } else if (suspect.isEmpty()) {
            suspect = Optional.of(region);
        } else {
            queue.defer(region, nowMs + SUSPECTS_WAIT_MS);
        }
        return false;
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

    /** Returns whether there was a plan. */
    private boolean planRegion(ServedRegion region, HealingConfig now, boolean adviseOnly, long nowMs) {
        long budgetBytes = adviseOnly ? Long.MAX_VALUE : budgetBytes(region, now, nowMs);
        TargetHeadroom headroom = new TargetHeadroom(
                now.policy().targetMaxUsedRatio(),
                executor.bytesTo(region.server().host()));
        Observed<MovePlan> plan = planner.plan(region, executor::hasMoveOf, headroom, budgetBytes, nowMs);
        if (plan instanceof Observed.Known<MovePlan> known) {
            revertedMoveAlarm.revertedAfterVerify(revertDetector.revertedAfterVerify(region, nowMs), now, nowMs);
            carryOut(region, known.value(), now, adviseOnly, nowMs);
            return true;
        }
        queue.ended(region, withoutPlan(plan), LoopTuning.queue(now), nowMs);
        return false;
    }

    /** For what the region's host may be given soon: a later plan is made of fresher locations. */
    private long budgetBytes(ServedRegion region, HealingConfig now, long nowMs) {
        long atHost = planner.bytesPerSecond(region, throttle::bytesPerSecond, nowMs);
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
                && compactionFallback.isRefusedForGood(region)
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
