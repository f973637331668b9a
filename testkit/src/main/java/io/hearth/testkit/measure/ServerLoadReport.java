// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.testkit.measure;

import java.util.Collections;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * One report of one RegionServer, cut down to the table of the demo.
 *
 * @param host name of the host, which serves as the name of the server
 * @param reportTimeMs the RegionServer's own clock when it wrote the report
 * @param countersByRegion by encoded region name; sorted, immutable
 */
public record ServerLoadReport(String host, long reportTimeMs, SortedMap<String, RegionLoadReport> countersByRegion) {

    public ServerLoadReport(String host, long reportTimeMs, Map<String, RegionLoadReport> countersByRegion) {
        this(host, reportTimeMs, Collections.unmodifiableSortedMap(new TreeMap<>(countersByRegion)));
    }

    /** Sum of the store files' sizes. */
    public long storeBytes() {
        return countersByRegion.values().stream()
                .mapToLong(RegionLoadReport::storeBytes)
                .sum();
    }

    /** Reported locality weighted by store size, 0 to 1; 1 where there is nothing stored. */
    public double reportedLocality() {
        double weighted = 0;
        long bytes = 0;
        for (RegionLoadReport region : countersByRegion.values()) {
            weighted += region.reportedLocality() * region.storeBytes();
            bytes += region.storeBytes();
        }
        return bytes == 0 ? 1 : weighted / bytes;
    }
}
