package io.hearth.healing.loop;

import io.hearth.balancer.log.RareLog;
import io.hearth.healing.execute.TrackedMove;
import io.hearth.healing.metrics.HealingCounter;
import io.hearth.healing.metrics.HealingGauge;
import io.hearth.healing.metrics.HealingMetrics;
import io.hearth.healing.model.BlockMove;
import io.hearth.healing.model.ServedRegion;
import io.hearth.healing.model.SkipReason;
import io.hearth.healing.plan.MovePlan;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.slf4j.Logger;

/** Counts and logs what the loop does; decides nothing. */
final class Tally {

    private final HealingMetrics metrics;
    private final Logger log;
    private final RareLog rareLog;
    private final HealListener listener;

    Tally(HealingMetrics metrics, Logger log, RareLog rareLog, HealListener listener) {
        this.metrics = metrics;
        this.log = log;
        this.rareLog = rareLog;
        this.listener = listener;
    }

    void planned(ServedRegion region, MovePlan plan, List<BlockMove> taken, long nowMs) {
        listener.planned(region, plan, taken);
        complainOfTarget(region, plan, nowMs);
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

    /** @param regions that are said to be away, though their servers report them at home */
    void doubted(int regions) {
        metrics.add(HealingCounter.REGIONS_DOUBTED, regions);
    }

    void regionFoundLocal() {
        metrics.add(HealingCounter.REGIONS_FOUND_LOCAL, 1);
    }

    /** @param staying blocks that are not local and can't be moved at all */
    void regionHealed(ServedRegion region, Map<SkipReason, Long> staying) {
        metrics.add(HealingCounter.REGIONS_HEALED, 1);
        log.info(
                "Region {} of {} is at home on {}{}.",
                region.region(),
                region.table(),
                region.server(),
                staying.isEmpty() ? "" : ", but for what can't be moved: " + staying);
    }

    /** @param right which of them is missing, in a word: each has its own line */
    void privilegeMissing(String right, String why, long nowMs) {
        listener.privilegeMissing(why);
        metrics.add(HealingCounter.PRIVILEGE_MISSING, 1);
        rareLog.warn("privilege of the " + right, "No replica can be moved: " + why, nowMs);
    }

    void ended(TrackedMove end, long nowMs) {
        listener.ended(end.move(), end.state());
        metrics.add(HealingCounter.MOVES_BUSY, end.refusals());
        metrics.add(HealingCounter.MOVES_RETRIED, end.failures());
        switch (end.state()) {
            case HEALED -> {
                metrics.add(HealingCounter.BLOCKS_VERIFIED, 1);
                metrics.add(HealingCounter.BYTES_VERIFIED, end.move().lengthBytes());
            }
            case BOUNCED -> complain(HealingCounter.BLOCKS_BOUNCED, end, nowMs);
            case UNSETTLED -> complain(HealingCounter.BLOCKS_INCONCLUSIVE, end, nowMs);
            case FAILED, REFUSED -> complain(HealingCounter.BLOCKS_FAILED, end, nowMs);
            case GONE -> metrics.add(HealingCounter.BLOCKS_GONE, 1);
            case CANCELLED -> metrics.add(HealingCounter.BLOCKS_CANCELLED, 1);
            case PLANNED, RUNNING, INCONCLUSIVE, COPIED -> throw new IllegalStateException(end + " has not ended.");
        }
    }

    void advised(ServedRegion region, MovePlan plan, long nowMs) {
        listener.planned(region, plan, List.of());
        complainOfTarget(region, plan, nowMs);
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

    void show(Optional<StandStill> still, int regionsQueued, int blocksWaiting, int blocksInFlight) {
        metrics.set(HealingGauge.ENABLED, still.isEmpty() ? 1 : 0);
        metrics.set(HealingGauge.PAUSED, is(still, StandStill.PAUSED));
        metrics.set(HealingGauge.ALARMED, is(still, StandStill.ALARMED));
        metrics.set(HealingGauge.OUTSIDE_WINDOWS, is(still, StandStill.OUTSIDE_WINDOWS));
        metrics.set(HealingGauge.WAITS_FOR_LOCK, is(still, StandStill.NOT_ITS_TURN));
        metrics.set(HealingGauge.REGIONS_QUEUED, regionsQueued);
        metrics.set(HealingGauge.BLOCKS_WAITING, blocksWaiting);
        metrics.set(HealingGauge.BLOCKS_IN_FLIGHT, blocksInFlight);
    }

    private static long is(Optional<StandStill> still, StandStill which) {
        return still.filter(which::equals).isPresent() ? 1 : 0;
    }

    private void complainOfTarget(ServedRegion region, MovePlan plan, long nowMs) {
        TargetTrouble.of(plan)
                .ifPresent(trouble -> rareLog.warn("target " + trouble, trouble.line(region, plan), nowMs));
    }

    private void complain(HealingCounter counter, TrackedMove end, long nowMs) {
        metrics.add(counter, 1);
        rareLog.warn(
                counter.metric(),
                "The move of " + end.move() + " ended " + end.state() + ": " + end.detail()
                        + ". Its region is looked at again later.",
                nowMs);
    }
}
