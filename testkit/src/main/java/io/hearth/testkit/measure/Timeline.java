// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.testkit.measure;

import java.util.ArrayList;
import java.util.Collections;
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

    private final ReportWindow window = new ReportWindow(WINDOW_MS);
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
        window.add(report);
        samples.add(new Sample(elapsedMs, window.rates(), localityByHost));
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
}
