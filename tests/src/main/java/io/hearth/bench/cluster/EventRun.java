package io.hearth.bench.cluster;

import io.hearth.demo.measure.LocalityCensus;
import io.hearth.load.Latencies;
import io.hearth.load.Operation;
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
 * One event under load: a quiet time, the event, the regions' way to where they stay, what brings their data home, and a quiet time again.
 */
final class EventRun {

    /** What happens to the hosts. */
    @FunctionalInterface
    interface Cause {
        void happen() throws IOException, InterruptedException;
    }

    private static final long LOOK_MS = 500;

    private static final long PLACE_LIMIT_NANOS = TimeUnit.SECONDS.toNanos(120);
    /** Of the requests of less there is no hundredth. */
    private static final long LEAST_HEALING_NANOS = TimeUnit.SECONDS.toNanos(3);

    /** Where nothing brings data home: to see that it stays away. */
    private static final int NOTHING_SECONDS = 60;

    private static final long P99_STEP_NANOS = TimeUnit.SECONDS.toNanos(2);

    private final Variant variant;
    private final Scale scale;
    private final TableEyes eyes;
    private final Remedy remedy;
    private final Latencies latencies;

    EventRun(Variant variant, Scale scale, TableEyes eyes, Remedy remedy, Latencies latencies) {
        this.variant = variant;
        this.scale = scale;
        this.eyes = eyes;
        this.remedy = remedy;
        this.latencies = latencies;
    }

    /**
     * Lets it happen and follows it.
     *
     * @param arrived whether regions on these hosts are spread as the event asks for; values are hosts by region
     */
    EventResult run(Cause cause, Predicate<Map<String, String>> arrived) throws IOException, InterruptedException {
        long quietNanos = System.nanoTime();
        Traffic quietBefore = eyes.traffic();
        eyes.lookOn(scale.quietSeconds(), LOOK_MS);
        Traffic before = eyes.traffic();
        long healedBefore = healedBytes();
        LocalityCensus census = eyes.census();
        long eventNanos = System.nanoTime();
        Assignments seen = new Assignments(census, eventNanos);
        long inPlaceNanos = awaitInPlace(seen, begin(cause), arrived, eventNanos);
        Set<String> moved = seen.moved();
        long awayBytes = seen.nonLocalBytes();
        long fromNanos = remedy.begin(eyes.census().of(moved));
        awaitLocal(seen, moved, fromNanos);
        long endNanos = System.nanoTime();
        double times = (double) (endNanos - eventNanos) / (eventNanos - quietNanos);
        Traffic extra = eyes.traffic().since(before).without(before.since(quietBefore), times);
        lookOn(seen, scale.quietSeconds());
        remedy.end();
        Times all = new Times(quietNanos, eventNanos, inPlaceNanos, fromNanos, endNanos, System.nanoTime());
        // What is compacted away does not count as having been away any more; what moves later does.
        long nonLocalBytes = Math.max(awayBytes, seen.nonLocalBytes());
        return result(all, seen, moved, nonLocalBytes, healedBytes() - healedBefore, extra);
    }

    /**
     * When what began, by {@link System#nanoTime}.
     *
     * @param from when what brings data home was asked for
     * @param end when it was seen that all is home, but not too soon, or that it was waited for long enough
     */
    private record Times(long quiet, long event, long inPlace, long from, long end, long last) {

        double sinceEvent(long nanos) {
            return (nanos - event) / 1e9;
        }
    }

    private EventResult result(
            Times times, Assignments seen, Set<String> moved, long nonLocalBytes, long healedBytes, Traffic extra) {
        List<Point> locality = seen.locality(moved);
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
        return variant == Variant.HEARTH ? eyes.healedBytes() : 0;
    }

    /** Lets it happen, while others look. */
    private static Future<?> begin(Cause cause) {
        FutureTask<Void> happening = new FutureTask<>(() -> {
            cause.happen();
            return null;
        });
        Thread thread = new Thread(happening, "event");
        thread.setDaemon(true);
        thread.start();
        return happening;
    }

    /** Looks until it has happened and regions have arrived and stay; returns when they had. */
    private long awaitInPlace(
            Assignments seen, Future<?> happening, Predicate<Map<String, String>> arrived, long eventNanos)
            throws IOException, InterruptedException {
        do {
            look(seen);
            TimeUnit.MILLISECONDS.sleep(LOOK_MS);
        } while (System.nanoTime() - eventNanos < PLACE_LIMIT_NANOS
                && !(happening.isDone()
                        && arrived.test(seen.last())
                        && System.nanoTime() - seen.sinceNanos() > Calm.STILL_NANOS));
        try {
            happening.get();
        } catch (ExecutionException e) {
            throw new IOException(e.getCause());
        }
        return seen.sinceNanos();
    }

    private void lookOn(Assignments seen, int seconds) throws InterruptedException {
        long untilNanos = System.nanoTime() + TimeUnit.SECONDS.toNanos(seconds);
        while (System.nanoTime() < untilNanos) {
            look(seen);
            TimeUnit.MILLISECONDS.sleep(LOOK_MS);
        }
    }

    private void awaitLocal(Assignments seen, Set<String> moved, long fromNanos) throws InterruptedException {
        boolean isLocal;
        long nanos;
        int limitSeconds = remedy.isAny() ? scale.limitSeconds() : Math.min(NOTHING_SECONDS, scale.limitSeconds());
        do {
            isLocal = look(seen).of(moved).nonLocalBytes() == 0;
            TimeUnit.MILLISECONDS.sleep(LOOK_MS);
            nanos = System.nanoTime() - fromNanos;
        } while (nanos < LEAST_HEALING_NANOS || (!isLocal && nanos < TimeUnit.SECONDS.toNanos(limitSeconds)));
    }

    /** A look that fails, as one may while a server dies, is made again. */
    private LocalityCensus look(Assignments seen) throws InterruptedException {
        while (true) {
            try {
                long nanos = System.nanoTime();
                LocalityCensus census = eyes.census();
                seen.add(nanos, census);
                return census;
            } catch (IOException e) {
                TimeUnit.MILLISECONDS.sleep(LOOK_MS);
            }
        }
    }

    private Phases phases(Operation operation, Times times) {
        return new Phases(
                latencies.between(operation, times.quiet(), times.event()),
                latencies.between(operation, times.event(), times.inPlace()),
                latencies.between(operation, times.from(), times.end()),
                latencies.between(operation, times.end(), times.last()));
    }

    private List<Point> p99(Times times) {
        List<Point> points = new ArrayList<>();
        for (long nanos = times.quiet(); nanos + P99_STEP_NANOS < times.last(); nanos += P99_STEP_NANOS) {
            points.add(new Point(
                    times.sinceEvent(nanos),
                    latencies
                            .between(Operation.GET, nanos, nanos + P99_STEP_NANOS)
                            .p99Ms()));
        }
        return points;
    }

    static double valueAt(List<Point> points, double seconds) {
        return points.stream()
                .filter(point -> point.seconds() >= seconds)
                .mapToDouble(Point::value)
                .findFirst()
                .orElse(1);
    }

    /** How long after a time a value is reached for the first time; absent if it never is. */
    static OptionalDouble first(List<Point> points, double fromSeconds, double value) {
        return points.stream()
                .filter(point -> point.seconds() >= fromSeconds && point.value() >= value)
                .mapToDouble(point -> point.seconds() - fromSeconds)
                .findFirst();
    }
}
