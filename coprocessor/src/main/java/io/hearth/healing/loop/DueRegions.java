package io.hearth.healing.loop;

import io.hearth.healing.config.HealingConfig;
import io.hearth.healing.execute.BlockMover;
import io.hearth.healing.execute.MoveExecutor;
import io.hearth.healing.execute.MoveState;
import io.hearth.healing.history.HealEnd;
import io.hearth.healing.model.ServedRegion;
import io.hearth.healing.observe.Observed;
import io.hearth.healing.observe.UnknownReason;
import io.hearth.healing.plan.MovePlan;
import io.hearth.healing.plan.TargetRoom;
import io.hearth.healing.trigger.HealQueue;
import io.hearth.healing.trigger.LookResult;
import java.util.Optional;

/**
 * Takes regions that are due, has their blocks listed and their moves planned, and sets the moves going, or publishes them, or
 * does what is done where no block can be moved. Not thread-safe.
 */
final class DueRegions {

    /** The longest run of listings before answers are taken in again. */
    private static final int REGIONS_PER_TURN = 8;

    /** Moves that wait for each slot of a DataNode: enough that it never idles for want of a plan. */
    private static final int WAITING_PER_SLOT = 4;

    /** How long a region that most likely can't be looked at waits while others are due. */
    private static final long SUSPECTS_WAIT_MS = 1_000;

    private final HealQueue queue;
    private final RegionPlanner planner;
    private final BlockMover mover;
    private final MoveExecutor executor;
    private final ListingWatch listings;
    private final Tally tally;
    private final Bounces bounces;
    private final Homecomings homecomings;
    private final Fallbacks fallbacks;
    private final HealsInHand heals;
    private final Pace pace;
    private final LookFailures failures;
    private boolean privilegeMissing;
    /** A region of this turn that has its chance if no other is due. */
    private Optional<ServedRegion> suspect = Optional.empty();

    DueRegions(
            HealQueue queue,
            RegionPlanner planner,
            BlockMover mover,
            MoveExecutor executor,
            ListingWatch listings,
            Tally tally,
            Bounces bounces,
            Homecomings homecomings,
            Fallbacks fallbacks,
            HealsInHand heals,
            Pace pace,
            LookFailures failures) {
        this.queue = queue;
        this.planner = planner;
        this.mover = mover;
        this.executor = executor;
        this.listings = listings;
        this.tally = tally;
        this.bounces = bounces;
        this.homecomings = homecomings;
        this.fallbacks = fallbacks;
        this.heals = heals;
        this.pace = pace;
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
        while (done < REGIONS_PER_TURN && isHungry(now) && planner.mayAsk(nowMs)) {
            Optional<ServedRegion> due = nextDue(now, nowMs);
            if (due.isEmpty() && done == 0) {
                due = suspect;
                suspect = Optional.empty();
            }
            if (due.isEmpty()) {
                break;
            }
            if (!pace.mayList(nowMs)) {
                queue.putBack(due.get());
                break;
            }
            if (adviseOnly || mayMove(now, nowMs)) {
                planRegion(due.get(), now, adviseOnly, nowMs);
            } else if (fallbacks.hasRoom(now.conduct())) {
                boolean unused = compactInstead(due.get(), now, nowMs);
                queue.ended(due.get(), LookResult.UNFINISHED, Rules.queue(now), nowMs);
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
     * The next region on a server whose DataNode has not plenty waiting for it already. One that most likely can't be looked at
     * has its turn when there were enough others since the last such one, or when nobody else is due.
     */
    private Optional<ServedRegion> nextDue(HealingConfig now, long nowMs) {
        int plenty = WAITING_PER_SLOT * now.concurrentMovesPerDataNode();
        while (true) {
            Optional<ServedRegion> due = queue.take(nowMs, server -> executor.planned(server.host()) < plenty);
            if (due.isEmpty()) {
                return due;
            }
            ServedRegion region = due.get();
            long restsUntilMs = failures.restsUntilMs(region);
            if (restsUntilMs > nowMs) {
                queue.defer(region, restsUntilMs);
            } else if (!failures.isSuspect(region) || failures.maySpareATurn()) {
                return due;
            } else if (suspect.isEmpty()) {
                suspect = due;
            } else {
                queue.defer(region, nowMs + SUSPECTS_WAIT_MS);
            }
        }
    }

    /** Whether few enough moves could start: what is planned late is planned on fresh locations. */
    private boolean isHungry(HealingConfig now) {
        return executor.count(MoveState.PLANNED) - executor.heldBack() < now.concurrentMoves();
    }

    private boolean mayMove(HealingConfig now, long nowMs) {
        Optional<String> missing = mover.missingPrivilege();
        missing.ifPresent(why -> tally.privilegeMissing("move", why, nowMs));
        if (privilegeMissing && missing.isEmpty()) {
            queue.startOver(Rules.queue(now));
        }
        privilegeMissing = missing.isPresent();
        return missing.isEmpty();
    }

    private void planRegion(ServedRegion region, HealingConfig now, boolean adviseOnly, long nowMs) {
        long budgetBytes = adviseOnly ? Long.MAX_VALUE : Rules.budgetBytes(now);
        TargetRoom room = new TargetRoom(
                now.conduct().targetMaxUsedRatio(),
                executor.bytesTo(region.server().host()));
        Observed<MovePlan> plan = planner.plan(region, executor::hasMoveOf, room, budgetBytes, nowMs);
        if (plan instanceof Observed.Known<MovePlan> known) {
            bounces.undone(listings.undone(region, nowMs), now, nowMs);
            carryOut(region, known.value(), now, adviseOnly, nowMs);
        } else {
            queue.ended(region, withoutPlan(plan), Rules.queue(now), nowMs);
        }
    }

    private static LookResult withoutPlan(Observed<MovePlan> plan) {
        if (plan instanceof Observed.Unknown<MovePlan> unknown) {
            // What can't be looked at today can't be tomorrow; a NameNode that is away has nothing to do with the
            // region.
            return unknown.reason() == UnknownReason.NAMENODE_FAILED ? LookResult.UNKNOWN : LookResult.UNFINISHED;
        }
        return LookResult.OVERTAKEN;
    }

    private void carryOut(ServedRegion region, MovePlan plan, HealingConfig now, boolean adviseOnly, long nowMs) {
        if (adviseOnly && !plan.moves().isEmpty()) {
            tally.advised(region, plan, nowMs);
            homecomings.record(
                    region, HealEnd.ADVISED, plan.bytesToMove(), plan.moves().size(), nowMs);
            queue.ended(region, LookResult.UNFINISHED, Rules.queue(now), nowMs);
        } else if (!plan.moves().isEmpty()
                && fallbacks.isRefusedForGood(region.region())
                && compactInstead(region, now, nowMs)) {
            queue.ended(region, LookResult.UNFINISHED, Rules.queue(now), nowMs);
        } else {
            heals.begin(region, plan, now, nowMs);
        }
    }

    /** For a region whose blocks can't be moved: whether something else is done for it. */
    private boolean compactInstead(ServedRegion region, HealingConfig now, long nowMs) {
        if (!planner.mayAsk(nowMs)) {
            return false;
        }
        long bytes = fallbacks.tryFor(region, now.conduct(), nowMs);
        if (bytes > 0) {
            homecomings.record(region, HealEnd.COMPACTION_ASKED, bytes, 0, nowMs);
        }
        return bytes > 0;
    }
}
