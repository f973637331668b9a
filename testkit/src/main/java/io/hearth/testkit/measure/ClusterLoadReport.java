// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.testkit.measure;

import java.util.Collection;
import java.util.Collections;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * The latest report of every live RegionServer at one moment.
 *
 * @param serversByHost sorted, immutable
 */
public record ClusterLoadReport(SortedMap<String, ServerLoadReport> serversByHost) {

    public ClusterLoadReport {
        serversByHost = Collections.unmodifiableSortedMap(new TreeMap<>(serversByHost));
    }

    /** The picture that these reports make; of two of one host the later one stays. */
    public static ClusterLoadReport of(Collection<ServerLoadReport> reports) {
        SortedMap<String, ServerLoadReport> serversByHost = new TreeMap<>();
        for (ServerLoadReport report : reports) {
            serversByHost.merge(report.host(), report, (a, b) -> a.reportTimeMs() >= b.reportTimeMs() ? a : b);
        }
        return new ClusterLoadReport(serversByHost);
    }

    /**
     * What one RegionServer reported about one region in one report.
     *
     * @param reads requests read since the region was opened there; falls to 0 at every move and reopen
     * @param writes requests written since the region was opened there; falls likewise
     * @param storeBytes size of the store files, in the whole megabytes that a report knows
     * @param reportedLocality locality as the RegionServer reports it, 0 to 1; often minutes old
     */
    public record RegionLoadReport(long reads, long writes, long storeBytes, double reportedLocality) {}

    /**
     * One report of one RegionServer, cut down to the table of the demo.
     *
     * @param host name of the host, which serves as the name of the server
     * @param reportTimeMs the RegionServer's own clock when it wrote the report
     * @param countersByRegion by encoded region name; sorted, immutable
     */
    public record ServerLoadReport(
            String host, long reportTimeMs, SortedMap<String, RegionLoadReport> countersByRegion) {

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
}
