// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.bench.value;

import io.hearth.testkit.load.LatencyRecorder.LatencySummary;
import io.hearth.testkit.load.LatencyRecorder.NanoInterval;
import io.hearth.testkit.load.LoadDriver;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

/** Finds the highest rate of requests that a cluster answers in time. Not thread-safe. */
final class RateMeter {

    /** A rate is held if the slowest hundredth of its requests takes no longer, from when they were due. */
    static final double LIMIT_MS = 50;

    private static final int TRY_SECONDS = 12;

    /** Until queues have come to what they are at a rate. */
    private static final int SETTLE_SECONDS = 2;

    private final LoadStart start;
    private final Consumer<String> progress;

    /** @param progress each rate that was tried, a line at a time */
    RateMeter(LoadStart start, Consumer<String> progress) {
        this.start = start;
        this.progress = progress;
    }

    /** Starts a load of so many requests a second. */
    @FunctionalInterface
    interface LoadStart {
        LoadDriver at(double perSecond);
    }

    /**
     * @param perSecond requests
     * @param p99Ms of those, from when they were due
     */
    public record TriedRate(double perSecond, double p99Ms) {}

    /**
     * @param rates what was tried, in the order of the tries
     * @param highestPerSecond the highest rate that was held; 0 where none was
     * @param idle the least share of the machine's processors that had nothing to do, 0 to 1
     * @param failed requests
     */
    record HeldRate(List<TriedRate> rates, double highestPerSecond, double idle, long failed) {

        HeldRate {
            rates = List.copyOf(rates);
        }
    }

    /**
     * Latencies at one rate.
     *
     * @param idle the share of the machine's processors that had nothing to do, 0 to 1
     * @param failed requests
     */
    record Measurement(LatencySummary latencies, double idle, long failed) {}

    /** Bisects with so many rates; one that is not held is tried once more, and the better try counts. */
    HeldRate highest(RateSearch search, int tries) throws IOException, InterruptedException {
        List<TriedRate> rates = new ArrayList<>();
        double idle = 1;
        long failed = 0;
        for (int attempt = 0; attempt < tries; attempt++) {
            double perSecond = search.next();
            Measurement measured = at(perSecond, TRY_SECONDS);
            double leastIdle = measured.idle;
            failed += measured.failed;
            if (!isHeld(measured)) {
                // A tenth of a second in which the machine did something else is enough for that.
                Measurement again = at(perSecond, TRY_SECONDS);
                failed += again.failed;
                leastIdle = Math.min(leastIdle, again.idle);
                measured = better(measured, again);
            }
            double p99Ms = measured.latencies.p99Ms();
            progress.accept("      %,.0f requests a second: p99 %,.1f ms, processors idle for %.0f %%"
                    .formatted(perSecond, p99Ms, 100 * leastIdle));
            idle = Math.min(idle, leastIdle);
            rates.add(new TriedRate(perSecond, p99Ms));
            search.tell(isHeld(measured));
        }
        return new HeldRate(rates, search.highest(), idle, failed);
    }

    /** Of a try that did not hold a rate and another one: the one that held it, or else the one with the lower p99. */
    static Measurement better(Measurement notHeld, Measurement again) {
        return isHeld(again) || again.latencies.p99Ms() < notHeld.latencies.p99Ms() ? again : notHeld;
    }

    private static boolean isHeld(Measurement measured) {
        return measured.failed == 0 && measured.latencies.p99Ms() <= LIMIT_MS;
    }

    /** Sends so many requests a second for so long, and waits for what is still out. */
    Measurement at(double perSecond, int seconds) throws IOException, InterruptedException {
        try (LoadDriver load = start.at(perSecond)) {
            TimeUnit.SECONDS.sleep(SETTLE_SECONDS);
            long fromNanos = System.nanoTime();
            ProcessorTimes before = ProcessorTimes.read();
            TimeUnit.SECONDS.sleep((long) seconds - SETTLE_SECONDS);
            double idle = ProcessorTimes.read().idleSince(before);
            NanoInterval measured = new NanoInterval(fromNanos, System.nanoTime());
            load.stop();
            return new Measurement(
                    slowest(load, measured), idle, load.requests().errors());
        }
    }

    /** Of the kinds of requests that there are, the one with the highest p99. */
    static LatencySummary slowest(LoadDriver load, NanoInterval interval) {
        return load.operations().stream()
                .map(operation -> load.latencies().within(operation, List.of(interval)))
                .max(Comparator.comparingDouble(LatencySummary::p99Ms))
                .orElseThrow();
    }
}
