// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.healer.core;

import io.hearth.common.log.RateLimitedLogger;
import io.hearth.healer.core.HealerState.HealListener;
import io.hearth.healer.metrics.HealingMetrics;
import io.hearth.healer.metrics.HealingMetrics.HealingCounter;
import io.hearth.healer.metrics.HealingMetrics.HealingGauge;
import io.hearth.healer.model.BlockMove;
import io.hearth.healer.model.ServedRegion;
import io.hearth.healer.model.SkipReason;
import io.hearth.healer.move.MoveExecutor.NarrowedUplink;
import io.hearth.healer.move.TrackedMove;
import io.hearth.healer.move.TrackedMove.MoveState;
import io.hearth.healer.plan.MovePlan;
import io.hearth.healer.spi.Observed;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.slf4j.Logger;

/** Counts and logs what the loop does; decides nothing. */
final class HealingEvents {

    private final HealingMetrics metrics;
    private final Logger log;
    private final RateLimitedLogger rateLimitedLogger;
    private final HealListener listener;

    HealingEvents(HealingMetrics metrics, Logger log, RateLimitedLogger rateLimitedLogger, HealListener listener) {
        this.metrics = metrics;
        this.log = log;
        this.rateLimitedLogger = rateLimitedLogger;
        this.listener = listener;
    }

    void planned(ServedRegion region, MovePlan plan, List<BlockMove> taken, long nowMs) {
        listener.planned(region, plan, taken);
        warnOfTarget(region, plan, nowMs);
        plan.skippedByReason().forEach(metrics::addSkipped);
        metrics.add(HealingCounter.BLOCKS_PLANNED, taken.size());
        metrics.add(
                HealingCounter.BYTES_PLANNED,
                taken.stream().mapToLong(BlockMove::lengthBytes).sum());
        String line = "Region " + region.region() + " of " + region.table() + " on " + region.server() + ": "
                + plan.localBytes() + " of " + plan.totalBytes() + " bytes local, " + taken.size() + " moves of "
                + plan.bytesToMove() + " bytes planned, staying: " + plan.skippedByReason();
        if (taken.isEmpty()) {
            log.debug("{}", line);
        } else {
            log.info("{}", line);
        }
    }

    /** @param regions that are said to be remote, though their servers report them local */
    void localityStale(int regions) {
        metrics.add(HealingCounter.REGIONS_LOCALITY_STALE, regions);
    }

    void uplinkSlow(NarrowedUplink uplink, long nowMs) {
        String way = (uplink.isInward() ? "into" : "out of") + " rack " + uplink.rack();
        rateLimitedLogger.warn(
                "uplink " + way,
                "Block moves " + way
                        + " take much longer than the rates of their DataNodes explain; moves within the rack do not."
                        + " The rack's uplink seems to be slow: at most " + uplink.moves()
                        + " such moves run at a time until they are faster.",
                nowMs);
    }

    void regionFoundLocal() {
        metrics.add(HealingCounter.REGIONS_FOUND_LOCAL, 1);
    }

    /** @param skipped blocks that are not local and can't be moved at all */
    void regionHealed(ServedRegion region, Map<SkipReason, Long> skipped) {
        metrics.add(HealingCounter.REGIONS_HEALED, 1);
        log.info(
                "Region {} of {} is local on {}{}.",
                region.region(),
                region.table(),
                region.server(),
                skipped.isEmpty() ? "" : ", but for what can't be moved: " + skipped);
    }

    /** @param right which of them is missing, in a word: each has its own line */
    void privilegeMissing(String right, String why, long nowMs) {
        listener.privilegeMissing(why);
        metrics.add(HealingCounter.PRIVILEGE_MISSING, 1);
        rateLimitedLogger.warn("privilege of the " + right, "No replica can be moved: " + why, nowMs);
    }

    /** What whoever waits for this heal has to know: a region's blocks could not be listed. */
    void notListed(String why) {
        listener.nameNodeFailed(why);
    }

    /** A call about blocks, to list them or to confirm their moves. */
    void nameNodeFailed(Observed.Unknown<?> unknown, long nowMs) {
        metrics.add(HealingCounter.NAMENODE_FAILURES, 1);
        rateLimitedLogger.warn(
                "namenode",
                "The NameNode could not be asked for blocks (" + unknown.reason() + "): " + unknown.detail()
                        + ". Nothing is concluded from that; it is asked again later.",
                nowMs);
    }

    void ended(TrackedMove end, long nowMs) {
        listener.ended(end.move(), end.state());
        if (end.state() == MoveState.VERIFIED || end.state() == MoveState.REVERTED) {
            listener.copiedAcrossRacks(end.move(), end.bytesAcrossRacks());
            metrics.add(HealingCounter.BYTES_ACROSS_RACKS, end.bytesAcrossRacks());
        }
        metrics.add(HealingCounter.MOVES_BUSY, end.rejections());
        metrics.add(HealingCounter.MOVES_RETRIED, end.failures());
        switch (end.state()) {
            case VERIFIED -> {
                metrics.add(HealingCounter.BLOCKS_VERIFIED, 1);
                metrics.add(HealingCounter.BYTES_VERIFIED, end.move().lengthBytes());
            }
            case REVERTED -> warn(HealingCounter.BLOCKS_REVERTED, end, nowMs);
            case INCONCLUSIVE -> warn(HealingCounter.BLOCKS_INCONCLUSIVE, end, nowMs);
            case FAILED, REFUSED -> warn(HealingCounter.BLOCKS_FAILED, end, nowMs);
            case BLOCK_DELETED -> metrics.add(HealingCounter.BLOCKS_DELETED, 1);
            case CANCELLED -> metrics.add(HealingCounter.BLOCKS_CANCELLED, 1);
            case PLANNED, RUNNING, TIMED_OUT, COPIED -> throw new IllegalStateException(end + " has not ended.");
        }
    }

    void advised(ServedRegion region, MovePlan plan, long nowMs) {
        listener.planned(region, plan, List.of());
        warnOfTarget(region, plan, nowMs);
        plan.skippedByReason().forEach(metrics::addSkipped);
        metrics.add(HealingCounter.BLOCKS_ADVISED, plan.moves().size());
        metrics.add(HealingCounter.BYTES_ADVISED, plan.bytesToMove());
        log.info(
                "Region {} of {} on {}: {} of {} bytes local, {} moves of {} bytes would be made, staying: {}",
                region.region(),
                region.table(),
                region.server(),
                plan.localBytes(),
                plan.totalBytes(),
                plan.moves().size(),
                plan.bytesToMove(),
                plan.skippedByReason());
    }

    void show(Optional<PauseReason> reason, int regionsQueued, int blocksWaiting, int blocksInFlight) {
        metrics.set(HealingGauge.ENABLED, reason.isEmpty() ? 1 : 0);
        metrics.set(HealingGauge.PAUSED, is(reason, PauseReason.PAUSED));
        metrics.set(HealingGauge.ALARMED, is(reason, PauseReason.ALARMED));
        metrics.set(HealingGauge.BRAKED, is(reason, PauseReason.BRAKED));
        metrics.set(HealingGauge.OUTSIDE_WINDOWS, is(reason, PauseReason.OUTSIDE_WINDOWS));
        metrics.set(HealingGauge.WAITS_FOR_LOCK, is(reason, PauseReason.LOCK_NOT_HELD));
        metrics.set(HealingGauge.REGIONS_QUEUED, regionsQueued);
        metrics.set(HealingGauge.BLOCKS_WAITING, blocksWaiting);
        metrics.set(HealingGauge.BLOCKS_IN_FLIGHT, blocksInFlight);
    }

    private static long is(Optional<PauseReason> reason, PauseReason which) {
        return reason.filter(which::equals).isPresent() ? 1 : 0;
    }

    private void warnOfTarget(ServedRegion region, MovePlan plan, long nowMs) {
        TargetProblem.of(plan)
                .ifPresent(problem -> rateLimitedLogger.warn("target " + problem, problem.line(region, plan), nowMs));
    }

    private void warn(HealingCounter counter, TrackedMove end, long nowMs) {
        metrics.add(counter, 1);
        rateLimitedLogger.warn(
                counter.metric(),
                "The move of " + end.move() + " ended " + end.state() + ": " + end.detail()
                        + ". Its region is looked at again later.",
                nowMs);
    }

    /** What keeps blocks from a region's host and only an operator can mend, in the order in which it is told. */
    enum TargetProblem {
        FULL(
                SkipReason.TARGET_FULL,
                "The DataNode on %s has no room for %d blocks of region %s of %s. Free space there or move regions away"),
        NOT_IN_SERVICE(
                SkipReason.TARGET_NOT_IN_SERVICE,
                "The DataNode on %s is stale or leaving and is not given %d blocks of region %s of %s. See hdfs dfsadmin -report"),
        NONE(
                SkipReason.NO_DATANODE_ON_HOST,
                "No DataNode is known on %s, for %d blocks of region %s of %s. Start one there, or see that RegionServer and"
                        + " DataNode go by the same host name");

        private final SkipReason reason;
        private final String line;

        TargetProblem(SkipReason reason, String line) {
            this.reason = reason;
            this.line = line;
        }

        /** The first that this plan met; empty if the target takes what it should. */
        static Optional<TargetProblem> of(MovePlan plan) {
            return Arrays.stream(values())
                    .filter(problem -> plan.skipped(problem.reason) > 0)
                    .findFirst();
        }

        /** One line: what, where, and what to do. */
        String line(ServedRegion region, MovePlan plan) {
            return String.format(line, region.server().host(), plan.skipped(reason), region.region(), region.table())
                    + "; the region is looked at again later.";
        }
    }
}
