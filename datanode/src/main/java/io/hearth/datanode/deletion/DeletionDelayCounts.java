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

    /** What is counted about delayed deletions, each in replicas unless it says otherwise. */
    public enum DeletionDelayCounter {
        DELAYED("Delayed", "Deletions that waited; one ordered twice counts once"),
        RELEASED_IN_TIME("ReleasedInTime", "Deletions made when their time was over"),
        RELEASED_FOR_SPACE("ReleasedForSpace", "Deletions made at once or early for want of free space"),
        RELEASED_OVER_LIMIT(
                "ReleasedOverLimit", "Deletions made at once or early because too many, or too many bytes, waited"),
        NOT_READ("NotRead", "Deletions made at once because no client had opened the replica"),
        REPORTED_BAD("ReportedBad", "Deletions made at once or early because this DataNode had found the replica bad"),
        RELEASED_AT_STOP("ReleasedAtStop", "Deletions made because the DataNode or a block pool stopped"),
        RELEASED_AFTER_FAILURE("ReleasedAfterFailure", "Deletions made because the delay had failed"),
        DROPPED_WITH_BLOCK_POOL("DroppedWithBlockPool", "Deletions forgotten with their block pool"),
        FAILURES("Failures", "Times that the delay failed and HDFS went on without it");

        private final String metric;
        private final String doc;

        DeletionDelayCounter(String metric, String doc) {
            this.metric = metric;
            this.doc = doc;
        }

        /** The name in the DataNode's metrics. */
        public String metric() {
            return metric;
        }

        public String doc() {
            return doc;
        }
    }
}
