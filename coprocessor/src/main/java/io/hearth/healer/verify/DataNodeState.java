// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.healer.verify;

import java.util.EnumSet;
import java.util.Set;

/** How the DataNodes on a host stand, by what all who use them see: XiaoMi's state machine of DataNodes. */
public enum DataNodeState {
    /** Nothing speaks against it. */
    HEALTHY,
    /** It is slow or fails for several who use it, or says so of itself; nothing is sent there that can go elsewhere. */
    SUSPECT,
    /** Nobody reaches it, or the NameNode calls it dead. */
    DEAD,
    /** It was suspect or dead, and nothing speaks against it any more; it is used again, and not yet trusted. */
    PROBING;

    /** The states to which one in this state may change. */
    public Set<DataNodeState> successors() {
        return switch (this) {
            case HEALTHY -> EnumSet.of(SUSPECT);
            case SUSPECT -> EnumSet.of(HEALTHY, DEAD, PROBING);
            case DEAD -> EnumSet.of(PROBING);
            case PROBING -> EnumSet.of(HEALTHY, SUSPECT);
        };
    }

    /** This change, if it is legal. */
    DataNodeState to(DataNodeState next) {
        if (!successors().contains(next)) {
            throw new IllegalStateException("A DataNode can't change from " + this + " to " + next + ".");
        }
        return next;
    }

    /** Whether blocks should go elsewhere. */
    public boolean isBadTarget() {
        return this == SUSPECT || this == DEAD;
    }
}
