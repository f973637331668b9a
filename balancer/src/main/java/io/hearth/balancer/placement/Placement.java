// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.balancer.placement;

import io.hearth.common.model.EncodedRegionName;
import io.hearth.common.model.ServerId;
import java.util.List;
import java.util.Locale;

/**
 * Where each of some regions lands, and why. Immutable.
 *
 * @param regions every region once, in the order in which they were placed: hottest first
 */
public record Placement(List<PlacedRegion> regions) {

    public Placement {
        regions = List.copyOf(regions);
    }

    /** How many regions landed for this reason. */
    public int count(Reason reason) {
        return (int)
                regions.stream().filter(region -> region.reason() == reason).count();
    }

    /** The bytes that are on the host where their region landed, of those that are known. */
    public long localBytes() {
        return regions.stream().mapToLong(PlacedRegion::localBytes).sum();
    }

    /** The bytes of the regions of which it is known where their bytes are. */
    public long knownBytes() {
        return regions.stream().mapToLong(PlacedRegion::knownBytes).sum();
    }

    /** One line for the log. */
    public String summary() {
        return String.format(
                Locale.ROOT,
                "%d regions placed: %d where most of their bytes are, %d on the server with most room, %d with no room"
                        + " anywhere; %d of %d bytes are local",
                regions.size(),
                count(Reason.MOST_BYTES),
                count(Reason.MOST_HEADROOM),
                count(Reason.NO_HEADROOM),
                localBytes(),
                knownBytes());
    }

    /**
     * Where one region lands. Immutable.
     *
     * @param localBytes bytes on that server's host, 0 where unknown
     * @param knownBytes all its bytes, 0 where unknown
     */
    public record PlacedRegion(
            EncodedRegionName region, ServerId server, Reason reason, long localBytes, long knownBytes) {}

    /** Why a region lands on a server. */
    public enum Reason {
        /** It holds most of the region's bytes of all servers with room. */
        MOST_BYTES,
        /** No server with room holds any of its bytes, or nobody knows: it has most room. */
        MOST_HEADROOM,
        /** No server is below the caps: it is the one that stays lowest against them. */
        NO_HEADROOM
    }
}
