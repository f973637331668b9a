package io.hearth.healing.hbase;

import io.hearth.healing.model.Compaction;
import io.hearth.healing.model.Compaction.Phase;
import org.apache.hadoop.hbase.RegionMetrics;
import org.apache.hadoop.hbase.client.CompactionState;

/**
 * A region's compactions by its server's report. The state counts from the moment files are chosen ({@code
 * HStore.finishCompactionRequest}); the cells to write and written are those of each store's last compaction, so that fewer
 * written than to write means that one runs. What was cancelled leaves such numbers too, but no state.
 */
final class ReportedCompaction {

    private ReportedCompaction() {}

    static Compaction of(RegionMetrics region, long reportedMs) {
        Phase phase = phase(region);
        return switch (phase) {
            case NONE -> Compaction.NONE;
            case UNKNOWN -> Compaction.UNKNOWN;
            case QUEUED, ALL_QUEUED, RUNNING -> new Compaction(phase, reportedMs);
        };
    }

    private static Phase phase(RegionMetrics region) {
        CompactionState state = region.getCompactionState();
        if (state == null) {
            return Phase.UNKNOWN;
        }
        boolean writes = region.getCompactedCellCount() < region.getCompactingCellCount();
        return switch (state) {
            case NONE -> Phase.NONE;
            case MINOR -> writes ? Phase.RUNNING : Phase.QUEUED;
            case MAJOR, MAJOR_AND_MINOR -> writes ? Phase.RUNNING : Phase.ALL_QUEUED;
        };
    }
}
