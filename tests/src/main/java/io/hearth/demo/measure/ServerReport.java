package io.hearth.demo.measure;

import java.util.Collections;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * One report of one RegionServer, with all of its regions: the few of system tables are load too.
 *
 * @param host name of the host, which serves as the name of the server
 * @param reportTimeMs the RegionServer's own clock when it wrote the report
 * @param countersByRegion by encoded region name; sorted, immutable
 */
public record ServerReport(String host, long reportTimeMs, SortedMap<String, RegionCounters> countersByRegion) {

    public ServerReport(String host, long reportTimeMs, Map<String, RegionCounters> countersByRegion) {
        this(host, reportTimeMs, Collections.unmodifiableSortedMap(new TreeMap<>(countersByRegion)));
    }

    /** Sum of the store files' sizes. */
    public long storeBytes() {
        return countersByRegion.values().stream()
                .mapToLong(RegionCounters::storeBytes)
                .sum();
    }

    /** Reported locality weighted by store size, 0 to 1; 1 where there is nothing stored. */
    public double reportedLocality() {
        double weighted = 0;
        long bytes = 0;
        for (RegionCounters region : countersByRegion.values()) {
            weighted += region.reportedLocality() * region.storeBytes();
            bytes += region.storeBytes();
        }
        return bytes == 0 ? 1 : weighted / bytes;
    }
}
