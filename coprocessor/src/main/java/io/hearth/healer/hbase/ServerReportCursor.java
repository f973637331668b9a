package io.hearth.healer.hbase;

import io.hearth.common.model.ServerId;
import java.util.Iterator;
import java.util.Optional;
import org.apache.hadoop.hbase.RegionMetrics;
import org.apache.hadoop.hbase.ServerMetrics;
import org.apache.hadoop.hbase.util.Bytes;
import org.jspecify.annotations.Nullable;

/**
 * What one server reported last, read region by region. Regions that are asked for in the order of their names, as both the
 * master and the report have them, are found by going along; any other by a search. Made for one look; not thread-safe.
 */
final class ServerReportCursor {

    private final ServerId id;
    private final ServerMetrics report;
    private final Iterator<RegionMetrics> regions;
    private @Nullable RegionMetrics next;

    ServerReportCursor(ServerId id, ServerMetrics report) {
        this.id = id;
        this.report = report;
        this.regions = report.getRegionMetrics().values().iterator();
        next = nextOrNull();
    }

    ServerId id() {
        return id;
    }

    long reportedMs() {
        return report.getReportTimestamp();
    }

    Optional<RegionMetrics> of(byte[] regionName) {
        while (next != null && Bytes.compareTo(next.getRegionName(), regionName) < 0) {
            next = nextOrNull();
        }
        return next != null && Bytes.equals(next.getRegionName(), regionName)
                ? Optional.of(next)
                : Optional.ofNullable(report.getRegionMetrics().get(regionName));
    }

    private @Nullable RegionMetrics nextOrNull() {
        return regions.hasNext() ? regions.next() : null;
    }
}
