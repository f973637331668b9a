// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.testkit.measure;

import io.hearth.testkit.measure.ClusterLoadReport.ServerLoadReport;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.OptionalDouble;
import java.util.SortedMap;
import java.util.function.ToDoubleFunction;

/** The last reports of a cluster: as many as a length of report time takes. Not thread-safe. */
public final class ReportWindow {

    private final long lengthMs;
    private final Deque<ClusterLoadReport> reports = new ArrayDeque<>();

    /** @param lengthMs least report time from its first report to its last, once so much has passed */
    public ReportWindow(long lengthMs) {
        this.lengthMs = lengthMs;
    }

    /** Takes in the newest report, and lets go of those that the length does not need any more. */
    public void add(ClusterLoadReport report) {
        reports.addLast(report);
        while (reports.size() > 2 && timeMs(report) - timeMs(second()) >= lengthMs) {
            reports.removeFirst();
        }
    }

    /** What each server served from the first report to the last; of one report there are no rates. */
    SortedMap<String, ServerRates> rates() {
        return ServerRates.between(reports.getFirst(), reports.getLast());
    }

    /**
     * Largest over average of the servers' loads; empty before the length has passed, and for as long as a region that moved is in it.
     *
     * @param load a server's load by its rates, such as its writes per second
     */
    public OptionalDouble skew(ToDoubleFunction<ServerRates> load) {
        if (reports.isEmpty() || timeMs(reports.getLast()) - timeMs(reports.getFirst()) < lengthMs) {
            return OptionalDouble.empty();
        }
        return LoadSkew.between(reports.getFirst(), reports.getLast(), load);
    }

    private ClusterLoadReport second() {
        var all = reports.iterator();
        all.next();
        return all.next();
    }

    private static long timeMs(ClusterLoadReport report) {
        return report.serversByHost().values().stream()
                .mapToLong(ServerLoadReport::reportTimeMs)
                .max()
                .orElse(0);
    }
}
