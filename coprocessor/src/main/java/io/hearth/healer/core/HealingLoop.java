// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.healer.core;

import io.hearth.common.log.RateLimitedLogger;
import io.hearth.common.model.EncodedRegionName;
import io.hearth.healer.config.HealingSettings.HealingConfig;
import io.hearth.healer.history.UnreportedRegions;
import io.hearth.healer.lock.HealerLockManager;
import io.hearth.healer.lock.HealerLockManager.LockState;
import io.hearth.healer.metrics.HealLimit;
import io.hearth.healer.metrics.HealingMetrics;
import io.hearth.healer.metrics.HealingMetrics.HealingCounter;
import io.hearth.healer.metrics.HealingMetrics.HealingGauge;
import io.hearth.healer.model.BlockMove;
import io.hearth.healer.model.DataNode;
import io.hearth.healer.model.DataNode.ServiceState;
import io.hearth.healer.model.DataNodes;
import io.hearth.healer.model.ServedRegion;
import io.hearth.healer.model.ServedRegion.TableHealingMode;
import io.hearth.healer.move.MoveExecutor;
import io.hearth.healer.move.MoveExecutor.MoveLimits;
import io.hearth.healer.move.MoveExecutor.MoveThreadPool;
import io.hearth.healer.move.TrackedMove.MoveState;
import io.hearth.healer.plan.TargetHeadroom;
import io.hearth.healer.queue.AssignmentDiff;
import io.hearth.healer.queue.HealQueue;
import io.hearth.healer.queue.HealRequests;
import io.hearth.healer.queue.PollHints;
import io.hearth.healer.spi.Observed;
import io.hearth.healer.throttle.NameNodeBudget;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.function.Predicate;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Heals the locality of regions: polls who serves what, lists the blocks of regions that may not be local, moves one replica
 * of each block that is not local, and has the NameNode confirm it.
 *
 * <p>It keeps no journal: a new master's loop starts from what it sees. Whatever fails, the next pass converges. It has no
 * thread and never sleeps; somebody calls {@link #doWork} again and again from one thread, with the time of a clock that does
 * not go back.
 */
public final class HealingLoop {

    private static final Logger LOG = LoggerFactory.getLogger(HealingLoop.class);

    /** How often DataNodes are looked at for one that has left or come, in milliseconds: HDFS takes ten minutes to see one die. */
    private static final long DATANODES_WATCHED_MS = 60_000;

    private final HealerServices services;
    private final Supplier<HealingConfig> config;
    private final PauseSwitch pauseSwitch;
    private final Supplier<Optional<String>> brake;
    private final HealRequests requests;
    private final HealerLockManager lockManager;
    private final BandwidthRaise bandwidthRaise;
    private final HealingEvents events;
    private final HealQueue queue;
    private final RegionFailureTracker failures;
    private final DataNodeTracker dataNodes;
    private final HealedRegions healed;
    private final HealingMetrics metrics;
    private final UnreportedRegions unreported;
    private final AssignmentPoller poller;
    private final RegionPlanner planner;
    private final MoveExecutor executor;
    private final StaleMoveCanceller staleMoveCanceller;
    private final MoveConfirmer moveConfirmer;
    private final NameNodeBudget nameNodeBudget;
    private final AdaptiveThrottle throttle;
    private final RevertedMoveAlarm revertedMoveAlarm;
    private final LocalityReportTracker reportTracker;
    private final CompactionFallback compactionFallback;
    private final HealsInProgress heals;
    private final RegionHealer regionHealer;
    private final RemainingHealTime remainingHealTime;
    private Optional<PauseReason> lastReason = Optional.empty();
    /** Whether moves could start in the last turn. */
    private boolean mayStart;

    private long watchedMs = Long.MIN_VALUE / 2;
    private long shownCalls;
    private long shownMs;

    /**
     * @param moveThreadPool where the mover waits for DataNodes
     * @param config the configuration that holds now, asked for at every turn
     * @param healerState what is kept from one loop to the next
     */
    public HealingLoop(
            HealerServices services,
            MoveThreadPool moveThreadPool,
            PollHints hints,
            Supplier<HealingConfig> config,
            HealingMetrics metrics,
            HealerState healerState) {
        this.services = services;
        this.config = config;
        this.pauseSwitch = healerState.pauseSwitch();
        this.brake = healerState.braked();
        this.requests = healerState.requests();
        this.lockManager = healerState.lockManager();
        this.bandwidthRaise = healerState.bandwidthRaise();
        RateLimitedLogger rateLimitedLogger = new RateLimitedLogger(LOG);
        this.events = new HealingEvents(metrics, LOG, rateLimitedLogger, healerState.listener());
        this.metrics = metrics;
        this.unreported = healerState.unreported();
        this.queue = healerState.loopState().newQueue();
        this.failures = healerState.loopState().failures();
        this.healed = healerState.loopState().healed();
        this.dataNodes =
                new DataNodeTracker(services.dataNodes(), services.prober(), healerState.dataNodeStates(), LOG);
        this.poller = new AssignmentPoller(services.assignments(), hints, queue, metrics, healerState.stretch());
        RevertDetector revertDetector = new RevertDetector(services.storeFiles(), services.fileBlocks(), dataNodes);
        this.planner = new RegionPlanner(
                services.placementRule(),
                revertDetector,
                dataNodes,
                queue,
                failures,
                metrics,
                rateLimitedLogger,
                events,
                healerState.loopState().previousHosts());
        this.executor = new MoveExecutor(services.mover(), moveThreadPool);
        this.staleMoveCanceller = new StaleMoveCanceller(executor, queue, dataNodes);
        this.nameNodeBudget = new NameNodeBudget(services.nameNodeUsage());
        this.shownCalls = services.nameNodeUsage().calls();
        this.shownMs = services.nameNodeUsage().micros() / 1_000;
        this.moveConfirmer =
                new MoveConfirmer(executor, services.fileBlocks(), nameNodeBudget, metrics, rateLimitedLogger, events);
        this.throttle = new AdaptiveThrottle(
                services.nameNodeProbe(),
                services.readProbe(),
                services.allowance(),
                nameNodeBudget,
                executor.replyTimes(),
                metrics,
                rateLimitedLogger);
        this.remainingHealTime = new RemainingHealTime(queue, dataNodes, throttle, services.confirmSeconds(), metrics);
        this.revertedMoveAlarm = new RevertedMoveAlarm(pauseSwitch, services.wallClock(), metrics, LOG);
        this.reportTracker = new LocalityReportTracker(healerState.history(), services.wallClock(), metrics);
        this.compactionFallback = new CompactionFallback(
                services, moveThreadPool, healerState.loopState().compactions(), metrics, rateLimitedLogger);
        this.heals = new HealsInProgress(
                executor,
                queue,
                services.blocksMovedListener(),
                events,
                reportTracker,
                revertedMoveAlarm,
                compactionFallback,
                revertDetector,
                healed,
                healerState.unreported());
        this.regionHealer = new RegionHealer(
                queue,
                planner,
                services.mover(),
                executor,
                revertDetector,
                events,
                revertedMoveAlarm,
                reportTracker,
                compactionFallback,
                heals,
                throttle,
                this::mayList,
                failures);
    }

    /** One turn; returns how much was done, 0 if there was nothing to do. */
    public int doWork(long nowMs) {
        failures.takeInterrupted().ifPresent(region -> planner.interrupted(region, nowMs));
        HealingConfig now = config.get();
        executor.beginTurn(LoopTuning.listenMs(now), nowMs);
        Optional<PauseReason> reason = pauseReason(now, nowMs);
        throttle.setLimits(now.limits(), pace(), nowMs);
        Optional<AssignmentDiff> diff = poller.doWork(now, nowMs);
        diff.ifPresent(known -> follow(known, now, nowMs));
        Set<EncodedRegionName> requested = requests.takeHealNow();
        failures.forget(requested);
        queue.healNow(requested, LoopTuning.queue(now), nowMs);
        recheckHealed(now, nowMs);
        dataNodes.probe(nowMs);
        events.localityStale(queue.recheck(requests.takeStale(), LoopTuning.queue(now), nowMs));
        int work = diff.isPresent() ? 1 : 0;
        work += moveConfirmer.doWork(now.verifyTimeoutMs(), nowMs);
        reason.ifPresent(why -> executor.cancelPlanned(move -> true, why.why(), nowMs));
        staleMoveCanceller.cancelTriedAgain(nowMs);
        // Before anything is planned: a block whose move has just ended may be planned again at once.
        work += heals.takeEnds(now, nowMs);
        if (reason.map(PauseReason::plans).orElseGet(this::holdsLock)) {
            work += regionHealer.doWork(now, reason.isPresent(), nowMs);
        }
        work += move(now, nowMs);
        showGauges(reason);
        return work;
    }

    /**
     * How long the next turn has nothing to start, unless an answer, a hint or somebody's word comes before: in milliseconds, at
     * most so many.
     */
    public long idleMs(long mostMs, long nowMs) {
        OptionalLong nextMs = mayStart ? executor.nextStartMs() : OptionalLong.empty();
        return nextMs.isEmpty() ? mostMs : Math.max(0, Math.min(mostMs, nextMs.getAsLong() - nowMs));
    }

    private Optional<PauseReason> pauseReason(HealingConfig now, long nowMs) {
        boolean wasOff = lastReason.filter(PauseReason.SWITCHED_OFF::equals).isPresent();
        if (now.enabled() && wasOff && pauseSwitch.alarm().isPresent()) {
            LOG.info("Healing was switched off and on again: it goes on after the alarm.");
            pauseSwitch.resume();
        }
        revertedMoveAlarm.tick(nowMs);
        Optional<String> braked = brake.get();
        Optional<PauseReason> reason = PauseReason.now(now, pauseSwitch, braked.isPresent(), services.wallClock());
        boolean hasWork = heals.blocks() > 0 || (reason.isEmpty() && queue.hasDue(nowMs));
        lockManager.doWork(bandwidthRaise.needsLock(nowMs) || hasWork);
        bandwidthRaise.doWork(lockManager.isConfirmed(), nowMs);
        refusal().ifPresent(why -> events.privilegeMissing("lock", why, nowMs));
        if (reason.isEmpty() && hasWork && !lockManager.isConfirmed()) {
            reason = Optional.of(PauseReason.LOCK_NOT_HELD);
        }
        if (reason.isEmpty() && lastReason.isPresent()) {
            // What was seen while it stood still may be old, and a table may have been switched off just before.
            poller.forgetLastPoll();
            queue.startOver(LoopTuning.queue(now), nowMs);
        }
        if (!reason.equals(lastReason)) {
            LOG.info(
                    "Healing {}.",
                    reason.map(why -> "starts no moves: " + words(why, braked)).orElse("goes on"));
        }
        lastReason = reason;
        return reason;
    }

    /** Whether the lock is held for certain now; the NameNode is asked again where its calls since the last time took long. */
    private boolean holdsLock() {
        lockManager.confirmAgain();
        return lockManager.isConfirmed();
    }

    /** Why healing's user may not have the lock; empty where nobody has refused it. */
    private Optional<String> refusal() {
        return lockManager.state() == LockState.REFUSED ? lockManager.problem() : Optional.empty();
    }

    private String words(PauseReason reason, Optional<String> braked) {
        if (reason == PauseReason.BRAKED) {
            return braked.orElse(reason.why());
        }
        Optional<String> whose = reason == PauseReason.LOCK_NOT_HELD ? lockManager.problem() : Optional.empty();
        return refusal()
                .or(() -> whose.map(words -> reason.why() + ": " + words))
                .orElse(reason.why());
    }

    private void follow(AssignmentDiff diff, HealingConfig now, long nowMs) {
        planner.follow(diff);
        failures.forgetGone(queue::isKnown);
        reportTracker.follow(diff, queue::latest, nowMs);
        throttle.regionsMoved(diff.hosts(), nowMs);
        unreported.follow(queue::latest);
        compactionFallback.follow(queue::latest, nowMs);
        staleMoveCanceller.follow(now.policy().targetMaxUsedRatio(), nowMs);
    }

    /** When a DataNode has left or come, which is looked for as long as it could undo something, or one is doubted. */
    private void recheckHealed(HealingConfig now, long nowMs) {
        if (nowMs - watchedMs < DATANODES_WATCHED_MS) {
            return;
        }
        if (healed.isEmpty(nowMs) && !dataNodes.hasDoubted()) {
            // Nothing can be undone by those that have left or come.
            List<DataNode> unused = dataNodes.takeChanged();
            return;
        }
        if (!planner.mayCallNameNode(nowMs)) {
            return;
        }
        watchedMs = nowMs;
        boolean isKnown = dataNodes.noOlderThan(DATANODES_WATCHED_MS, nowMs) instanceof Observed.Known;
        dataNodes.takeChanged().forEach(node -> healed.changed(node, nowMs));
        if (isKnown) {
            int asked = queue.recheck(healed.takeDue(nowMs), LoopTuning.queue(now), nowMs);
            metrics.add(HealingCounter.REGIONS_RECHECKED, asked);
        }
    }

    private int move(HealingConfig now, long nowMs) {
        boolean atWork = executor.count(MoveState.PLANNED) + executor.running() > 0;
        throttle.tick(atWork, executor.takeBusy());
        // Asked for once more: listing regions takes a while, and off means off at once, and so does another master.
        // First the lock, for its answer may take a while too.
        mayStart = lastReason.isEmpty()
                && holdsLock()
                && services.assignments().mayAct()
                && bandwidthRaise.mayMove()
                && PauseReason.now(config.get(), pauseSwitch, brake.get().isPresent(), services.wallClock())
                        .isEmpty();
        int most = (int) Math.ceil(pace() * now.limits().clusterMoves());
        int atATime = moveConfirmer.movesAtATime(most, nowMs);
        MoveLimits limits = LoopTuning.moves(now, pace(), atATime, throttle.dataNodeLimits());
        int work = executor.doWork(limits, mayStart, nowMs);
        dataNodes.moved(executor.takeAnswers(), throttle.takeSlowest(), nowMs);
        executor.takeNarrowedUplinks().forEach(uplink -> events.uplinkSlow(uplink, nowMs));
        boolean isHeldByNameNode = atATime < most;
        HealLimit limit = limit(limits, isHeldByNameNode, nowMs);
        metrics.set(HealingGauge.LIMITED_BY, limit.ordinal());
        boolean goesOn = lastReason.isEmpty() && !isHeldByNameNode;
        remainingHealTime.tick(goesOn, limit, limits.clusterBytesPerSecond(), nowMs);
        return work;
    }

    private double pace() {
        return pauseSwitch.isSlow() ? LoopTuning.SLOW_PACE : 1;
    }

    private HealLimit limit(MoveLimits limits, boolean isHeldByNameNode, long nowMs) {
        if (!mayStart) {
            return heals.blocks() > 0 || queue.hasDue(nowMs) ? HealLimit.HELD : HealLimit.NOTHING_WAITS;
        }
        HealLimit ofMoves = executor.limit(limits);
        if (ofMoves == HealLimit.NOTHING_WAITS && queue.hasDue(nowMs) && !mayList(nowMs)) {
            return HealLimit.NAMENODE_BUDGET;
        }
        return ofMoves == HealLimit.CLUSTER_MOVES && isHeldByNameNode ? HealLimit.CONFIRMATION : ofMoves;
    }

    /** Whether the NameNode may be asked for one more region: those of which it has to confirm moves go first. */
    private boolean mayList(long nowMs) {
        return !moveConfirmer.wasCutShort() && nameNodeBudget.mayCall(nowMs);
    }

    private void showGauges(Optional<PauseReason> reason) {
        long calls = services.nameNodeUsage().calls();
        long ms = services.nameNodeUsage().micros() / 1_000;
        metrics.add(HealingCounter.NAMENODE_CALLS, calls - shownCalls);
        metrics.add(HealingCounter.NAMENODE_MS, ms - shownMs);
        shownCalls = calls;
        shownMs = ms;
        int waiting = executor.count(MoveState.PLANNED);
        metrics.set(HealingGauge.REGIONS_LOCAL_NOT_REPORTED, unreported.size());
        dataNodes.show(metrics);
        events.show(reason, queue.size(), waiting, heals.blocks() - waiting);
    }

    /** Takes planned moves back that something has overtaken before they could start. Not thread-safe. */
    private static final class StaleMoveCanceller {

        private static final String LEFT = "the region left the server it was planned for";

        private final MoveExecutor executor;
        private final HealQueue queue;
        private final DataNodeTracker dataNodes;

        StaleMoveCanceller(MoveExecutor executor, HealQueue queue, DataNodeTracker dataNodes) {
            this.executor = executor;
            this.queue = queue;
            this.dataNodes = dataNodes;
        }

        /** After each poll of the assignments. */
        void follow(double targetMaxUsedRatio, long nowMs) {
            executor.cancelPlanned(this::hasLeft, LEFT, nowMs);
            cancelWhere(region -> region.mode() == TableHealingMode.OFF, "its table was switched off", nowMs);
            cancelWhere(region -> region.compaction().isRunning(), "a compaction of its region runs", nowMs);
            if (executor.count(MoveState.PLANNED) > 0) {
                dataNodes.recent(nowMs).ifKnown().ifPresent(nodes -> {
                    executor.cancelPlanned(
                            move -> !isInService(move.target(), nodes), "its target is not in service any more", nowMs);
                    TargetHeadroom headroom = TargetHeadroom.upTo(targetMaxUsedRatio);
                    executor.cancelPlanned(
                            move -> headroom.bytes(nodes.latest(move.target()), move.storageType()) <= 0,
                            "its target is full",
                            nowMs);
                });
            }
        }

        /** What was under way when its region left, and is to be tried again. */
        void cancelTriedAgain(long nowMs) {
            List<BlockMove> again = executor.takeTriedAgain();
            if (again.stream().anyMatch(this::hasLeft)) {
                executor.cancelPlanned(this::hasLeft, LEFT, nowMs);
            }
        }

        private boolean hasLeft(BlockMove move) {
            return queue.latest(move.region())
                    .filter(region -> move.target().isOn(region.server().host()))
                    .isEmpty();
        }

        private void cancelWhere(Predicate<ServedRegion> which, String why, long nowMs) {
            executor.cancelPlanned(
                    move -> queue.latest(move.region()).filter(which).isPresent(), why, nowMs);
        }

        private static boolean isInService(DataNode target, DataNodes nodes) {
            return Optional.ofNullable(nodes.byId().get(target.id()))
                    .filter(node -> node.state() == ServiceState.IN_SERVICE)
                    .isPresent();
        }
    }
}
