// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.healer.core;

import io.hearth.balancer.locality.BlocksMovedListener;
import io.hearth.common.model.EncodedRegionName;
import io.hearth.healer.config.HealingSettings.HealingConfig;
import io.hearth.healer.history.UnreportedRegions;
import io.hearth.healer.model.BlockMove;
import io.hearth.healer.model.BlockReplicas.BlockId;
import io.hearth.healer.model.ServedRegion;
import io.hearth.healer.model.ServedRegion.ReportedLocality;
import io.hearth.healer.move.MoveExecutor;
import io.hearth.healer.move.TrackedMove;
import io.hearth.healer.move.TrackedMove.MoveState;
import io.hearth.healer.plan.MovePlan;
import io.hearth.healer.queue.HealQueue;
import io.hearth.healer.queue.HealQueue.AttemptResult;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SortedSet;
import java.util.TreeSet;

/** The regions whose moves are planned or under way, from their plan to the end of their last move. Not thread-safe. */
final class HealsInProgress {

    private final MoveExecutor executor;
    private final HealQueue queue;
    private final BlocksMovedListener blocksMovedListener;
    private final HealingEvents events;
    private final LocalityReportTracker reportTracker;
    private final RevertedMoveAlarm revertedMoveAlarm;
    private final CompactionFallback compactionFallback;
    private final RevertDetector revertDetector;
    private final HealedRegions healed;
    private final UnreportedRegions unreported;
    private final Map<BlockId, RegionHeal> healByBlock = new HashMap<>();

    HealsInProgress(
            MoveExecutor executor,
            HealQueue queue,
            BlocksMovedListener blocksMovedListener,
            HealingEvents events,
            LocalityReportTracker reportTracker,
            RevertedMoveAlarm revertedMoveAlarm,
            CompactionFallback compactionFallback,
            RevertDetector revertDetector,
            HealedRegions healed,
            UnreportedRegions unreported) {
        this.executor = executor;
        this.queue = queue;
        this.blocksMovedListener = blocksMovedListener;
        this.events = events;
        this.reportTracker = reportTracker;
        this.revertedMoveAlarm = revertedMoveAlarm;
        this.compactionFallback = compactionFallback;
        this.revertDetector = revertDetector;
        this.healed = healed;
        this.unreported = unreported;
    }

    /** The ends of moves must have been taken in: a block belongs to one heal at a time. */
    void begin(ServedRegion region, MovePlan plan, HealingConfig now, long nowMs) {
        List<BlockMove> taken = executor.submit(revertedMoveAlarm.withoutBackedOff(plan.moves(), nowMs), nowMs);
        events.planned(region, plan, taken, nowMs);
        queue.listed(region, plan.totalBytes() - plan.localBytes());
        RegionHeal heal = new RegionHeal(region, plan, taken.size(), reportTracker.arrivedMs(region, nowMs));
        taken.forEach(move -> {
            revertDetector.verified().forget(move.block());
            if (healByBlock.putIfAbsent(move.block(), heal) != null) {
                throw new IllegalStateException("The end of an earlier move of " + move + " was not taken in.");
            }
        });
        if (heal.isOver()) {
            endWithoutMoves(heal, plan, now, nowMs);
        }
    }

    /** Takes in which moves have ended; returns their number. */
    int takeEnds(HealingConfig now, long nowMs) {
        List<TrackedMove> ends = executor.takeEnded();
        SortedSet<EncodedRegionName> changed = new TreeSet<>();
        for (TrackedMove end : ends) {
            events.ended(end, nowMs);
            if (end.state() == MoveState.VERIFIED) {
                revertDetector.verified().verified(end.move(), nowMs);
                revertedMoveAlarm.verified(end.move(), nowMs);
                healed.healed(end.move(), nowMs);
            } else if (revertDetector.wasReverted(end, nowMs)) {
                revertedMoveAlarm.reverted(end.move(), now, nowMs);
            }
            RegionHeal heal = healByBlock.remove(end.move().block());
            if (heal == null) {
                continue;
            }
            heal.ended(end);
            if (end.state() == MoveState.VERIFIED) {
                queue.healed(heal.region(), end.move().lengthBytes());
            }
            if (heal.isOver()) {
                endRegion(heal, changed, now, nowMs);
            }
        }
        if (!changed.isEmpty()) {
            blocksMovedListener.regionsChanged(changed);
        }
        return ends.size();
    }

    /** The number of blocks of these regions whose moves have not ended. */
    int blocks() {
        return healByBlock.size();
    }

    private void endWithoutMoves(RegionHeal heal, MovePlan plan, HealingConfig now, long nowMs) {
        ServedRegion region = heal.region();
        if (plan.localBytes() == plan.totalBytes()) {
            events.regionFoundLocal();
            reportTracker.foundLocal(region);
            unreported.local(region);
        } else {
            unreported.notLocal(region.region());
        }
        if (region.reported().map(ReportedLocality::ratio).orElse(0.0) < now.threshold()) {
            blocksMovedListener.regionsChanged(List.of(region.region()));
        }
        queue.ended(region, heal.result(), LoopTuning.queue(now), nowMs);
    }

    private void endRegion(RegionHeal heal, SortedSet<EncodedRegionName> changed, HealingConfig now, long nowMs) {
        if (heal.hasChanged()) {
            changed.add(heal.region().region());
        }
        boolean settled = heal.result() == AttemptResult.COMPLETED && isServedWhereItWas(heal.region());
        if (settled) {
            events.regionHealed(heal.region(), heal.skipped());
        }
        if (settled && heal.expectedLocality() >= 1) {
            unreported.local(queue.latest(heal.region().region()).orElse(heal.region()));
        } else {
            unreported.notLocal(heal.region().region());
        }
        reportTracker.ended(heal, settled, nowMs);
        compactionFallback.ended(heal);
        queue.ended(heal.region(), heal.result(), LoopTuning.queue(now), nowMs);
    }

    private boolean isServedWhereItWas(ServedRegion region) {
        return queue.latest(region.region())
                .filter(now -> now.server().equals(region.server()))
                .isPresent();
    }
}
