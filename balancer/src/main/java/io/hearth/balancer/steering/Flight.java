package io.hearth.balancer.steering;

import io.hearth.balancer.load.RegionId;
import io.hearth.balancer.load.ServerId;
import io.hearth.balancer.load.TableId;
import io.hearth.balancer.snapshot.Pin;
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
record Flight(
        TableId table,
        ServerId from,
        ServerId to,
        long plannedAtMs,
        long runAtMs,
        long dropMs,
        long lostMs,
        boolean byOurPlan,
        boolean spentBudget) {

    /** How a flight ends. */
    enum End {
        /** The target speaks of the region. */
        LANDED,
        /** The source still has it when the next run begins, or long after the plan: the master dropped the move. */
        DROPPED,
        /** Another server has it: somebody else moved it, or its server died. */
        ELSEWHERE,
        /** Nobody has spoken of it for so long that it may be gone. */
        LOST
    }

    /** Server clocks may differ by this much (HBase's {@code hbase.master.maxclockskew}). */
    private static final long CLOCK_SKEW_MS = 30_000;

    /** How it ended, if it has. */
    Optional<End> end(RegionId region, Sightings sightings, long nowMs) {
        if (sightings.any(region, seen -> seen.server().equals(to) && seen.reportTimeMs() > plannedAtMs)) {
            return Optional.of(End.LANDED);
        }
        if (sightings.any(region, seen -> seen.server().equals(from) && seen.reportTimeMs() > dropMs)) {
            return Optional.of(End.DROPPED);
        }
        if (sightings.any(region, this::isElsewhere)) {
            return Optional.of(End.ELSEWHERE);
        }
        return nowMs > lostMs ? Optional.of(End.LOST) : Optional.empty();
    }

    /** How it ended if a run begins and the master has the region on this server; a landing needs a report to be seen by. */
    Optional<End> end(ServerId byTheMaster) {
        if (byTheMaster.equals(from)) {
            return Optional.of(End.DROPPED);
        }
        return byTheMaster.equals(to) ? Optional.empty() : Optional.of(End.ELSEWHERE);
    }

    private boolean isElsewhere(Sightings.Sighting seen) {
        return !seen.server().equals(from)
                && !seen.server().equals(to)
                && seen.reportTimeMs() > plannedAtMs + CLOCK_SKEW_MS;
    }

    PinnedRegion listed(RegionId region) {
        return new PinnedRegion(
                region,
                table,
                to,
                Pin.IN_FLIGHT,
                Steering.US,
                Pin.IN_FLIGHT.reason() + ": from " + from + " to " + to,
                plannedAtMs,
                lostMs);
    }
}
