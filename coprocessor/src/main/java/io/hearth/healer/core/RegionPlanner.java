// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.healer.core;

import io.hearth.common.log.RateLimitedLogger;
import io.hearth.common.model.EncodedRegionName;
import io.hearth.healer.core.HealerServices.StoreFiles;
import io.hearth.healer.metrics.HealingMetrics;
import io.hearth.healer.metrics.HealingMetrics.HealingCounter;
import io.hearth.healer.model.BlockReplicas.BlockId;
import io.hearth.healer.model.DataNode;
import io.hearth.healer.model.DataNodes;
import io.hearth.healer.model.RegionFiles;
import io.hearth.healer.model.ServedRegion;
import io.hearth.healer.model.SkipReason;
import io.hearth.healer.plan.BlockMovePlanner;
import io.hearth.healer.plan.MovePlan;
import io.hearth.healer.plan.PlacementRule;
import io.hearth.healer.plan.PlanRequest;
import io.hearth.healer.plan.TargetHeadroom;
import io.hearth.healer.queue.AssignmentDiff;
import io.hearth.healer.queue.HealQueue;
import io.hearth.healer.spi.Observed;
import io.hearth.healer.spi.Observed.UnknownReason;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.BooleanSupplier;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.function.ToLongFunction;
import org.jspecify.annotations.Nullable;

/**
 * Lists a region's store files and plans its moves. Leaves the NameNode alone for a while after it has failed, says which regions
 * can't be planned for reasons of their own, and remembers which regions read files of others, and where regions were served before. Not
 * thread-safe.
 */
final class RegionPlanner {

    private final HealQueue queue;
    private final HealingMetrics metrics;
    private final RateLimitedLogger log;
    private final HealingEvents events;
    private final BlockMovePlanner planner;
    private final StoreFiles storeFiles;
    private final DataNodeTracker dataNodes;
    private final RegionFailureTracker failures;
    private final SharedFiles sharedFiles = new SharedFiles();
    private final PreviousHosts previousHosts;
    private boolean hasFollowed;
    private int nameNodeFailures;
    private long nameNodeRetryMs = Long.MIN_VALUE;

    /**
     * @param storeFiles lists the files of regions
     * @param failures told what can't be planned
     * @param previousHosts what is known of where regions were served before
     */
    RegionPlanner(
            PlacementRule rule,
            StoreFiles storeFiles,
            DataNodeTracker dataNodes,
            HealQueue queue,
            RegionFailureTracker failures,
            HealingMetrics metrics,
            RateLimitedLogger log,
            HealingEvents events,
            PreviousHosts previousHosts) {
        this.planner = new BlockMovePlanner(rule);
        this.storeFiles = storeFiles;
        this.dataNodes = dataNodes;
        this.queue = queue;
        this.failures = failures;
        this.metrics = metrics;
        this.log = log;
        this.events = events;
        this.previousHosts = previousHosts;
    }

    boolean mayCallNameNode(long nowMs) {
        return nowMs >= nameNodeRetryMs;
    }

    /** After each poll of the assignments. */
    void follow(AssignmentDiff diff) {
        previousHosts.follow(diff);
        if (!hasFollowed) {
            // Of what has gone since the last poll of the loop before no diff tells.
            previousHosts.forgetGone(queue::isKnown);
            hasFollowed = true;
        }
        diff.gone().forEach(sharedFiles::forget);
    }

    /**
     * Has the folders of the first of these regions listed together, for {@link #plan}.
     *
     * @return for how many of them, at least one, the NameNode need not be asked again, or is asked by {@link #plan}
     */
    int prepare(List<ServedRegion> regions, long nowMs) {
        if (regions.size() == 1 || !failures.mayLookUpTogether()) {
            return 1;
        }
        failures.lookUpTogether(true);
        int prepared = 1;
        try {
            prepared = storeFiles.prepare(regions, nowMs);
        } catch (RuntimeException failure) {
            log.warn("together", "Regions could not be looked up together, and are one by one", failure, nowMs);
        }
        failures.lookUpTogether(false);
        return prepared;
    }

    /**
     * The plan for this region; gone if the region is, unknown if the NameNode can't say, or if its files make planning fail.
     *
     * @param headroom what the region's host may be given
     */
    Observed<MovePlan> plan(
            ServedRegion region, Predicate<BlockId> underWay, TargetHeadroom headroom, long budgetBytes, long nowMs) {
        metrics.add(HealingCounter.REGIONS_LISTED, 1);
        failures.attemptStarted(region);
        try {
            Observed<MovePlan> plan = planOf(region, underWay, headroom, budgetBytes, nowMs);
            if (!(plan instanceof Observed.Unknown<MovePlan>)) {
                failures.succeeded(region);
            }
            return plan;
        } catch (RuntimeException failure) {
            failed(region, failure, nowMs);
            return Observed.unknown(UnknownReason.UNREADABLE, failure.toString());
        }
    }

    /** Does something else with a region than to plan its moves. Returns whether it was done; not where its files make it fail. */
    boolean attempt(ServedRegion region, BooleanSupplier something, long nowMs) {
        failures.attemptStarted(region);
        try {
            boolean isDone = something.getAsBoolean();
            if (isDone) {
                failures.succeeded(region);
            }
            return isDone;
        } catch (RuntimeException failure) {
            failed(region, failure, nowMs);
            return false;
        }
    }

    /** What the DataNodes on the region's host may be given, in bytes per second; 0 where none is known. */
    long bytesPerSecond(ServedRegion region, ToLongFunction<DataNode> rate, long nowMs) {
        return dataNodes
                .recent(nowMs)
                .ifKnown()
                .map(nodes -> nodes.on(region.server().host()).stream()
                        .mapToLong(rate)
                        .sum())
                .orElse(0L);
    }

    /** A loop before this one was ended by something in the middle of an attempt at this region. */
    void interrupted(ServedRegion region, long nowMs) {
        failed(region, null, nowMs);
    }

    /** An attempt at this region did not come to its end. */
    private void failed(ServedRegion region, @Nullable RuntimeException failure, long nowMs) {
        metrics.add(HealingCounter.ATTEMPTS_FAILED, 1);
        String what = "An attempt at region " + region.region() + " of " + region.table() + " has failed";
        if (failures.attemptFailed(region, nowMs)) {
            metrics.add(HealingCounter.REGIONS_QUARANTINED, 1);
            log.warn(
                    "quarantined",
                    what + ", " + RegionFailureTracker.BREAKS + " times in a row: it is left alone for an hour",
                    failure,
                    nowMs);
        } else {
            log.warn("attempt", what, failure, nowMs);
        }
    }

    private Observed<MovePlan> planOf(
            ServedRegion region, Predicate<BlockId> underWay, TargetHeadroom headroom, long budgetBytes, long nowMs) {
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
        String host = region.server().host();
        Function<DataNodes, MovePlan> planWith = nodes -> planner.plan(new PlanRequest(
                region.region(),
                host,
                known.value(),
                nodes,
                sharedFiles.others(region.region(), known.value(), queue::latest),
                previousHosts.before(region.region(), host),
                underWay,
                headroom,
                budgetBytes,
                file -> region.compaction().isLikelyToReplace(file.modifiedMs())));
        MovePlan plan = planWith.apply(live.ifKnown().orElseThrow());
        // A disk that was full when a block of it was met last may have room by now, and nothing on it is looked up
        // otherwise.
        return Observed.known(
                plan.skipped(SkipReason.TARGET_FULL) > 0
                        ? dataNodes.renewed(host, nowMs).map(planWith).orElse(plan)
                        : plan);
    }

    private static boolean isOfTheRegion(UnknownReason reason) {
        return switch (reason) {
            case NOT_PERMITTED, UNREADABLE -> true;
            case NAMENODE_FAILED, MASTER_NOT_READY -> false;
        };
    }

    /** The NameNode answers: others are planned meanwhile. */
    private Observed<MovePlan> unreadable(ServedRegion region, Observed.Unknown<RegionFiles> unknown, long nowMs) {
        nameNodeFailures = 0;
        failures.unreadable(region, nowMs);
        metrics.add(HealingCounter.REGIONS_UNREADABLE, 1);
        events.notListed(unknown.detail());
        log.warn(
                "unreadable",
                "Region " + region.region() + " of " + region.table() + " can't be looked at (" + unknown.reason()
                        + "): " + unknown.detail() + ". It is tried again later, and so are others of its table.",
                nowMs);
        return Observed.unknown(unknown.reason(), unknown.detail());
    }

    private <T> Observed<MovePlan> nameNodeFailed(Observed.Unknown<T> unknown, long nowMs) {
        nameNodeFailures++;
        nameNodeRetryMs = nowMs + LoopTuning.NAMENODE.delayMs(nameNodeFailures);
        events.notListed(unknown.detail());
        events.nameNodeFailed(unknown, nowMs);
        return Observed.unknown(unknown.reason(), unknown.detail());
    }

    /**
     * The host that served a region before the one that serves it now, for regions that were seen to leave it. Not thread-safe.
     */
    static final class PreviousHosts {

        /** A region is back on the host that it left last where a server was restarted. */
        private record LeftHosts(String last, Optional<String> beforeLast) {}

        private final Map<EncodedRegionName, LeftHosts> leftHostsByRegion = new HashMap<>();

        /** After each poll of the assignments. */
        void follow(AssignmentDiff diff) {
            diff.hostLeftByRegion().forEach(this::left);
            diff.gone().forEach(leftHostsByRegion::remove);
        }

        /** Forgets regions that are gone, by what is known now. */
        void forgetGone(Predicate<EncodedRegionName> isKnown) {
            leftHostsByRegion.keySet().removeIf(isKnown.negate());
        }

        private void left(EncodedRegionName region, String host) {
            leftHostsByRegion.compute(region, (id, before) -> {
                if (before == null) {
                    return new LeftHosts(host, Optional.empty());
                }
                return before.last().equals(host) ? before : new LeftHosts(host, Optional.of(before.last()));
            });
        }

        /** Where a region that is served on this host was served before, if that was seen. */
        Optional<String> before(EncodedRegionName region, String host) {
            LeftHosts left = leftHostsByRegion.get(region);
            if (left == null) {
                return Optional.empty();
            }
            return left.last().equals(host) ? left.beforeLast() : Optional.of(left.last());
        }
    }
}
