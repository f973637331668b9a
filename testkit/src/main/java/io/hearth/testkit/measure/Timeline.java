// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.testkit.measure;

import io.hearth.testkit.measure.ClusterLoadReport.ServerLoadReport;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Deque;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * What each server served and how local it was, over the time of the run, with the events that
 * explain it.
 *
 * <p>A sample's rates are those between a report at least {@link #WINDOW_MS} old and the newest one,
 * so that a line in a picture shows the load and not the rhythm of the reports. Thread-safe; what it
 * gives out are copies.
 */
public final class Timeline {

    /** Least report time that a rate is taken over. */
    public static final long WINDOW_MS = 4_000;

    private final Deque<ClusterLoadReport> recent = new ArrayDeque<>();
    private final List<Sample> samples = new ArrayList<>();
    private final List<Event> events = new ArrayList<>();

    /** One moment; a host that is absent had no report or served nothing. */
    public record Sample(
            long elapsedMs, SortedMap<String, ServerRates> ratesByHost, SortedMap<String, Double> localityByHost) {

        public Sample {
            ratesByHost = Collections.unmodifiableSortedMap(new TreeMap<>(ratesByHost));
            localityByHost = Collections.unmodifiableSortedMap(new TreeMap<>(localityByHost));
        }
    }

    /** Something that happened to the cluster at that moment. */
    public record Event(long elapsedMs, String label) {}

    /** Adds a moment: the newest reports and the locality at that time. */
    public synchronized void add(long elapsedMs, ClusterLoadReport report, SortedMap<String, Double> localityByHost) {
        recent.addLast(report);
        while (recent.size() > 2 && isOldEnough(second(), report)) {
            recent.removeFirst();
        }
        samples.add(new Sample(elapsedMs, ServerRates.between(recent.getFirst(), report), localityByHost));
    }

    /** Marks an event. */
    public synchronized void mark(long elapsedMs, String label) {
        events.add(new Event(elapsedMs, label));
    }

    public synchronized List<Sample> samples() {
        return List.copyOf(samples);
    }

    public synchronized List<Event> events() {
        return List.copyOf(events);
    }

    private ClusterLoadReport second() {
        var reports = recent.iterator();
        reports.next();
        return reports.next();
    }

    private static boolean isOldEnough(ClusterLoadReport then, ClusterLoadReport now) {
        return newest(now) - newest(then) >= WINDOW_MS;
    }

    private static long newest(ClusterLoadReport report) {
        return report.serversByHost().values().stream()
                .mapToLong(ServerLoadReport::reportTimeMs)
                .max()
                .orElse(0);
    }
}
