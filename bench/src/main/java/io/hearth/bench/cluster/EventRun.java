// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.bench.cluster;

import io.hearth.bench.cluster.VariantResult.EventResult;
import io.hearth.bench.cluster.VariantResult.LatencyByPhase;
import io.hearth.bench.cluster.VariantResult.TimeSeriesPoint;
import io.hearth.bench.cluster.VariantResult.Traffic;
import io.hearth.bench.cluster.VariantRun.Variant;
import io.hearth.testkit.load.LatencyRecorder;
import io.hearth.testkit.load.Workload.Operation;
import io.hearth.testkit.measure.LocalitySnapshot;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.OptionalDouble;
import java.util.Set;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;

/**
 * One event under load: a quiet time, the event, the regions' way to where they stay, the healing, and a quiet time again.
 */
final class EventRun {

    /** What happens to the hosts. */
    @FunctionalInterface
    interface Cause {
        void happen() throws IOException, InterruptedException;
    }

    private static final long POLL_MS = 500;

    private static final long PLACE_LIMIT_NANOS = TimeUnit.SECONDS.toNanos(120);
    /** Of the requests of less there is no hundredth. */
    private static final long LEAST_HEALING_NANOS = TimeUnit.SECONDS.toNanos(3);

    /** Where nothing heals: to see that data stays remote. */
    private static final int NOTHING_SECONDS = 60;

    private static final long P99_STEP_NANOS = TimeUnit.SECONDS.toNanos(2);

    private final Variant variant;
    private final Scale scale;
    private final TableObserver observer;
    private final HealStrategy healStrategy;
    private final LatencyRecorder latencies;

    EventRun(
            Variant variant,
            Scale scale,
            TableObserver observer,
            HealStrategy healStrategy,
            LatencyRecorder latencies) {
        this.variant = variant;
        this.scale = scale;
        this.observer = observer;
        this.healStrategy = healStrategy;
        this.latencies = latencies;
    }

    /**
     * Lets it happen and follows it.
     *
     * @param arrived whether regions on these hosts are spread as the event asks for; values are hosts by region
     */
    EventResult run(Cause cause, Predicate<Map<String, String>> arrived) throws IOException, InterruptedException {
        long quietNanos = System.nanoTime();
        Traffic quietBefore = observer.traffic();
        observer.sampleFor(scale.quietSeconds(), POLL_MS);
        Traffic before = observer.traffic();
        long healedBefore = healedBytes();
        LocalitySnapshot localitySnapshot = observer.localitySnapshot();
        long eventNanos = System.nanoTime();
        RelocationTracker seen = new RelocationTracker(localitySnapshot, eventNanos);
        long inPlaceNanos = awaitInPlace(seen, begin(cause), arrived, eventNanos);
        Set<String> moved = seen.moved();
        long remoteBytes = seen.nonLocalBytes();
        long fromNanos = healStrategy.begin(observer.localitySnapshot().of(moved));
        awaitLocal(seen, moved, fromNanos);
        long endNanos = System.nanoTime();
        double times = (double) (endNanos - eventNanos) / (eventNanos - quietNanos);
        Traffic extra = observer.traffic().since(before).without(before.since(quietBefore), times);
        sampleFor(seen, scale.quietSeconds());
        healStrategy.end();
        Times all = new Times(quietNanos, eventNanos, inPlaceNanos, fromNanos, endNanos, System.nanoTime());
        // What is compacted away does not count as having been remote any more; what moves later does.
        long nonLocalBytes = Math.max(remoteBytes, seen.nonLocalBytes());
        return result(all, seen, moved, nonLocalBytes, healedBytes() - healedBefore, extra);
    }

    /**
     * When what began, by {@link System#nanoTime}.
     *
     * @param from when healing was asked for
     * @param end when it was seen that all is local, but not too soon, or that it was waited for long enough
     */
    private record Times(long quiet, long event, long inPlace, long from, long end, long last) {

        double sinceEvent(long nanos) {
            return (nanos - event) / 1e9;
        }
    }

    private EventResult result(
            Times times,
            RelocationTracker seen,
            Set<String> moved,
            long nonLocalBytes,
            long healedBytes,
            Traffic extra) {
        List<TimeSeriesPoint> locality = seen.locality(moved);
        double from = times.sinceEvent(times.from());
        return new EventResult(
                moved.size(),
                times.sinceEvent(times.inPlace()),
                from,
                nonLocalBytes,
                valueAt(locality, times.sinceEvent(times.inPlace())),
                first(locality, from, 0.9),
                first(locality, from, 1),
                times.sinceEvent(times.end()) - from,
                healedBytes,
                extra,
                phases(Operation.GET, times),
                phases(Operation.MULTIGET, times),
                locality,
                p99(times));
    }

    private long healedBytes() throws InterruptedException {
        return variant == Variant.HEARTH ? observer.healedBytes() : 0;
    }

    /** Lets it happen, while others sample. */
    private static Future<?> begin(Cause cause) {
        FutureTask<Void> eventFuture = new FutureTask<>(() -> {
            cause.happen();
            return null;
        });
        Thread thread = new Thread(eventFuture, "event");
        thread.setDaemon(true);
        thread.start();
        return eventFuture;
    }

    /** Samples until it has happened and regions have arrived and stay; returns when they had. */
    private long awaitInPlace(
            RelocationTracker seen, Future<?> eventFuture, Predicate<Map<String, String>> arrived, long eventNanos)
            throws IOException, InterruptedException {
        do {
            sample(seen);
            TimeUnit.MILLISECONDS.sleep(POLL_MS);
        } while (System.nanoTime() - eventNanos < PLACE_LIMIT_NANOS
                && !(eventFuture.isDone()
                        && arrived.test(seen.last())
                        && System.nanoTime() - seen.sinceNanos() > ClusterHandle.QUIESCENCE_NANOS));
        try {
            eventFuture.get();
        } catch (ExecutionException e) {
            throw new IOException(e.getCause());
        }
        return seen.sinceNanos();
    }

    private void sampleFor(RelocationTracker seen, int seconds) throws InterruptedException {
        long untilNanos = System.nanoTime() + TimeUnit.SECONDS.toNanos(seconds);
        while (System.nanoTime() < untilNanos) {
            sample(seen);
            TimeUnit.MILLISECONDS.sleep(POLL_MS);
        }
    }

    private void awaitLocal(RelocationTracker seen, Set<String> moved, long fromNanos) throws InterruptedException {
        boolean isLocal;
        long nanos;
        int limitSeconds =
                healStrategy.isAny() ? scale.limitSeconds() : Math.min(NOTHING_SECONDS, scale.limitSeconds());
        do {
            isLocal = sample(seen).of(moved).nonLocalBytes() == 0;
            TimeUnit.MILLISECONDS.sleep(POLL_MS);
            nanos = System.nanoTime() - fromNanos;
        } while (nanos < LEAST_HEALING_NANOS || (!isLocal && nanos < TimeUnit.SECONDS.toNanos(limitSeconds)));
    }

    /** A sample that fails, as one may while a server dies, is taken again. */
    private LocalitySnapshot sample(RelocationTracker seen) throws InterruptedException {
        while (true) {
            try {
                long nanos = System.nanoTime();
                LocalitySnapshot localitySnapshot = observer.localitySnapshot();
                seen.add(nanos, localitySnapshot);
                return localitySnapshot;
            } catch (IOException e) {
                TimeUnit.MILLISECONDS.sleep(POLL_MS);
            }
        }
    }

    private LatencyByPhase phases(Operation operation, Times times) {
        return new LatencyByPhase(
                latencies.between(operation, times.quiet(), times.event()),
                latencies.between(operation, times.event(), times.inPlace()),
                latencies.between(operation, times.from(), times.end()),
                latencies.between(operation, times.end(), times.last()));
    }

    private List<TimeSeriesPoint> p99(Times times) {
        List<TimeSeriesPoint> points = new ArrayList<>();
        for (long nanos = times.quiet(); nanos + P99_STEP_NANOS < times.last(); nanos += P99_STEP_NANOS) {
            points.add(new TimeSeriesPoint(
                    times.sinceEvent(nanos),
                    latencies
                            .between(Operation.GET, nanos, nanos + P99_STEP_NANOS)
                            .p99Ms()));
        }
        return points;
    }

    static double valueAt(List<TimeSeriesPoint> points, double seconds) {
        return points.stream()
                .filter(point -> point.seconds() >= seconds)
                .mapToDouble(TimeSeriesPoint::value)
                .findFirst()
                .orElse(1);
    }

    /** How long after a time a value is reached for the first time; absent if it never is. */
    static OptionalDouble first(List<TimeSeriesPoint> points, double fromSeconds, double value) {
        return points.stream()
                .filter(point -> point.seconds() >= fromSeconds && point.value() >= value)
                .mapToDouble(point -> point.seconds() - fromSeconds)
                .findFirst();
    }
}
