package io.hearth.healing.model;

import io.hearth.balancer.load.RegionId;
import io.hearth.balancer.load.ServerId;
import io.hearth.balancer.load.TableId;
import java.util.Optional;

/**
 * A region that is open on a server, as the master sees it. A region in transition, splitting or offline is not served.
 * Immutable; ordered by region.
 *
 * @param reported what its server last said of its locality; empty where this server has not reported it yet
 * @param compaction what its server last said of compactions of it
 */
public record ServedRegion(
        RegionId region,
        TableId table,
        HealRank rank,
        HealMode mode,
        ServerId server,
        Optional<ReportedLocality> reported,
        Compaction compaction)
        implements Comparable<ServedRegion> {

    /** A region of whose compactions nobody has said anything. */
    public ServedRegion(
            RegionId region,
            TableId table,
            HealRank rank,
            HealMode mode,
            ServerId server,
            Optional<ReportedLocality> reported) {
        this(region, table, rank, mode, server, reported, Compaction.UNKNOWN);
    }

    @Override
    public int compareTo(ServedRegion other) {
        return region.compareTo(other.region);
    }
}
