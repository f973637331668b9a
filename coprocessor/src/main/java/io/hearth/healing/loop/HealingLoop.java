package io.hearth.healing.loop;

import io.hearth.balancer.load.RegionId;
import io.hearth.balancer.log.RareLog;
import io.hearth.healing.config.HealingConfig;
import io.hearth.healing.execute.MoveExecutor;
import io.hearth.healing.execute.MoveState;
import io.hearth.healing.execute.MoveThreads;
import io.hearth.healing.execute.TrackedMove;
import io.hearth.healing.metrics.HealingMetrics;
import io.hearth.healing.model.BlockId;
import io.hearth.healing.model.BlockMove;
import io.hearth.healing.model.HealMode;
import io.hearth.healing.model.ReportedLocality;
import io.hearth.healing.model.ServedRegion;
import io.hearth.healing.observe.Observed;
import io.hearth.healing.plan.MovePlan;
import io.hearth.healing.trigger.AssignmentDiff;
import io.hearth.healing.trigger.HealQueue;
import io.hearth.healing.trigger.HintBox;
import io.hearth.healing.trigger.LookResult;
import io.hearth.healing.verify.OpenMove;
import io.hearth.healing.verify.Verdict;
import io.hearth.healing.verify.Verifier;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Heals the locality of regions: looks who serves what, lists the blocks of regions that may not be at home, moves one replica
 * of each block that is not local, and has the NameNode confirm it.
 *
 * <p>It keeps no journal: a new master's loop starts from what it sees. Whatever fails, the next pass converges. It has no
 * thread and never sleeps; somebody calls {@link #doWork} again and again from one thread, with the time of a clock that does
 * not go back.
 */
public final class HealingLoop {

    private static final Logger LOG = LoggerFactory.getLogger(HealingLoop.class);

    /** The longest run of listings before answers are taken in again. */
    private static final int REGIONS_PER_TURN = 8;

    /** Moves that wait for each slot of a DataNode: enough that it never idles for want of a plan. */
    private static final int WAITING_PER_SLOT = 2;

    private final HealingPorts ports;
    private final Supplier<HealingConfig> config;
    private final Tally tally;
    private final HealQueue queue = new HealQueue();
    private final Watch watch;
    private final RegionPlanner planner;
    private final MoveExecutor executor;
    private final Verifier verifier;
    private final Map<BlockId, RegionHeal> healByBlock = new HashMap<>();
    private boolean wasEnabled;

    /**
     * @param moveThreads where the mover waits for DataNodes
     * @param config the configuration that holds now, asked for at every turn
     */
    public HealingLoop(
            HealingPorts ports,
            MoveThreads moveThreads,
            HintBox hints,
            Supplier<HealingConfig> config,
            HealingMetrics metrics) {
        this.ports = ports;
        this.config = config;
        RareLog rareLog = new RareLog(LOG);
        this.tally = new Tally(metrics, LOG, rareLog);
        this.watch = new Watch(ports.assignments(), hints, queue, metrics);
        this.planner = new RegionPlanner(ports, queue, metrics, rareLog);
        this.executor = new MoveExecutor(ports.mover(), moveThreads);
        this.verifier = new Verifier(ports.fileBlocks());
    }

    /** One turn; returns how much was done, 0 if there was nothing to do. */
    public int doWork(long nowMs) {
        HealingConfig now = config.get();
        if (now.enabled() && !wasEnabled) {
            // What was seen while off may be old, and a table may have been switched off just before.
            watch.forgetLastLook();
        }
        wasEnabled = now.enabled();
        Optional<AssignmentDiff> diff = watch.doWork(now, nowMs);
        diff.ifPresent(known -> follow(known, nowMs));
        int work = diff.isPresent() ? 1 : 0;
        work += verify(now, nowMs);
        work += now.enabled() ? planDueRegions(now, nowMs) : cancelAll(nowMs);
        // Asked for once more: listing regions takes a while, and off means off at once, and so does another master.
        boolean mayStart = config.get().enabled() && ports.assignments().mayAct();
        work += executor.doWork(Rules.moves(now, now.bytesPerSecond()), mayStart, nowMs);
        work += takeEnds(now, nowMs);
        showGauges(now);
        return work;
    }

    private void follow(AssignmentDiff diff, long nowMs) {
        planner.forgetGone(diff);
        executor.cancelPlanned(
                move -> diff.left().contains(move.region()), "the region left the server it was planned for", nowMs);
        executor.cancelPlanned(move -> isOff(move.region()), "its table was switched off", nowMs);
    }

    private boolean isOff(RegionId region) {
        return queue.latest(region)
                .filter(served -> served.mode() == HealMode.OFF)
                .isPresent();
    }

    private int cancelAll(long nowMs) {
        return executor.cancelPlanned(move -> true, "healing was switched off", nowMs);
    }

    private int verify(HealingConfig now, long nowMs) {
        List<OpenMove> open = executor.awaitingNameNode().stream()
                .map(tracked -> new OpenMove(tracked.move(), tracked.state() == MoveState.COPIED, tracked.sinceMs()))
                .toList();
        Map<BlockId, Verdict> verdicts = verifier.doWork(open, now.verifyTimeoutMs(), nowMs);
        verdicts.forEach(
                (block, verdict) -> executor.conclude(block, end(verdict), "the NameNode's word is " + verdict, nowMs));
        return verdicts.size();
    }

    private static MoveState end(Verdict verdict) {
        return switch (verdict) {
            case HEALED -> MoveState.HEALED;
            case BOUNCED -> MoveState.BOUNCED;
            case GONE -> MoveState.GONE;
            case INCONCLUSIVE -> MoveState.UNSETTLED;
            case PENDING -> throw new IllegalArgumentException("A pending move has not ended.");
        };
    }

    private int planDueRegions(HealingConfig now, long nowMs) {
        if (!isHungry(now) || !planner.mayAsk(nowMs)) {
            return 0;
        }
        int taken = 0;
        for (Optional<ServedRegion> due = nextDue(now, nowMs); due.isPresent(); due = nextDue(now, nowMs)) {
            taken++;
            if (planner.mayAsk(nowMs) && mayMove(nowMs)) {
                planRegion(due.get(), now, nowMs);
            } else {
                queue.ended(due.get(), LookResult.UNKNOWN, Rules.queue(now), nowMs);
            }
            if (taken == REGIONS_PER_TURN || !isHungry(now)) {
                break;
            }
        }
        return taken;
    }

    /** The next region on a server whose DataNode has not plenty waiting for it already. */
    private Optional<ServedRegion> nextDue(HealingConfig now, long nowMs) {
        int plenty = WAITING_PER_SLOT * now.concurrentMovesPerDataNode();
        return queue.take(nowMs, server -> executor.planned(server.host()) < plenty);
    }

    /** Whether few enough moves could start: what is planned late is planned on fresh locations. */
    private boolean isHungry(HealingConfig now) {
        return executor.count(MoveState.PLANNED) - executor.heldBack() < now.concurrentMoves();
    }

    private boolean mayMove(long nowMs) {
        Optional<String> missing = ports.mover().missingPrivilege();
        missing.ifPresent(why -> tally.privilegeMissing(why, nowMs));
        return missing.isEmpty();
    }

    private void planRegion(ServedRegion region, HealingConfig now, long nowMs) {
        Observed<MovePlan> plan = planner.plan(region, executor::hasMoveOf, nowMs);
        if (plan instanceof Observed.Known<MovePlan> known) {
            begin(region, known.value(), now, nowMs);
        } else {
            LookResult result = plan instanceof Observed.Gone<MovePlan> ? LookResult.OVERTAKEN : LookResult.UNKNOWN;
            queue.ended(region, result, Rules.queue(now), nowMs);
        }
    }

    private void begin(ServedRegion region, MovePlan plan, HealingConfig now, long nowMs) {
        List<BlockMove> taken = executor.submit(plan.moves(), nowMs);
        tally.planned(region, plan, taken);
        RegionHeal heal = new RegionHeal(region, taken.size(), plan.leavesSomethingForLater());
        taken.forEach(move -> healByBlock.put(move.block(), heal));
        if (heal.isOver()) {
            endWithoutMoves(heal, plan, now, nowMs);
        }
    }

    private void endWithoutMoves(RegionHeal heal, MovePlan plan, HealingConfig now, long nowMs) {
        if (plan.localBytes() == plan.totalBytes()) {
            tally.regionFoundLocal();
        }
        ServedRegion region = heal.region();
        if (region.reported().map(ReportedLocality::ratio).orElse(0.0) < now.threshold()) {
            ports.localityRefresh().regionsChanged(List.of(region.region()));
        }
        queue.ended(region, heal.result(), Rules.queue(now), nowMs);
    }

    private int takeEnds(HealingConfig now, long nowMs) {
        List<TrackedMove> ends = executor.takeEnded();
        SortedSet<RegionId> changed = new TreeSet<>();
        for (TrackedMove end : ends) {
            tally.ended(end, nowMs);
            RegionHeal heal = healByBlock.remove(end.move().block());
            if (heal == null) {
                continue;
            }
            heal.ended(end.state());
            if (heal.isOver()) {
                endRegion(heal, changed, now, nowMs);
            }
        }
        if (!changed.isEmpty()) {
            ports.localityRefresh().regionsChanged(changed);
        }
        return ends.size();
    }

    private void endRegion(RegionHeal heal, SortedSet<RegionId> changed, HealingConfig now, long nowMs) {
        if (heal.hasChanged()) {
            changed.add(heal.region().region());
        }
        if (heal.result() == LookResult.SETTLED && isServedWhereItWas(heal.region())) {
            tally.regionHealed(heal.region());
        }
        queue.ended(heal.region(), heal.result(), Rules.queue(now), nowMs);
    }

    private boolean isServedWhereItWas(ServedRegion region) {
        return queue.latest(region.region())
                .filter(now -> now.server().equals(region.server()))
                .isPresent();
    }

    private void showGauges(HealingConfig now) {
        int waiting = executor.count(MoveState.PLANNED);
        tally.show(now.enabled(), queue.size(), waiting, healByBlock.size() - waiting);
    }
}
