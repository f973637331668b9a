// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.slo.event;

import java.util.Map;
import java.util.Optional;

/**
 * A look at a cluster: what the HMaster says of its RegionServers and regions, and what Hearth in it says of itself. Not copied, since it
 * may have 100,000 regions; nobody changes it.
 *
 * @param atMs when, in ms since 1970
 * @param master the active HMaster with its start code
 * @param startCodeByServer the live RegionServers by {@code host:port}
 * @param regions by encoded name
 * @param hearth empty where it can't be asked
 */
public record ClusterReading(
        long atMs,
        String master,
        Map<String, Long> startCodeByServer,
        Map<String, Region> regions,
        Optional<HearthReading> hearth) {

    /**
     * What a RegionServer reports of a region.
     *
     * @param server as {@code host:port}
     * @param startCode of that server
     * @param flushedSequenceId up to which everything is flushed; it grows with each flush
     * @param storeFiles how many it has; a compaction leaves fewer
     * @param cellsToCompact of compactions that run now; 0 if none does
     * @param majorCompactedMs when the oldest file was written that a major compaction has made, in ms since 1970; 0 if there is none
     */
    public record Region(
            String server,
            long startCode,
            long flushedSequenceId,
            int storeFiles,
            long cellsToCompact,
            long majorCompactedMs) {}

    /**
     * What Hearth in the HMaster says that it does.
     *
     * @param installed whether the master has it; else nothing is Hearth's
     * @param braked why healing and balancing rest; empty if they do not
     * @param plannedMoves its latest plans that are carried out: to which {@code host:port} which region is moved, and when that was planned
     * @param unlistedUntilMs when the latest plan was made of which moves may be missing in the list; empty if none are
     * @param blocksMoved since the master started; confirmed ones
     * @param bytesMoved the same in bytes
     * @param compactionsRequested since the master started
     */
    public record HearthReading(
            boolean installed,
            Optional<String> braked,
            Map<String, PlannedMove> plannedMoves,
            Optional<Long> unlistedUntilMs,
            long blocksMoved,
            long bytesMoved,
            long compactionsRequested) {

        /** A master without Hearth. */
        public static final HearthReading NOT_INSTALLED =
                new HearthReading(false, Optional.empty(), Map.of(), Optional.empty(), 0, 0, 0);
    }

    /** A move of a plan of Hearth's. */
    public record PlannedMove(String to, long atMs) {}
}
