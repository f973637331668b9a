package io.hearth.healing.loop;

import io.hearth.balancer.log.RareLog;
import io.hearth.healing.metrics.HealingCounter;
import io.hearth.healing.metrics.HealingMetrics;
import io.hearth.healing.model.BlockId;
import io.hearth.healing.model.DataNodes;
import io.hearth.healing.model.RegionFiles;
import io.hearth.healing.model.ServedRegion;
import io.hearth.healing.observe.Observed;
import io.hearth.healing.observe.StoreFiles;
import io.hearth.healing.observe.UnknownReason;
import io.hearth.healing.plan.BlockMovePlanner;
import io.hearth.healing.plan.MovePlan;
import io.hearth.healing.plan.PlacementRule;
import io.hearth.healing.plan.PlanRequest;
import io.hearth.healing.plan.TargetRoom;
import io.hearth.healing.trigger.AssignmentDiff;
import io.hearth.healing.trigger.HealQueue;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * Lists a region's store files and plans its moves. Leaves the NameNode alone for a while after it has failed, says which regions
 * can't be looked at for reasons of their own, and remembers which regions read files of others, and where regions were served before. Not
 * thread-safe.
 */
final class RegionPlanner {

    private final HealQueue queue;
    private final HealingMetrics metrics;
    private final RareLog log;
    private final HealListener listener;
    private final BlockMovePlanner planner;
    private final StoreFiles storeFiles;
    private final KnownDataNodes dataNodes;
    private final LookFailures failures;
    private final SharedFiles sharedFiles = new SharedFiles();
    private final FormerHosts formerHosts = new FormerHosts();
    private int nameNodeFailures;
    private long nameNodeRestsUntilMs = Long.MIN_VALUE;

    /**
     * @param storeFiles lists the files of regions
     * @param failures told what can't be looked at
     */
    RegionPlanner(
            PlacementRule rule,
            StoreFiles storeFiles,
            KnownDataNodes dataNodes,
            HealQueue queue,
            LookFailures failures,
            HealingMetrics metrics,
            RareLog log,
            HealListener listener) {
        this.planner = new BlockMovePlanner(rule);
        this.storeFiles = storeFiles;
        this.dataNodes = dataNodes;
        this.queue = queue;
        this.failures = failures;
        this.metrics = metrics;
        this.log = log;
        this.listener = listener;
    }

    boolean mayAsk(long nowMs) {
        return nowMs >= nameNodeRestsUntilMs;
    }

    void forgetGone(AssignmentDiff diff) {
        diff.gone().forEach(region -> {
            sharedFiles.forget(region);
            formerHosts.forget(region);
        });
    }

    /**
     * The plan for this region; gone if the region is, unknown if the NameNode can't say, or if its files make planning fail.
     *
     * @param room what the region's host may be given
     */
    Observed<MovePlan> plan(
            ServedRegion region, Predicate<BlockId> underWay, TargetRoom room, long budgetBytes, long nowMs) {
        metrics.add(HealingCounter.REGIONS_LISTED, 1);
        failures.begins(region);
        try {
            Observed<MovePlan> plan = planOf(region, underWay, room, budgetBytes, nowMs);
            if (!(plan instanceof Observed.Unknown<MovePlan>)) {
                failures.succeeded(region);
            }
            return plan;
        } catch (RuntimeException failure) {
            brokeOff(region, failure, nowMs);
            return Observed.unknown(UnknownReason.UNREADABLE, failure.toString());
        }
    }

    /** A loop before this one was ended by something in the middle of a look at this region. */
    void cutOff(ServedRegion region, long nowMs) {
        brokeOff(region, null, nowMs);
    }

    /** A look at this region did not come to its end. */
    private void brokeOff(ServedRegion region, @Nullable RuntimeException failure, long nowMs) {
        metrics.add(HealingCounter.LOOKS_BROKEN_OFF, 1);
        String what = "A look at region " + region.region() + " of " + region.table() + " has failed";
        if (failures.broke(region, nowMs)) {
            metrics.add(HealingCounter.REGIONS_PUT_ASIDE, 1);
            log.warn(
                    "put aside",
                    what + ", " + LookFailures.BREAKS + " times in a row: it is left alone for an hour",
                    failure,
                    nowMs);
        } else {
            log.warn("look", what, failure, nowMs);
        }
    }

    private Observed<MovePlan> planOf(
            ServedRegion region, Predicate<BlockId> underWay, TargetRoom room, long budgetBytes, long nowMs) {
        Observed<RegionFiles> files = storeFiles.list(region, nowMs);
        if (files instanceof Observed.Unknown<RegionFiles> unknown) {
            return isOfTheRegion(unknown.reason())
                    ? unreadable(region, unknown, nowMs)
                    : nameNodeFailed(unknown, nowMs);
        }
        if (!(files instanceof Observed.Known<RegionFiles> known)) {
            return Observed.gone();
        }
        Observed<DataNodes> live = dataNodes.recent(nowMs);
        if (live instanceof Observed.Unknown<DataNodes> unknown) {
            return nameNodeFailed(unknown, nowMs);
        }
        nameNodeFailures = 0;
        sharedFiles.learn(region.region(), known.value());
        return Observed.known(planner.plan(new PlanRequest(
                region.region(),
                region.server().host(),
                known.value(),
                live.ifKnown().orElseThrow(),
                sharedFiles.others(region.region(), known.value(), queue::latest),
                formerHosts.before(region.region(), region.server().host()),
                underWay,
                room,
                budgetBytes,
                file -> region.compaction().isLikelyToReplace(file.modifiedMs()))));
    }

    private static boolean isOfTheRegion(UnknownReason reason) {
        return switch (reason) {
            case NOT_PERMITTED, UNREADABLE -> true;
            case NAMENODE_FAILED, MASTER_NOT_READY -> false;
        };
    }

    /** The NameNode answers: others are looked at meanwhile. */
    private Observed<MovePlan> unreadable(ServedRegion region, Observed.Unknown<RegionFiles> unknown, long nowMs) {
        nameNodeFailures = 0;
        failures.unreadable(region, nowMs);
        metrics.add(HealingCounter.REGIONS_UNREADABLE, 1);
        listener.nameNodeFailed(unknown.detail());
        log.warn(
                "unreadable",
                "Region " + region.region() + " of " + region.table() + " can't be looked at (" + unknown.reason()
                        + "): " + unknown.detail() + ". It is tried again later, and so are others of its table.",
                nowMs);
        return Observed.unknown(unknown.reason(), unknown.detail());
    }

    private <T> Observed<MovePlan> nameNodeFailed(Observed.Unknown<T> unknown, long nowMs) {
        nameNodeFailures++;
        nameNodeRestsUntilMs = nowMs + Rules.NAMENODE.delayMs(nameNodeFailures);
        metrics.add(HealingCounter.NAMENODE_FAILURES, 1);
        listener.nameNodeFailed(unknown.detail());
        log.warn(
                "namenode",
                "The NameNode could not be asked for blocks (" + unknown.reason() + "): " + unknown.detail()
                        + ". Nothing is concluded from that; it is asked again later.",
                nowMs);
        return Observed.unknown(unknown.reason(), unknown.detail());
    }
}
