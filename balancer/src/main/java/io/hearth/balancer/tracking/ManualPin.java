// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.balancer.tracking;

import io.hearth.balancer.state.Pin;
import io.hearth.common.model.EncodedRegionName;
import io.hearth.common.model.ServerId;
import io.hearth.common.model.TableId;
import java.util.OptionalDouble;

/**
 * One region that somebody put where it is. Immutable.
 *
 * @param server where it was put
 * @param heatThen reads and writes a second when it was put there; empty until they are known
 */
record ManualPin(TableId table, ServerId from, ServerId server, String who, long whenMs, OptionalDouble heatThen) {

    /** A pinned region that is reported elsewhere this long after is not where it was put; shorter, and clocks may differ. */
    private static final long ELSEWHERE_AFTER_MS = 60_000;

    ManualPin withHeat(OptionalDouble heat) {
        return heatThen.isPresent() ? this : new ManualPin(table, from, server, who, whenMs, heat);
    }

    /** Whether its heat has doubled or halved; what is below the floor counts as the floor, so that noise does neither. */
    boolean hasChanged(OptionalDouble heatNow, double floor) {
        if (heatThen.isEmpty() || heatNow.isEmpty()) {
            return false;
        }
        double then = Math.max(heatThen.getAsDouble(), floor);
        double now = Math.max(heatNow.getAsDouble(), floor);
        return then > 0 && (now >= 2 * then || now <= then / 2);
    }

    /** Whether only other servers speak of it by now; the same server after a restart is no other. */
    boolean isElsewhere(EncodedRegionName region, ReportedLocations reportedLocations) {
        return reportedLocations.any(
                        region,
                        seen -> !isSameServer(seen.server(), server)
                                && seen.reportTimeMs() > whenMs + ELSEWHERE_AFTER_MS)
                && !reportedLocations.any(region, seen -> isSameServer(seen.server(), server));
    }

    /** Whether these are one server, be it in another of its lives. */
    static boolean isSameServer(ServerId one, ServerId other) {
        return one.host().equals(other.host()) && one.port() == other.port();
    }

    PinnedRegion listed(EncodedRegionName region, long manualPinMs) {
        return new PinnedRegion(
                region,
                table,
                server,
                Pin.MOVED_MANUALLY,
                who,
                Pin.MOVED_MANUALLY.reason() + ": from " + from + " to " + server,
                whenMs,
                whenMs + manualPinMs);
    }
}
