// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.balancer.heat.ingest;

import io.hearth.common.model.ServerId;
import java.util.Collection;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * One look at the cluster: the reports that are read in it, and every server that is there. A live server without a report in it
 * counts by the last one that was read. Immutable.
 *
 * @param newReports at most one report of each live server
 */
public record ReportBatch(List<ServerReport> newReports, Set<ServerId> live) {

    public ReportBatch {
        newReports = List.copyOf(newReports);
        live = Set.copyOf(live);
    }

    /** A look that reads the last report of every live server, whether it was read before or not. */
    public static ReportBatch ofAll(Collection<ServerReport> reports) {
        return new ReportBatch(
                List.copyOf(reports), reports.stream().map(ServerReport::server).collect(Collectors.toSet()));
    }
}
