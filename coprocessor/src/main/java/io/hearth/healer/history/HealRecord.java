// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.healer.history;

import io.hearth.common.model.EncodedRegionName;
import io.hearth.common.model.ServerId;
import io.hearth.common.model.TableId;
import java.time.Instant;

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
                + " blocks, " + bytes + " bytes, verified after " + verifiedAfterMs + " ms, ended after " + endedAfterMs
                + " ms";
    }
}
