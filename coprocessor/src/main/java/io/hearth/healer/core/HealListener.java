// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.healer.core;

import io.hearth.healer.model.BlockMove;
import io.hearth.healer.model.ServedRegion;
import io.hearth.healer.move.TrackedMove.MoveState;
import io.hearth.healer.plan.MovePlan;
import java.util.List;

/**
 * Hears what healing finds and does, region by region, for somebody who waits for it. Called by the loop's thread; returns at
 * once and never throws.
 */
public interface HealListener {

    /** Nobody listens. */
    HealListener NONE = new HealListener() {};

    /**
     * A region's blocks were listed and its moves planned.
     *
     * @param taken the moves that will be made; none where only advice is asked for
     */
    default void planned(ServedRegion region, MovePlan plan, List<BlockMove> taken) {}

    /** A move has ended. */
    default void ended(BlockMove move, MoveState end) {}

    /** No move can be asked for at all. */
    default void privilegeMissing(String why) {}

    /** The NameNode could not say where blocks are. */
    default void nameNodeFailed(String why) {}
}
