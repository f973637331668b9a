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
 */
public record ServedRegion(
        RegionId region,
        TableId table,
        HealRank rank,
        HealMode mode,
        ServerId server,
        Optional<ReportedLocality> reported)
        implements Comparable<ServedRegion> {

    /** Bytes reported as not local, 0 where nothing was reported. */
    public long nonLocalBytes() {
        return reported.map(ReportedLocality::nonLocalBytes).orElse(0L);
    }

    @Override
    public int compareTo(ServedRegion other) {
        return region.compareTo(other.region);
    }
}
