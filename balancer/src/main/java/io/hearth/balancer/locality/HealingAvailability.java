// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.balancer.locality;

import io.hearth.common.model.TableId;

/**
 * Says what becomes of the bytes of a region that are not on the host of its server: healed, at the cost of copying them once,
 * or remote until a major compaction. It is what the cost of a move is made of (see {@code MoveCosts}): today's locality is
 * true for minutes where there is a healer.
 *
 * <p>Implementations are thread-safe and answer at once from what they know.
 */
public interface HealingAvailability {

    /** Nothing is healed: there is no healer, or it is switched off. */
    HealingAvailability NEVER = table -> false;

    /** Whether the regions of this table are healed after a move. */
    boolean isHealed(TableId table);
}
