// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.balancer.plan;

import io.hearth.common.model.TableId;
import java.util.Set;

/**
 * What a move costs, in the unit of the gain: weight times multiples of a server's fair share. With a weight of 200, a gain
 * of 2 is one server that comes 1 % of its fair share nearer to its target. Immutable.
 *
 * @param perMove the region is closed for a moment: three quarters of it for every move, the rest for one with as many requests
 *     as the mean region or more, and for one with fewer in proportion
 * @param bytesToHeal a region as large as everything that a server stores, not a byte of it local at the target and every
 *     byte local where it is; the healer brings everything home in the end, so a byte that is not local now either costs
 *     nothing, and one that would become local is a gain
 * @param coldCache a region with all the reads of a server, which begins with an empty block cache at the target
 * @param neverHealed tables that no healer makes local: of them a byte that becomes remote stays so, and one that becomes local
 *     is a gain; both count {@link #NEVER_HEALED_FACTOR} times as much
 */
public record MoveCosts(double perMove, double bytesToHeal, double coldCache, Set<TableId> neverHealed) {

    /** How many times as much a byte counts that stays remote as one that is copied once. */
    public static final double NEVER_HEALED_FACTOR = 4;

    public static final MoveCosts DEFAULT = new MoveCosts(0.2, 25, 5);

    public MoveCosts {
        neverHealed = Set.copyOf(neverHealed);
    }

    /** What moves cost where every table is healed. */
    public MoveCosts(double perMove, double bytesToHeal, double coldCache) {
        this(perMove, bytesToHeal, coldCache, Set.of());
    }

    /** Moves are free. */
    public static final MoveCosts NONE = new MoveCosts(0, 0, 0);
}
