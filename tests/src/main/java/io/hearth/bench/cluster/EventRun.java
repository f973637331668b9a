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
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.util.Bytes;

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
    /** Regions are in place when they have stayed where they are for so long, which is longer than the balancer rests. */
    private static final long STEADY_NANOS = TimeUnit.SECONDS.toNanos(7);

    private static final long PLACE_LIMIT_NANOS = TimeUnit.SECONDS.toNanos(120);
    private static final long P99_STEP_NANOS = TimeUnit.SECONDS.toNanos(2);

    private final Variant variant;
    private final Scale scale;
    private final TableEyes eyes;
    private final Admin admin;
    private final Latencies latencies;

    EventRun(Variant variant, Scale scale, TableEyes eyes, Admin admin, Latencies latencies) {
        this.variant = variant;
        this.scale = scale;
        this.eyes = eyes;
        this.admin = admin;
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
        TimeUnit.SECONDS.sleep(scale.quietSeconds());
        Traffic usual = eyes.traffic().since(quietBefore);
        long eventNanos = System.nanoTime();
        double usualSeconds = (eventNanos - quietNanos) / 1e9;
        Traffic before = eyes.traffic();
        long healedBefore = healedBytes();
        Assignments seen = new Assignments(eyes.census(), eventNanos);
        cause.happen();
        long inPlaceNanos = awaitInPlace(seen, arrived, eventNanos);
        Set<String> moved = seen.moved();
        long fromNanos = variant == Variant.COMPACTION ? compact(moved) : inPlaceNanos;
        awaitLocal(seen, moved, fromNanos);
        long endNanos = System.nanoTime();
        Traffic extra = eyes.traffic().since(before).without(usual, (endNanos - eventNanos) / 1e9 / usualSeconds);
        TimeUnit.SECONDS.sleep(scale.quietSeconds());
        long lastNanos = System.nanoTime();
        List<Point> locality = seen.locality(moved);
        double from = (fromNanos - eventNanos) / 1e9;
        return new EventResult(
                moved.size(),
                (inPlaceNanos - eventNanos) / 1e9,
                seen.nonLocalBytes(),
                valueAt(locality, (inPlaceNanos - eventNanos) / 1e9),
                first(locality, from, 0.9),
                first(locality, from, 1),
                (endNanos - fromNanos) / 1e9,
                healedBytes() - healedBefore,
                extra,
                phases(Operation.GET, quietNanos, eventNanos, inPlaceNanos, endNanos, lastNanos),
                phases(Operation.MULTIGET, quietNanos, eventNanos, inPlaceNanos, endNanos, lastNanos),
                locality,
                p99(quietNanos, eventNanos, lastNanos));
    }

    private long healedBytes() throws InterruptedException {
        return variant == Variant.HEARTH ? eyes.healedBytes() : 0;
    }

    /** Looks until regions have arrived and stay; returns when they had. */
    private long awaitInPlace(Assignments seen, Predicate<Map<String, String>> arrived, long eventNanos)
            throws InterruptedException {
        look(seen);
        while (!arrived.test(seen.last()) || System.nanoTime() - seen.sinceNanos() < STEADY_NANOS) {
            if (System.nanoTime() - eventNanos > PLACE_LIMIT_NANOS) {
                break;
            }
            TimeUnit.MILLISECONDS.sleep(LOOK_MS);
            look(seen);
        }
        return seen.sinceNanos();
    }

    private void awaitLocal(Assignments seen, Set<String> moved, long fromNanos) throws InterruptedException {
        while (look(seen).of(moved).nonLocalBytes() > 0
                && System.nanoTime() - fromNanos < TimeUnit.SECONDS.toNanos(scale.limitSeconds())) {
            TimeUnit.MILLISECONDS.sleep(LOOK_MS);
        }
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

    /** Has every one of them that is not local written anew; returns when that was asked for. */
    private long compact(Set<String> regions) throws IOException {
        long nanos = System.nanoTime();
        for (var region : eyes.census().of(regions).regions()) {
            if (region.nonLocalBytes() > 0) {
                admin.majorCompactRegion(Bytes.toBytes(region.region()));
            }
        }
        return nanos;
    }

    private Phases phases(Operation operation, long quiet, long event, long inPlace, long end, long last) {
        return new Phases(
                latencies.between(operation, quiet, event),
                latencies.between(operation, event, inPlace),
                latencies.between(operation, inPlace, end),
                latencies.between(operation, end, last));
    }

    private List<Point> p99(long from, long event, long to) {
        List<Point> points = new ArrayList<>();
        for (long nanos = from; nanos + P99_STEP_NANOS < to; nanos += P99_STEP_NANOS) {
            points.add(new Point(
                    (nanos - event) / 1e9,
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
