package io.hearth.healing.loop;

import io.hearth.balancer.load.RegionId;
import io.hearth.balancer.locality.LocalityRefresh;
import io.hearth.healing.config.HealingConfig;
import io.hearth.healing.execute.MoveExecutor;
import io.hearth.healing.execute.MoveState;
import io.hearth.healing.execute.TrackedMove;
import io.hearth.healing.history.UnreportedRegions;
import io.hearth.healing.model.BlockId;
import io.hearth.healing.model.BlockMove;
import io.hearth.healing.model.ReportedLocality;
import io.hearth.healing.model.ServedRegion;
import io.hearth.healing.plan.MovePlan;
import io.hearth.healing.trigger.HealQueue;
import io.hearth.healing.trigger.LookResult;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SortedSet;
import java.util.TreeSet;

/** The regions whose moves are planned or under way, from their plan to the end of their last move. Not thread-safe. */
final class HealsInHand {

    private final MoveExecutor executor;
    private final HealQueue queue;
    private final LocalityRefresh localityRefresh;
    private final Tally tally;
    private final Homecomings homecomings;
    private final Bounces bounces;
    private final Fallbacks fallbacks;
    private final ListingWatch listings;
    private final HealedRegions healed;
    private final UnreportedRegions unreported;
    private final Map<BlockId, RegionHeal> healByBlock = new HashMap<>();

    HealsInHand(
            MoveExecutor executor,
            HealQueue queue,
            LocalityRefresh localityRefresh,
            Tally tally,
            Homecomings homecomings,
            Bounces bounces,
            Fallbacks fallbacks,
            ListingWatch listings,
            HealedRegions healed,
            UnreportedRegions unreported) {
        this.executor = executor;
        this.queue = queue;
        this.localityRefresh = localityRefresh;
        this.tally = tally;
        this.homecomings = homecomings;
        this.bounces = bounces;
        this.fallbacks = fallbacks;
        this.listings = listings;
        this.healed = healed;
        this.unreported = unreported;
    }

    /** The ends of moves must have been taken in: a block belongs to one heal at a time. */
    void begin(ServedRegion region, MovePlan plan, HealingConfig now, long nowMs) {
        List<BlockMove> taken = executor.submit(bounces.withoutThoseUndoneLately(plan.moves(), nowMs), nowMs);
        tally.planned(region, plan, taken, nowMs);
        RegionHeal heal = new RegionHeal(region, plan, taken.size(), homecomings.arrivedMs(region, nowMs));
        taken.forEach(move -> {
            listings.verified().forget(move.block());
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
        SortedSet<RegionId> changed = new TreeSet<>();
        for (TrackedMove end : ends) {
            tally.ended(end, nowMs);
            if (end.state() == MoveState.HEALED) {
                listings.verified().verified(end.move(), nowMs);
                healed.healed(end.move(), nowMs);
            } else if (end.state() == MoveState.BOUNCED && listings.wasWell(end.move(), end.plannedMs(), nowMs)) {
                bounces.bounced(end.move(), now, nowMs);
            }
            RegionHeal heal = healByBlock.remove(end.move().block());
            if (heal == null) {
                continue;
            }
            heal.ended(end);
            if (heal.isOver()) {
                endRegion(heal, changed, now, nowMs);
            }
        }
        if (!changed.isEmpty()) {
            localityRefresh.regionsChanged(changed);
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
            tally.regionFoundLocal();
            homecomings.foundLocal(region);
            unreported.local(region);
        } else {
            unreported.notLocal(region.region());
        }
        if (region.reported().map(ReportedLocality::ratio).orElse(0.0) < now.threshold()) {
            localityRefresh.regionsChanged(List.of(region.region()));
        }
        queue.ended(region, heal.result(), Rules.queue(now), nowMs);
    }

    private void endRegion(RegionHeal heal, SortedSet<RegionId> changed, HealingConfig now, long nowMs) {
        if (heal.hasChanged()) {
            changed.add(heal.region().region());
        }
        boolean settled = heal.result() == LookResult.SETTLED && isServedWhereItWas(heal.region());
        if (settled) {
            tally.regionHealed(heal.region(), heal.staying());
        }
        if (settled && heal.expectedLocality() >= 1) {
            unreported.local(queue.latest(heal.region().region()).orElse(heal.region()));
        } else {
            unreported.notLocal(heal.region().region());
        }
        homecomings.ended(heal, settled, nowMs);
        fallbacks.ended(heal);
        queue.ended(heal.region(), heal.result(), Rules.queue(now), nowMs);
    }

    private boolean isServedWhereItWas(ServedRegion region) {
        return queue.latest(region.region())
                .filter(now -> now.server().equals(region.server()))
                .isPresent();
    }
}
