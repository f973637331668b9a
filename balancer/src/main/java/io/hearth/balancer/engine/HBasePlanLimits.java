// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.balancer.engine;

import io.hearth.balancer.state.ClusterState;
import io.hearth.balancer.state.RegionState;

/**
 * What HBase's own settings allow one plan. Immutable.
 *
 * @param regionCountSlop how far a server's number of regions may be from the mean, as a share of it ({@code
 *     hbase.regions.slop}); below 0 means that the number does not matter
 * @param maxMoves the most moves of one plan
 */
public record HBasePlanLimits(double regionCountSlop, int maxMoves) {

    /** The least that a plan may always move, as in HBase's {@code MoveCostFunction}. */
    public static final int ALWAYS_ALLOWED_MOVES = 600;

    /**
     * As in the stock {@code MoveCostFunction}: a share of the regions that the plan is about, but at least {@value
     * #ALWAYS_ALLOWED_MOVES}. By table those are the table's own, and the others in the snapshot do not count.
     */
    public static HBasePlanLimits of(double regionCountSlop, ClusterState snapshot, double maxMovePercent) {
        int regions = 0;
        for (int server = 0; server < snapshot.servers().size(); server++) {
            regions += (int) snapshot.regionsOf(server).stream()
                    .filter(RegionState::isCounted)
                    .count();
        }
        return of(regionCountSlop, regions, maxMovePercent);
    }

    /** The same with no more moves than this. */
    public HBasePlanLimits atMost(int moves) {
        return new HBasePlanLimits(regionCountSlop, Math.min(maxMoves, moves));
    }

    /** The same of so many regions. */
    public static HBasePlanLimits of(double regionCountSlop, int regions, double maxMovePercent) {
        return new HBasePlanLimits(regionCountSlop, Math.max((int) (regions * maxMovePercent), ALWAYS_ALLOWED_MOVES));
    }
}
