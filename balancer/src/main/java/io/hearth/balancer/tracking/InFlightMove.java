// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.balancer.tracking;

import io.hearth.balancer.state.Pin;
import io.hearth.balancer.tracking.ReportedLocationIndex.ReportedLocations;
import io.hearth.common.model.EncodedRegionName;
import io.hearth.common.model.ServerId;
import io.hearth.common.model.TableId;
import java.util.Optional;

/**
 * One planned move that nobody has confirmed yet. Immutable.
 *
 * @param plannedAtMs when it was planned, in milliseconds since 1970
 * @param runAtMs when the run began that planned it, by which the run is known
 * @param dropMs a report of the source that is made after this and still speaks of the region means that the master dropped
 *     the move
 * @param lostMs from when nobody is expected to report the region any more
 * @param byOurPlan whether it is a move of a plan for heat, and not of the stock balancer or a person
 * @param spentBudget whether it used up a move of its table's budget, which is given back where it is dropped. It is not
 *     written down: the next master gives nothing back, so that no hour has too many moves
 */
record InFlightMove(
        TableId table,
        ServerId from,
        ServerId to,
        long plannedAtMs,
        long runAtMs,
        long dropMs,
        long lostMs,
        boolean byOurPlan,
        boolean spentBudget) {

    /** The same with other times. */
    InFlightMove until(long otherDropMs, long otherLostMs) {
        return new InFlightMove(
                table, from, to, plannedAtMs, runAtMs, otherDropMs, otherLostMs, byOurPlan, spentBudget);
    }

    /** How a move in flight ends. */
    enum Result {
        /** The target speaks of the region. */
        COMPLETED,
        /** The source still has it when the next run begins, or long after the plan: the master dropped the move. */
        DROPPED,
        /** The target was asked to open the region and did not: the move was made and undone. */
        NOT_OPENED,
        /** Another server has it: somebody else moved it, or its server died. */
        SUPERSEDED,
        /** Nobody has spoken of it for so long that it may be gone. */
        LOST
    }

    /** Server clocks may differ by this much (HBase's {@code hbase.master.maxclockskew}). */
    private static final long CLOCK_SKEW_MS = 30_000;

    /** How it ended, if it has. */
    Optional<Result> end(EncodedRegionName region, ReportedLocations reportedLocations, long nowMs) {
        if (reportedLocations.any(region, seen -> seen.server().equals(to) && seen.reportTimeMs() > plannedAtMs)) {
            return Optional.of(Result.COMPLETED);
        }
        if (reportedLocations.any(region, seen -> seen.server().equals(from) && seen.reportTimeMs() > dropMs)) {
            return Optional.of(Result.DROPPED);
        }
        if (reportedLocations.any(region, this::isElsewhere)) {
            return Optional.of(Result.SUPERSEDED);
        }
        return nowMs > lostMs ? Optional.of(Result.LOST) : Optional.empty();
    }

    /** How it ended if a run begins and the master has the region on this server; a landing needs a report to be seen by. */
    Optional<Result> end(ServerId byTheMaster) {
        if (byTheMaster.equals(from)) {
            return Optional.of(Result.DROPPED);
        }
        return byTheMaster.equals(to) ? Optional.empty() : Optional.of(Result.SUPERSEDED);
    }

    private boolean isElsewhere(ReportedLocations.ReportedLocation seen) {
        return !seen.server().equals(from)
                && !seen.server().equals(to)
                && seen.reportTimeMs() > plannedAtMs + CLOCK_SKEW_MS;
    }

    PinnedRegion listed(EncodedRegionName region) {
        return new PinnedRegion(
                region,
                table,
                to,
                Pin.IN_FLIGHT,
                MoveTracker.HEARTH,
                Pin.IN_FLIGHT.reason() + ": from " + from + " to " + to,
                plannedAtMs,
                lostMs);
    }
}
