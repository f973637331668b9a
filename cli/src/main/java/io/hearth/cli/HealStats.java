// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.cli;

import io.hearth.healer.model.SkipReason;
import java.util.Map;
import java.util.OptionalLong;

/**
 * How a heal stands. Immutable.
 *
 * @param regions the regions that are to be healed and are served
 * @param unlistedRegions those of them whose report is below the target, or all where the NameNode is asked about all, whose blocks were
 *     not listed yet
 * @param regionsCompacting those of these that are left alone while a compaction runs on them
 * @param remoteRegions those that are not local by the NameNode's locations, or by the report where it was not asked
 * @param regionsNotReported those that are local by the NameNode's locations, which the healer in the master has, and whose servers report less;
 *     they count as local
 * @param localBytes by the NameNode's locations where it was asked, else by the servers' reports
 * @param firstLocality the locality at the first snapshot
 * @param healedBytes bytes of this heal: of its moves that the NameNode has confirmed, or, where a master makes them that does not know
 *     the heal, what the servers of its regions report as local beyond what they reported at the first snapshot
 * @param advisedBytes bytes of moves that would be made, in a dry run
 * @param advisedMoves the number of those moves
 * @param knowsMoves whether the moves of this heal are known: they are this process's, or the master tells them apart from others
 * @param openMoves moves that have not ended, those that wait included; where a master makes them that does not know the heal, all
 *     that it has, which may be of other regions too
 * @param failedMoves moves that ended otherwise than verified or cancelled
 * @param bytesAcrossRacks bytes that its moves copied from one rack into another; empty where a master makes them that does not tell
 * @param skippedBlocks blocks that stay where they are, by reason, of the last plan of each region
 */
record HealStats(
        int regions,
        int unlistedRegions,
        int regionsCompacting,
        int remoteRegions,
        int regionsNotReported,
        long localBytes,
        long totalBytes,
        double firstLocality,
        long healedBytes,
        long advisedBytes,
        int advisedMoves,
        boolean knowsMoves,
        int openMoves,
        int failedMoves,
        OptionalLong bytesAcrossRacks,
        Map<SkipReason, Long> skippedBlocks) {

    /** Local bytes over bytes; 1 where there are none. */
    double locality() {
        return totalBytes == 0 ? 1.0 : (double) localBytes / totalBytes;
    }

    /** Bytes to heal until that locality is reached. */
    long bytesTo(double target) {
        return Math.max(0, (long) Math.ceil(target * totalBytes) - localBytes);
    }
}
