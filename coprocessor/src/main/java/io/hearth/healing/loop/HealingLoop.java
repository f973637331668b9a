package io.hearth.healing.loop;

import io.hearth.balancer.load.RegionId;
import io.hearth.balancer.log.RareLog;
import io.hearth.healing.config.HealingConfig;
import io.hearth.healing.execute.MoveExecutor;
import io.hearth.healing.execute.MoveState;
import io.hearth.healing.execute.MoveThreads;
import io.hearth.healing.history.UnreportedRegions;
import io.hearth.healing.lock.LockState;
import io.hearth.healing.lock.Tenure;
import io.hearth.healing.metrics.HealingCounter;
import io.hearth.healing.metrics.HealingGauge;
import io.hearth.healing.metrics.HealingMetrics;
import io.hearth.healing.observe.Observed;
import io.hearth.healing.trigger.AssignmentDiff;
import io.hearth.healing.trigger.DoubtBox;
import io.hearth.healing.trigger.HealQueue;
import io.hearth.healing.trigger.HintBox;
import io.hearth.healing.trigger.WishBox;
import java.util.Optional;
import java.util.Set;
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

    /** A DataNode counts as dead after ten minutes. */
    private static final long DATANODES_WATCHED_MS = 60_000;

    private final HealingPorts ports;
    private final Supplier<HealingConfig> config;
    private final HealSwitch brake;
    private final WishBox wishes;
    private final DoubtBox doubts;
    private final Tenure tenure;
    private final Tally tally;
    private final HealQueue queue;
    private final LookFailures failures;
    private final KnownDataNodes dataNodes;
    private final HealedRegions healed;
    private final HealingMetrics metrics;
    private final UnreportedRegions unreported;
    private final Watch watch;
    private final RegionPlanner planner;
    private final MoveExecutor executor;
    private final Overtaken overtaken;
    private final NameNodesWord nameNodesWord;
    private final Pace pace;
    private final Bounces bounces;
    private final Homecomings homecomings;
    private final Fallbacks fallbacks;
    private final HealsInHand heals;
    private final DueRegions dueRegions;
    private Optional<StandStill> stoodStill = Optional.empty();
    private long watchedMs = Long.MIN_VALUE / 2;

    /**
     * @param moveThreads where the mover waits for DataNodes
     * @param config the configuration that holds now, asked for at every turn
     * @param memory what is kept from one loop to the next
     */
    public HealingLoop(
            HealingPorts ports,
            MoveThreads moveThreads,
            HintBox hints,
            Supplier<HealingConfig> config,
            HealingMetrics metrics,
            HealingMemory memory) {
        this.ports = ports;
        this.config = config;
        this.brake = memory.brake();
        this.wishes = memory.wishes();
        this.doubts = memory.doubts();
        this.tenure = memory.tenure();
        RareLog rareLog = new RareLog(LOG);
        this.tally = new Tally(metrics, LOG, rareLog, memory.listener());
        this.metrics = metrics;
        this.unreported = memory.unreported();
        this.queue = memory.seen().newQueue();
        this.failures = memory.seen().failures();
        this.healed = memory.seen().healed();
        this.dataNodes = new KnownDataNodes(ports.dataNodes());
        this.watch = new Watch(ports.assignments(), hints, queue, metrics);
        ListingWatch listings = new ListingWatch(ports.storeFiles(), dataNodes);
        this.planner = new RegionPlanner(
                ports.placementRule(), listings, dataNodes, queue, failures, metrics, rareLog, memory.listener());
        this.executor = new MoveExecutor(ports.mover(), moveThreads);
        this.overtaken = new Overtaken(executor, queue, dataNodes);
        this.nameNodesWord = new NameNodesWord(executor, ports.fileBlocks(), metrics, rareLog);
        this.pace = new Pace(ports.nameNodePulse(), ports.readProbe(), metrics, rareLog);
        this.bounces = new Bounces(brake, metrics, LOG);
        this.homecomings = new Homecomings(memory.history(), ports.wallClock(), metrics);
        this.fallbacks = new Fallbacks(ports, moveThreads, metrics, rareLog);
        this.heals = new HealsInHand(
                executor,
                queue,
                ports.localityRefresh(),
                tally,
                homecomings,
                bounces,
                fallbacks,
                listings,
                healed,
                memory.unreported());
        this.dueRegions = new DueRegions(
                queue,
                planner,
                ports.mover(),
                executor,
                listings,
                tally,
                bounces,
                homecomings,
                fallbacks,
                heals,
                pace,
                failures);
    }

    /** One turn; returns how much was done, 0 if there was nothing to do. */
    public int doWork(long nowMs) {
        failures.takeCutOff().ifPresent(region -> planner.cutOff(region, nowMs));
        HealingConfig now = brake.isSlow(nowMs) ? Rules.slow(config.get()) : config.get();
        Optional<StandStill> still = standStill(now, nowMs);
        Optional<AssignmentDiff> diff = watch.doWork(now, nowMs);
        diff.ifPresent(known -> follow(known, now, nowMs));
        Set<RegionId> wished = wishes.take();
        failures.forget(wished);
        queue.wish(wished, Rules.queue(now), nowMs);
        askAboutHealed(now, nowMs);
        tally.doubted(queue.doubt(doubts.take(), Rules.queue(now), nowMs));
        int work = diff.isPresent() ? 1 : 0;
        work += nameNodesWord.doWork(now.verifyTimeoutMs(), nowMs);
        still.ifPresent(why -> executor.cancelPlanned(move -> true, why.why(), nowMs));
        // Before anything is planned: a block whose move has just ended may be planned again at once.
        work += heals.takeEnds(now, nowMs);
        if (still.map(StandStill::plans).orElseGet(tenure::isSure)) {
            work += dueRegions.doWork(now, still.isPresent(), nowMs);
        }
        work += move(now, nowMs);
        showGauges(still);
        return work;
    }

    private Optional<StandStill> standStill(HealingConfig now, long nowMs) {
        boolean wasOff = stoodStill.filter(StandStill.SWITCHED_OFF::equals).isPresent();
        if (now.enabled() && wasOff && brake.alarm().isPresent()) {
            LOG.info("Healing was switched off and on again: it goes on after the alarm.");
            brake.resume();
        }
        bounces.tick(nowMs);
        Optional<StandStill> still = StandStill.now(now, brake, ports.wallClock());
        boolean hasWork = heals.blocks() > 0 || (still.isEmpty() && queue.hasDue(nowMs));
        tenure.doWork(hasWork);
        refusal().ifPresent(why -> tally.privilegeMissing("lock", why, nowMs));
        if (still.isEmpty() && hasWork && !tenure.isSure()) {
            still = Optional.of(StandStill.NOT_ITS_TURN);
        }
        if (still.isEmpty() && stoodStill.isPresent()) {
            // What was seen while it stood still may be old, and a table may have been switched off just before.
            watch.forgetLastLook();
            queue.startOver(Rules.queue(now));
        }
        if (!still.equals(stoodStill)) {
            LOG.info(
                    "Healing {}.",
                    still.map(why -> "starts no moves: " + words(why)).orElse("goes on"));
        }
        stoodStill = still;
        return still;
    }

    /** Why healing's user may not have the lock; empty where nobody has refused it. */
    private Optional<String> refusal() {
        return tenure.state() == LockState.REFUSED ? tenure.trouble() : Optional.empty();
    }

    private String words(StandStill still) {
        Optional<String> whose = still == StandStill.NOT_ITS_TURN ? tenure.trouble() : Optional.empty();
        return refusal()
                .or(() -> whose.map(words -> still.why() + ": " + words))
                .orElse(still.why());
    }

    private void follow(AssignmentDiff diff, HealingConfig now, long nowMs) {
        planner.forgetGone(diff);
        failures.forgetGone(diff.gone());
        homecomings.follow(diff, queue::latest, nowMs);
        unreported.follow(queue::latest);
        fallbacks.follow(queue::latest, nowMs);
        overtaken.follow(diff, now.conduct().targetMaxUsedRatio(), nowMs);
    }

    /** When a DataNode has left or come, which is looked for as long as it could undo something. */
    private void askAboutHealed(HealingConfig now, long nowMs) {
        if (nowMs - watchedMs < DATANODES_WATCHED_MS || healed.isEmpty(nowMs) || !planner.mayAsk(nowMs)) {
            return;
        }
        watchedMs = nowMs;
        boolean isKnown = dataNodes.noOlderThan(DATANODES_WATCHED_MS, nowMs) instanceof Observed.Known;
        dataNodes.takeChanged().forEach(node -> healed.changed(node, nowMs));
        if (isKnown) {
            int asked = queue.doubt(healed.takeDue(nowMs), Rules.queue(now), nowMs);
            metrics.add(HealingCounter.REGIONS_ASKED_AGAIN, asked);
        }
    }

    private int move(HealingConfig now, long nowMs) {
        boolean atWork = executor.count(MoveState.PLANNED) + executor.running() > 0;
        long bytesPerSecond = pace.bytesPerSecond(now.bytesPerSecond(), atWork, executor.takeRefusals(), nowMs);
        // Asked for once more: listing regions takes a while, and off means off at once, and so does another master.
        boolean mayStart = ports.assignments().mayAct()
                && tenure.isSure()
                && StandStill.now(config.get(), brake, ports.wallClock()).isEmpty();
        int atATime = nameNodesWord.movesAtATime(now.concurrentMoves(), nowMs);
        return executor.doWork(Rules.moves(now, atATime, bytesPerSecond), mayStart, nowMs);
    }

    private void showGauges(Optional<StandStill> still) {
        int waiting = executor.count(MoveState.PLANNED);
        metrics.set(HealingGauge.REGIONS_LOCAL_NOT_REPORTED, unreported.size());
        tally.show(still, queue.size(), waiting, heals.blocks() - waiting);
    }
}
