// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.balancer.state;

import io.hearth.balancer.heat.RegionHeat;
import io.hearth.common.model.EncodedRegionName;
import io.hearth.common.model.LoadVector;
import io.hearth.common.model.TableId;
import java.util.Optional;
import java.util.OptionalDouble;

/**
 * One region of a cluster's state. Immutable.
 *
 * @param primary the primary of the region's replicas; the region itself where it is the primary or has none. Two regions
 *     with one primary hold the same data and must not share a host
 * @param heat as the balancer knows it, with what plans count of it; a region of unknown heat may be pinned for another reason too
 * @param pin whether it may be moved
 * @param bytesByHost where its store files' replicas are
 * @param reported what its server reported of its store files; empty in a plan's state, which does not need it
 */
public record RegionState(
        EncodedRegionName region,
        EncodedRegionName primary,
        TableId table,
        RegionHeat heat,
        Pin pin,
        LocalBytes bytesByHost,
        Optional<StoreFileBytes> reported) {

    /** A region whose heat does not swing, and is known unless that is what pins it: of unknown heat plans count nothing. */
    public RegionState(
            EncodedRegionName region,
            EncodedRegionName primary,
            TableId table,
            LoadVector plannedLoad,
            Pin pin,
            LocalBytes bytesByHost) {
        this(region, primary, table, steady(plannedLoad, pin), pin, bytesByHost, Optional.empty());
    }

    /** A region without replicas of which nobody knows where its bytes are. */
    public RegionState(EncodedRegionName region, TableId table, LoadVector plannedLoad, Pin pin) {
        this(region, region, table, plannedLoad, pin, LocalBytes.UNKNOWN);
    }

    private static RegionHeat steady(LoadVector load, Pin pin) {
        return pin == Pin.HEAT_UNKNOWN
                ? new RegionHeat.Unknown(RegionHeat.Reason.NEVER_REPORTED)
                : new RegionHeat.Known(load, load);
    }

    public boolean isFree() {
        return pin == Pin.FREE;
    }

    /** Whether it counts where the number of regions of a server is kept within slop. */
    public boolean isCounted() {
        return pin != Pin.OTHER_TABLE;
    }

    public boolean heatKnown() {
        return heat instanceof RegionHeat.Known;
    }

    /** What plans count: its load, weighted by its table; {@link LoadVector#ZERO} where its heat is unknown. */
    public LoadVector plannedLoad() {
        return heat instanceof RegionHeat.Known known ? known.planned() : LoadVector.ZERO;
    }

    /** What was measured; where heat is not known yet, its first rates, or nothing where there are none. */
    public LoadVector measuredLoad() {
        return heat instanceof RegionHeat.Known known ? known.load() : firstLoad();
    }

    /** The same, with {@link RegionHeat.Known#last}. */
    public LoadVector lastLoad() {
        return heat instanceof RegionHeat.Known known ? known.last() : firstLoad();
    }

    private LoadVector firstLoad() {
        return heat instanceof RegionHeat.Unknown unknown ? unknown.first() : LoadVector.ZERO;
    }

    /** Reads and writes a second by the recent rates; empty where heat is not known. */
    public OptionalDouble recentRequestsPerSecond() {
        return heat instanceof RegionHeat.Known known
                ? OptionalDouble.of(known.recent().requestsPerSecond())
                : OptionalDouble.empty();
    }

    /**
     * What a server reported of the store files of one region, or of all of its regions, in bytes. Immutable.
     *
     * @param storeBytes size of the store files
     * @param localBytes bytes of their blocks with a replica on the server; at most {@code blockBytes} is counted of them
     * @param blockBytes bytes of all their blocks; 0 where the server did not say, or there are none
     */
    public record StoreFileBytes(long storeBytes, long localBytes, long blockBytes) {

        /** Of no store file. */
        public static final StoreFileBytes NONE = new StoreFileBytes(0, 0, 0);

        /** Bytes of the blocks without a replica on the server. */
        public long remoteBytes() {
            return Math.max(0, blockBytes - localBytes);
        }

        /** Both together; of the local bytes no more count than there are bytes of blocks. */
        StoreFileBytes plus(StoreFileBytes other) {
            return new StoreFileBytes(
                    storeBytes + other.storeBytes,
                    localBytes + Math.min(other.localBytes, other.blockBytes),
                    blockBytes + other.blockBytes);
        }
    }
}
