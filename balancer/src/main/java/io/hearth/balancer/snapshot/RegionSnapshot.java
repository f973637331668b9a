package io.hearth.balancer.snapshot;

import io.hearth.common.model.EncodedRegionName;
import io.hearth.common.model.LoadVector;
import io.hearth.common.model.TableId;

/**
 * One region as the planner sees it. Immutable.
 *
 * @param primary the primary of the region's replicas; the region itself where it is the primary or has none. Two regions
 *     with one primary hold the same data and must not share a host
 * @param load its load, already weighted by its table; {@link LoadVector#ZERO} where its heat is unknown
 * @param heatKnown whether its heat is known; a region of unknown heat may be pinned for another reason too
 * @param pin whether it may be moved
 * @param local where its store files' replicas are
 */
public record RegionSnapshot(
        EncodedRegionName region,
        EncodedRegionName primary,
        TableId table,
        LoadVector load,
        boolean heatKnown,
        Pin pin,
        LocalBytes local) {

    /** A region whose heat is known unless that is what pins it. */
    public RegionSnapshot(
            EncodedRegionName region,
            EncodedRegionName primary,
            TableId table,
            LoadVector load,
            Pin pin,
            LocalBytes local) {
        this(region, primary, table, load, pin != Pin.HEAT_UNKNOWN, pin, local);
    }

    /** A region without replicas of which nobody knows where its bytes are. */
    public RegionSnapshot(EncodedRegionName region, TableId table, LoadVector load, Pin pin) {
        this(region, region, table, load, pin, LocalBytes.UNKNOWN);
    }

    public boolean isFree() {
        return pin == Pin.FREE;
    }

    /** Whether it counts where the number of regions of a server is kept within slop. */
    public boolean isCounted() {
        return pin != Pin.OTHER_TABLE;
    }
}
