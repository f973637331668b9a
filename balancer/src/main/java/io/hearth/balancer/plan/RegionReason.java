// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.balancer.plan;

/**
 * What a plan does with one region, and why, in words for an operator. Immutable.
 *
 * @param region its encoded name
 * @param server the one that serves it now
 * @param reason {@link #MOVED}, or the name of the {@link UnmovedReason}
 * @param text one sentence without its full stop
 */
public record RegionReason(String region, String table, String server, String reason, String text) {

    /** The reason of a region that the plan moves. */
    public static final String MOVED = "MOVED";

    public static RegionReason of(PlannedMove move) {
        return new RegionReason(
                move.region().encodedName(), move.table().name(), move.from().toString(), MOVED, move.text());
    }

    public static RegionReason of(RejectedStockMove rejected) {
        return new RegionReason(
                rejected.region().encodedName(),
                rejected.table().name(),
                rejected.from().toString(),
                rejected.reason().name(),
                rejected.text());
    }

    public static RegionReason of(UnmovedRegion left) {
        return new RegionReason(
                left.region().encodedName(),
                left.table().name(),
                left.server().toString(),
                left.reason().name(),
                left.text());
    }
}
