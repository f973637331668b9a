// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.healer.move;

import io.hearth.healer.model.BlockMove;
import io.hearth.healer.model.DataNode;
import java.util.Optional;

/** Asks DataNodes to move replicas. Thread-safe. */
public interface BlockMover {

    /**
     * Has the target copy the block from this proxy, with the hint that the source's replica may go, and waits for the
     * DataNode's answer. Never throws: whatever goes wrong is a result.
     *
     * @param listenMs the longest wait in all
     */
    MoveResult move(BlockMove move, DataNode proxy, long listenMs);

    /** Why no move can be asked for at all, with what to do about it; empty where they can. */
    Optional<String> missingPrivilege();
}
