// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.testkit.measure;

import java.util.Collection;
import java.util.Collections;
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
}
