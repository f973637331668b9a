// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.bench.opentsdb;

import io.hearth.testkit.measure.ClusterLoadReport;
import io.hearth.testkit.measure.ClusterLoadReport.ServerLoadReport;
import io.hearth.testkit.measure.LoadSkew;
import io.hearth.testkit.measure.ServerRates;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.OptionalDouble;

/** The last seconds of the RegionServers' reports. Not thread-safe. */
final class ReportWindow {

    private static final long LENGTH_MS = 10_000;

    private final Deque<ClusterLoadReport> reports = new ArrayDeque<>();

    void add(ClusterLoadReport report) {
        reports.addLast(report);
        while (reports.size() > 2 && timeMs(report) - timeMs(second()) >= LENGTH_MS) {
            reports.removeFirst();
        }
    }

    /** Largest over average of the servers' writes; empty before the window is full, and for as long as a region that moved is in it. */
    OptionalDouble writeSkew() {
        if (reports.isEmpty() || timeMs(reports.getLast()) - timeMs(reports.getFirst()) < LENGTH_MS) {
            return OptionalDouble.empty();
        }
        return LoadSkew.between(reports.getFirst(), reports.getLast(), ServerRates::writesPerSecond);
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
