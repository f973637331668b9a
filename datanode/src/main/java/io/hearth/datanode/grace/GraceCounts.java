package io.hearth.datanode.grace;

import java.util.EnumMap;
import java.util.Map;

/** How often what has happened since the DataNode started, and what waits now. Immutable. */
public record GraceCounts(Map<GraceCounter, Long> countByCounter, long pendingReplicas, long pendingBytes) {

    public GraceCounts {
        countByCounter = Map.copyOf(countByCounter);
    }

    static GraceCounts of(EnumMap<GraceCounter, Long> counts, PendingDeletions pending) {
        return new GraceCounts(counts, pending.size(), pending.bytes());
    }

    public long count(GraceCounter counter) {
        return countByCounter.getOrDefault(counter, 0L);
    }
}
