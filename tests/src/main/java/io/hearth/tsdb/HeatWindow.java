package io.hearth.tsdb;

import io.hearth.demo.measure.ClusterReport;
import io.hearth.demo.measure.ServerRates;
import io.hearth.demo.measure.ServerReport;
import io.hearth.demo.measure.Skew;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.OptionalDouble;

/** The last seconds of the RegionServers' reports. Not thread-safe. */
final class HeatWindow {

    private static final long LENGTH_MS = 10_000;

    private final Deque<ClusterReport> reports = new ArrayDeque<>();

    void add(ClusterReport report) {
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
        return Skew.between(reports.getFirst(), reports.getLast(), ServerRates::writesPerSecond);
    }

    private ClusterReport second() {
        var all = reports.iterator();
        all.next();
        return all.next();
    }

    private static long timeMs(ClusterReport report) {
        return report.serversByHost().values().stream()
                .mapToLong(ServerReport::reportTimeMs)
                .max()
                .orElse(0);
    }
}
