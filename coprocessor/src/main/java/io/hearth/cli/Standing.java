package io.hearth.cli;

import io.hearth.healing.model.SkipReason;
import java.util.Map;

/**
 * How a heal stands. Immutable.
 *
 * @param regions the regions that are to be healed and are served
 * @param regionsToLookAt those of them whose report is below the target, or all where the NameNode is asked about all, whose blocks were
 *     not listed yet
 * @param regionsCompacting those of these that are left alone while a compaction runs on them
 * @param regionsAway those that are not at home by the NameNode's word, or by the report where it was not asked
 * @param localBytes by the NameNode's word where it was asked, else by the servers' reports
 * @param firstLocality the locality at the first look
 * @param verifiedBytes bytes of moves that the NameNode has confirmed
 * @param advisedBytes bytes of moves that would be made, in a dry run
 * @param advisedMoves the number of those moves
 * @param openMoves moves that have not ended, those that wait included
 * @param failedMoves moves that ended otherwise than verified
 * @param staying blocks that stay where they are, by reason, of the last plan of each region
 */
record Standing(
        int regions,
        int regionsToLookAt,
        int regionsCompacting,
        int regionsAway,
        long localBytes,
        long totalBytes,
        double firstLocality,
        long verifiedBytes,
        long advisedBytes,
        int advisedMoves,
        int openMoves,
        int failedMoves,
        Map<SkipReason, Long> staying) {

    /** Local bytes over bytes; 1 where there are none. */
    double locality() {
        return totalBytes == 0 ? 1.0 : (double) localBytes / totalBytes;
    }

    /** The same with what the healer in the master says of its moves, which may be of other regions too. */
    Standing byMaster(long masterVerifiedBytes, int masterOpenMoves) {
        return new Standing(
                regions,
                regionsToLookAt,
                regionsCompacting,
                regionsAway,
                localBytes,
                totalBytes,
                firstLocality,
                masterVerifiedBytes,
                advisedBytes,
                advisedMoves,
                masterOpenMoves,
                failedMoves,
                staying);
    }

    /** Bytes to come home until that locality is reached. */
    long bytesTo(double target) {
        return Math.max(0, (long) Math.ceil(target * totalBytes) - localBytes);
    }
}
