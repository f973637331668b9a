package io.hearth.healing.loop;

import io.hearth.balancer.log.RareLog;
import io.hearth.healing.metrics.HealingCounter;
import io.hearth.healing.metrics.HealingMetrics;
import io.hearth.healing.model.BlockId;
import io.hearth.healing.model.DataNodes;
import io.hearth.healing.model.RegionFiles;
import io.hearth.healing.model.ServedRegion;
import io.hearth.healing.observe.Observed;
import io.hearth.healing.plan.BlockMovePlanner;
import io.hearth.healing.plan.MovePlan;
import io.hearth.healing.plan.PlanRequest;
import io.hearth.healing.trigger.AssignmentDiff;
import io.hearth.healing.trigger.HealQueue;
import java.util.Optional;
import java.util.function.Predicate;

/**
 * Lists a region's store files and plans its moves. Remembers the DataNodes for some seconds, leaves the NameNode alone for a
 * while after it has failed, and remembers which regions read files of others, and where regions were served before. Not
 * thread-safe.
 */
final class RegionPlanner {

    /** A DataNode's state changes in 30 seconds at the earliest, when it becomes stale. */
    private static final long DATANODES_AGE_MS = 10_000;

    private final HealingPorts ports;
    private final HealQueue queue;
    private final HealingMetrics metrics;
    private final RareLog log;
    private final HealListener listener;
    private final BlockMovePlanner planner;
    private final SharedFiles sharedFiles = new SharedFiles();
    private final FormerHosts formerHosts = new FormerHosts();
    private Optional<DataNodes> nodes = Optional.empty();
    private long nodesAtMs;
    private int nameNodeFailures;
    private long nameNodeRestsUntilMs = Long.MIN_VALUE;

    RegionPlanner(HealingPorts ports, HealQueue queue, HealingMetrics metrics, RareLog log, HealListener listener) {
        this.ports = ports;
        this.queue = queue;
        this.metrics = metrics;
        this.log = log;
        this.listener = listener;
        this.planner = new BlockMovePlanner(ports.placementRule());
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
     * The plan for this region; gone if the region is, unknown if the NameNode can't say.
     *
     * @param promisedBytes bytes of earlier plans that are still to come to the region's host
     */
    Observed<MovePlan> plan(
            ServedRegion region, Predicate<BlockId> underWay, long promisedBytes, long budgetBytes, long nowMs) {
        metrics.add(HealingCounter.REGIONS_LISTED, 1);
        Observed<RegionFiles> files = ports.storeFiles().list(region, nowMs);
        if (files instanceof Observed.Unknown<RegionFiles> unknown) {
            return nameNodeFailed(unknown, nowMs);
        }
        if (!(files instanceof Observed.Known<RegionFiles> known)) {
            return Observed.gone();
        }
        Observed<DataNodes> live = liveNodes(nowMs);
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
                promisedBytes,
                budgetBytes,
                file -> region.compaction().isLikelyToReplace(file.modifiedMs()))));
    }

    /** The DataNodes as they were known some seconds ago. */
    Observed<DataNodes> liveNodes(long nowMs) {
        if (nodes.isPresent() && nowMs - nodesAtMs < DATANODES_AGE_MS) {
            return Observed.known(nodes.get());
        }
        Observed<DataNodes> fresh = ports.dataNodes().list();
        nodes = fresh.ifKnown();
        nodesAtMs = nowMs;
        return fresh instanceof Observed.Gone<DataNodes> ? Observed.known(DataNodes.NONE) : fresh;
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
