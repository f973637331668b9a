// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.balancer.plan;

import io.hearth.common.model.EncodedRegionName;
import io.hearth.common.model.ServerId;
import io.hearth.common.model.TableId;
import java.util.Optional;

/**
 * What a plan does with one region, and why, in words for an operator. Immutable.
 *
 * @param region its encoded name
 * @param server the one that serves it now; empty where none does
 * @param reason {@link #MOVED}, {@link #ADVISED}, {@link #MOVED_BY_STOCK}, or the name of the {@link UnmovedReason}
 * @param text one sentence without its full stop
 */
public record RegionReason(String region, String table, String server, String reason, String text) {

    /** The reason of a region that the plan moves. */
    public static final String MOVED = "MOVED";

    /** The reason of a region that a plan would move which is not carried out. */
    public static final String ADVISED = "ADVISED";

    /** The reason of a region that the stock balancer's plan moves, to which Hearth does not object. */
    public static final String MOVED_BY_STOCK = "MOVED_BY_STOCK";

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

    /** The same of a plan that is not carried out; why, as the end of a sentence. */
    public RegionReason asAdvice(String why) {
        return reason.equals(MOVED)
                ? new RegionReason(region, table, server, ADVISED, text + "; it is not carried out: " + why)
                : this;
    }

    /** Of a region that the stock balancer moves from one server to another. */
    public static RegionReason ofStockMove(EncodedRegionName region, TableId table, ServerId from, ServerId to) {
        return new RegionReason(
                region.encodedName(),
                table.name(),
                from.toString(),
                MOVED_BY_STOCK,
                "the stock balancer moves " + region + " of " + table + " from " + from + " to " + to
                        + ", which takes no server above its trigger");
    }

    /**
     * Of a region that no plan is about.
     *
     * @param server empty where none serves it
     * @param why what the reason leaves open, as the end of a sentence
     */
    public static RegionReason withoutPlan(
            EncodedRegionName region,
            TableId table,
            Optional<ServerId> server,
            UnmovedReason reason,
            Optional<String> why) {
        String serverName = server.map(ServerId::toString).orElse("");
        String place = server.isPresent() ? "stays on " + serverName : "is on no server";
        return new RegionReason(
                region.encodedName(),
                table.name(),
                serverName,
                reason.name(),
                region + " of " + table + " " + place + ": " + reason.text()
                        + why.map(end -> ": " + end).orElse(""));
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
