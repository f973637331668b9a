package io.hearth.balancer.state;

import io.hearth.common.model.EncodedRegionName;
import io.hearth.common.model.LoadVector;
import io.hearth.common.model.TableId;

/**
 * One region as the planner sees it. Immutable.
 *
 * @param primary the primary of the region's replicas; the region itself where it is the primary or has none. Two regions
 *     with one primary hold the same data and must not share a host
 * @param plannedLoad what plans count: its load, weighted by its table; {@link LoadVector#ZERO} where its heat is unknown
 * @param heatKnown whether its heat is known; a region of unknown heat may be pinned for another reason too
 * @param pin whether it may be moved
 * @param bytesByHost where its store files' replicas are
 */
public record RegionState(
        EncodedRegionName region,
        EncodedRegionName primary,
        TableId table,
        LoadVector plannedLoad,
        boolean heatKnown,
        Pin pin,
        LocalBytes bytesByHost) {

    /** A region whose heat is known unless that is what pins it. */
    public RegionState(
            EncodedRegionName region,
            EncodedRegionName primary,
            TableId table,
            LoadVector plannedLoad,
            Pin pin,
            LocalBytes bytesByHost) {
        this(region, primary, table, plannedLoad, pin != Pin.HEAT_UNKNOWN, pin, bytesByHost);
    }

    /** A region without replicas of which nobody knows where its bytes are. */
    public RegionState(EncodedRegionName region, TableId table, LoadVector plannedLoad, Pin pin) {
        this(region, region, table, plannedLoad, pin, LocalBytes.UNKNOWN);
    }

    public boolean isFree() {
        return pin == Pin.FREE;
    }

    /** Whether it counts where the number of regions of a server is kept within slop. */
    public boolean isCounted() {
        return pin != Pin.OTHER_TABLE;
    }
}
