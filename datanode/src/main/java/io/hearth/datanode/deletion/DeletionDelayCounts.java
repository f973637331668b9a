// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.datanode.deletion;

import java.util.EnumMap;
import java.util.Map;

/** How often what has happened since the DataNode started, and what waits now. Immutable. */
public record DeletionDelayCounts(
        Map<DeletionDelayCounter, Long> countByCounter, long pendingReplicas, long pendingBytes) {

    public DeletionDelayCounts {
        countByCounter = Map.copyOf(countByCounter);
    }

    static DeletionDelayCounts of(EnumMap<DeletionDelayCounter, Long> counts, PendingDeletions pending) {
        return new DeletionDelayCounts(counts, pending.size(), pending.bytes());
    }

    public long count(DeletionDelayCounter counter) {
        return countByCounter.getOrDefault(counter, 0L);
    }
}
