package io.hearth.demo.measure;

import java.util.Collection;
import java.util.Collections;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * The latest report of every live RegionServer at one moment.
 *
 * @param serversByHost sorted, immutable
 */
public record ClusterReport(SortedMap<String, ServerReport> serversByHost) {

    public ClusterReport {
        serversByHost = Collections.unmodifiableSortedMap(new TreeMap<>(serversByHost));
    }

    /** The picture that these reports make; of two of one host the later one stays. */
    public static ClusterReport of(Collection<ServerReport> reports) {
        SortedMap<String, ServerReport> serversByHost = new TreeMap<>();
        for (ServerReport report : reports) {
            serversByHost.merge(report.host(), report, (a, b) -> a.reportTimeMs() >= b.reportTimeMs() ? a : b);
        }
        return new ClusterReport(serversByHost);
    }
}
