// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.healer.history;

import io.hearth.common.model.EncodedRegionName;
import io.hearth.common.model.ServerId;
import io.hearth.common.model.TableId;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;

/** The last {@value #KEPT} outcomes. Thread-safe: a reader gets a whole version. */
public final class HealHistory {

    static final int KEPT = 200;

    private volatile List<HealRecord> newestFirst = List.of();

    public synchronized void add(HealRecord outcome) {
        List<HealRecord> next = new ArrayList<>(KEPT);
        next.add(outcome);
        next.addAll(newestFirst.subList(0, Math.min(newestFirst.size(), KEPT - 1)));
        newestFirst = List.copyOf(next);
    }

    public List<HealRecord> newestFirst() {
        return newestFirst;
    }

    /** How the work on a region ended. */
    public enum HealEndState {
        /** Its blocks are local according to the NameNode, and its server reports the new locality. */
        REPORTED,
        /** Its blocks are local according to the NameNode; its server did not report it within an hour. */
        UNREPORTED,
        /** Some of its moves were verified, and something is left for later. */
        UNFINISHED,
        /** It left its server before the new locality was reported. */
        REGION_MOVED,
        /** Advice: this is what would have been moved. */
        ADVISED,
        /** Its blocks can't be moved; a major compaction was asked for. */
        COMPACTION_REQUESTED
    }

    /**
     * What came of one region's heal. Immutable.
     *
     * @param endedAt when it ended
     * @param bytes verified bytes; where nothing was moved, the bytes advised or given to a compaction
     * @param blocks the blocks of those bytes; 0 for a compaction
     * @param verifiedAfterMs from the first sight of the region on this server to the NameNode's last word
     * @param endedAfterMs from the first sight to the end, that is to the report where there was one
     */
    public record HealRecord(
            Instant endedAt,
            EncodedRegionName region,
            TableId table,
            ServerId server,
            HealEndState end,
            long bytes,
            int blocks,
            long verifiedAfterMs,
            long endedAfterMs) {

        /** One line for a person. */
        @Override
        public String toString() {
            return endedAt + " " + end + " region " + region + " of " + table + " on " + server + ": " + blocks
                    + " blocks, " + bytes + " bytes, verified after " + verifiedAfterMs + " ms, ended after "
                    + endedAfterMs
                    + " ms";
        }
    }
}
