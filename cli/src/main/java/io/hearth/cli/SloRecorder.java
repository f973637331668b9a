// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.cli;

import io.hearth.slo.event.EventMinute;
import io.hearth.slo.metrics.SloMetrics;
import io.hearth.slo.objective.BurnAlert;
import io.hearth.slo.objective.Objective;
import io.hearth.slo.objective.ObjectiveStatus;
import io.hearth.slo.objective.ObjectiveTracker;
import io.hearth.slo.objective.ObjectivesFile;
import io.hearth.slo.probe.ProbeKind;
import io.hearth.slo.probe.ProbeResult;
import io.hearth.slo.probe.TimelineRead;
import io.hearth.slo.store.DataNodeMinute;
import io.hearth.slo.store.SloReader;
import io.hearth.slo.store.SloStore;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.function.Consumer;
import java.util.stream.Collectors;

/**
 * Where the results of a daemon's probes go: into its store, and into the counts that its objectives, its alerts and Prometheus are told
 * from. What an earlier process of the same name stored counts for objectives. Thread-safe.
 */
final class SloRecorder implements Consumer<ProbeResult>, AutoCloseable {

    /** Longer than the days of any objective. */
    private static final Duration KEPT = Duration.ofDays(36);

    private final List<Objective> objectives;
    private final SloStore store;
    private final ObjectiveTracker tracker;
    private final SloMetrics metrics;

    private SloRecorder(SloStore store, List<Objective> objectives) {
        this.objectives = List.copyOf(objectives);
        this.store = store;
        this.tracker = new ObjectiveTracker(objectives);
        this.metrics = new SloMetrics(objectives);
    }

    /**
     * Opens the store of this instance and reads what it has.
     *
     * @param folder of all instances; it is made if it is not there
     * @param nowMs the wall clock, in ms since 1970
     * @param problems takes one line for whatever can't be read or written
     * @throws IOException if the folder can't be used, or another process has it
     */
    static SloRecorder open(
            Path folder, String instance, ObjectivesFile objectives, long nowMs, Consumer<String> problems)
            throws IOException {
        return open(
                SloStore.open(folder, instance, objectives.limits(), problems),
                folder,
                instance,
                objectives,
                nowMs,
                problems);
    }

    /** The same with a store of this folder that is open; it is closed if that fails. */
    static SloRecorder open(
            SloStore store,
            Path folder,
            String instance,
            ObjectivesFile objectives,
            long nowMs,
            Consumer<String> problems)
            throws IOException {
        try {
            SloRecorder recorder = new SloRecorder(store, objectives.objectives());
            SloReader.of(folder, List.of(instance), problems)
                    .clusterMinutes(nowMs - KEPT.toMillis(), nowMs + KEPT.toMillis(), recorder.tracker::accept);
            return recorder;
        } catch (IOException | RuntimeException failure) {
            store.close();
            throw failure;
        }
    }

    @Override
    public void accept(ProbeResult result) {
        store.accept(result);
        tracker.accept(result);
        metrics.accept(result);
    }

    /** Counts a timeline-consistent read, which concerns no objective. */
    void add(TimelineRead read) {
        store.accept(read);
        metrics.accept(read);
    }

    /** Beyond which a probe of this kind is slow: the limit of its first objective, in microseconds; the longest of all without one. */
    long limitMicros(ProbeKind kind) {
        return objectives.stream()
                .filter(objective -> objective.kind() == kind)
                .findFirst()
                .map(Objective::limitMicros)
                .orElse(Long.MAX_VALUE);
    }

    /** Keeps what happened in the cluster in a minute. */
    void add(EventMinute minute) {
        store.add(minute);
    }

    /** Keeps what the NameNode said of DataNodes in a minute. */
    void add(DataNodeMinute minute) {
        store.add(minute);
    }

    /** Writes what came since the last call; to be called each {@link SloStore#FLUSH_PERIOD}. */
    void flush(long nowMs) {
        boolean unused = store.flush(nowMs);
    }

    /** What Prometheus reads. */
    String metrics(long nowMs) {
        return metrics.text(tracker.status(nowMs));
    }

    /** Which objectives burn so fast that healing and balancing should rest, in one line; empty if none does. */
    Optional<String> reasonToBrake(long nowMs) {
        // Each second, so the one alert that it is about.
        String burning = tracker.firing(BurnAlert.FAST, nowMs).entrySet().stream()
                .map(one -> one.getKey().name() + " burns "
                        + times(one.getValue().longBurnRate()) + " times as fast as its budget lasts")
                .collect(Collectors.joining(", "));
        return burning.isEmpty() ? Optional.empty() : Optional.of(burning);
    }

    private static String times(OptionalDouble rate) {
        return rate.isPresent() ? String.format(Locale.ROOT, "%.0f", rate.getAsDouble()) : "many";
    }

    /** How each objective stands, in one line; empty where there is none. */
    Optional<String> objectives(long nowMs) {
        String all = tracker.status(nowMs).stream()
                .filter(status -> status.budgetLeftShare().isPresent())
                .map(status -> status.objective().name() + " "
                        + ObjectiveStatus.budgetText(status.budgetLeftShare().orElse(1)))
                .collect(Collectors.joining(", "));
        return all.isEmpty() ? Optional.empty() : Optional.of("error budget left: " + all);
    }

    @Override
    public void close() throws IOException {
        store.close();
    }
}
