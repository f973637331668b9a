// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.healer.core;

import io.hearth.common.model.EncodedRegionName;
import io.hearth.healer.history.HealHistory;
import io.hearth.healer.history.HealHistory.HealEndState;
import io.hearth.healer.history.HealHistory.HealRecord;
import io.hearth.healer.metrics.HealingMetrics;
import io.hearth.healer.metrics.HealingMetrics.HealingCounter;
import io.hearth.healer.metrics.HealingMetrics.HealingGauge;
import io.hearth.healer.model.ServedRegion;
import io.hearth.healer.model.ServedRegion.ReportedLocality;
import io.hearth.healer.queue.AssignmentDiff;
import java.time.Clock;
import java.util.HashMap;
import java.util.Iterator;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;

/**
 * Follows regions from their arrival at a server until it reports the locality that was healed, and records what came of it.
 * Not thread-safe.
 */
final class LocalityReportTracker {

    /** A server that refreshes its locality at all does so within minutes. */
    private static final long REPORT_TIMEOUT_MS = 3_600_000;

    /** Flushes and rounding to megabytes on the way. */
    private static final double TOLERANCE = 0.01;

    private record Awaited(RegionHeal heal, long verifiedMs) {}

    private final HealHistory history;
    private final Clock wallClock;
    private final HealingMetrics metrics;
    private final Map<EncodedRegionName, Long> arrivedMsByRegion = new HashMap<>();
    private final Map<EncodedRegionName, Awaited> awaitedByRegion = new HashMap<>();

    LocalityReportTracker(HealHistory history, Clock wallClock, HealingMetrics metrics) {
        this.history = history;
        this.wallClock = wallClock;
        this.metrics = metrics;
    }

    /** Notes who came to a server and who left, and reads what servers report. */
    void follow(AssignmentDiff diff, Function<EncodedRegionName, Optional<ServedRegion>> latest, long nowMs) {
        diff.hostLeftByRegion().keySet().forEach(arrivedMsByRegion::remove);
        diff.moved().forEach(region -> arrivedMsByRegion.put(region, nowMs));
        for (Iterator<Awaited> all = awaitedByRegion.values().iterator(); all.hasNext(); ) {
            Awaited awaited = all.next();
            Optional<HealEndState> end =
                    end(awaited, latest.apply(awaited.heal().region().region()), nowMs);
            if (end.isPresent()) {
                all.remove();
                record(awaited.heal(), end.get(), awaited.verifiedMs(), nowMs);
            }
        }
        metrics.set(HealingGauge.REGIONS_AWAITING_REPORT, awaitedByRegion.size());
    }

    /** When this region was first seen where it is; now, if it was not seen coming. */
    long arrivedMs(ServedRegion region, long nowMs) {
        return arrivedMsByRegion.computeIfAbsent(region.region(), unseen -> nowMs);
    }

    /** The work on a region is over. Where nothing was moved there is nothing to record. */
    void ended(RegionHeal heal, boolean settled, long nowMs) {
        if (!heal.hasChanged()) {
            return;
        }
        if (settled) {
            arrivedMsByRegion.remove(heal.region().region());
            awaitedByRegion.put(heal.region().region(), new Awaited(heal, nowMs));
        } else {
            record(heal, HealEndState.UNFINISHED, nowMs, nowMs);
        }
    }

    /** Nothing was left to do. */
    void foundLocal(ServedRegion region) {
        arrivedMsByRegion.remove(region.region());
    }

    /** Something else came of a plan than moves. */
    void record(ServedRegion region, HealEndState end, long bytes, int blocks, long nowMs) {
        long afterMs = nowMs - arrivedMs(region, nowMs);
        history.add(new HealRecord(
                wallClock.instant(),
                region.region(),
                region.table(),
                region.server(),
                end,
                bytes,
                blocks,
                afterMs,
                afterMs));
    }

    private static Optional<HealEndState> end(Awaited awaited, Optional<ServedRegion> latest, long nowMs) {
        ServedRegion healed = awaited.heal().region();
        if (latest.filter(now -> now.server().equals(healed.server())).isEmpty()) {
            return Optional.of(HealEndState.REGION_MOVED);
        }
        boolean reported = latest.flatMap(ServedRegion::reported)
                .map(ReportedLocality::ratio)
                .filter(ratio -> ratio >= awaited.heal().expectedLocality() - TOLERANCE)
                .isPresent();
        if (reported) {
            return Optional.of(HealEndState.REPORTED);
        }
        return nowMs - awaited.verifiedMs() >= REPORT_TIMEOUT_MS
                ? Optional.of(HealEndState.UNREPORTED)
                : Optional.empty();
    }

    private void record(RegionHeal heal, HealEndState end, long verifiedMs, long nowMs) {
        long endedAfterMs = nowMs - heal.arrivedMs();
        if (end == HealEndState.REPORTED) {
            metrics.add(HealingCounter.REGIONS_REPORTED, 1);
            metrics.set(HealingGauge.LAST_HEAL_MS, endedAfterMs);
        } else if (end == HealEndState.UNREPORTED) {
            metrics.add(HealingCounter.REGIONS_UNREPORTED, 1);
        }
        ServedRegion region = heal.region();
        history.add(new HealRecord(
                wallClock.instant(),
                region.region(),
                region.table(),
                region.server(),
                end,
                heal.healedBytes(),
                heal.healedMoves(),
                verifiedMs - heal.arrivedMs(),
                endedAfterMs));
    }
}
