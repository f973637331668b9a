// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.healer.model;

import io.hearth.common.model.EncodedRegionName;
import io.hearth.common.model.ServerId;
import io.hearth.common.model.TableId;
import java.util.Optional;

/**
 * A region that is open on a server, as the master sees it. A region in transition, splitting or offline is not served.
 * Immutable; ordered by region.
 *
 * @param reported what its server last said of its locality; empty where this server has not reported it yet
 * @param compaction what its server last said of compactions of it
 */
public record ServedRegion(
        EncodedRegionName region,
        TableId table,
        HealRank rank,
        TableHealingMode mode,
        ServerId server,
        Optional<ReportedLocality> reported,
        Compaction compaction)
        implements Comparable<ServedRegion> {

    /** A region of whose compactions nobody has said anything. */
    public ServedRegion(
            EncodedRegionName region,
            TableId table,
            HealRank rank,
            TableHealingMode mode,
            ServerId server,
            Optional<ReportedLocality> reported) {
        this(region, table, rank, mode, server, reported, Compaction.UNKNOWN);
    }

    @Override
    public int compareTo(ServedRegion other) {
        return region.compareTo(other.region);
    }
}
