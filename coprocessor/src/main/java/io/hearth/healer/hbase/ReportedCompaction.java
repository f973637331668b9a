package io.hearth.healer.hbase;

import io.hearth.healer.model.Compaction;
import io.hearth.healer.model.Compaction.Phase;
import java.util.Optional;
import org.apache.hadoop.hbase.RegionMetrics;
import org.apache.hadoop.hbase.client.CompactionState;

/**
 * A region's compactions by its server's report. The state counts from the moment files are chosen ({@code
 * HStore.finishCompactionRequest}); the cells to write and written are those of each store's last compaction, so that fewer
 * written than to write means that one runs. What was cancelled leaves such numbers too, but no state.
 */
final class ReportedCompaction {

    private ReportedCompaction() {}

    /** @param before what was known of the region on this server; nothing if that is unknown */
    static Compaction of(RegionMetrics region, long reportedMs, Compaction before, long archivedWithinMs) {
        Phase phase = phase(region);
        long sinceMs = phase == Phase.NONE || phase == Phase.UNKNOWN ? 0 : reportedMs;
        return new Compaction(phase, sinceMs, region.getCompactingCellCount(), Optional.empty())
                .after(before, reportedMs, archivedWithinMs);
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
            case MAJOR, MAJOR_AND_MINOR -> writes ? Phase.ALL_RUNNING : Phase.ALL_QUEUED;
        };
    }
}
