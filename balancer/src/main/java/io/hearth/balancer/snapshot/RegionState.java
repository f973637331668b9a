package io.hearth.balancer.snapshot;

import io.hearth.balancer.load.LoadVector;
import io.hearth.balancer.load.RegionId;
import io.hearth.balancer.load.TableId;

/**
 * One region as the planner sees it. Immutable.
 *
 * @param load its load, already weighted by its table; {@link LoadVector#ZERO} where its heat is unknown
 * @param pin whether it may be moved
 */
public record RegionState(RegionId region, TableId table, LoadVector load, Pin pin) {

    public boolean isFree() {
        return pin == Pin.FREE;
    }

    /** Whether it counts where the number of regions of a server is kept within slop. */
    public boolean isCounted() {
        return pin != Pin.OTHER_TABLE;
    }
}
