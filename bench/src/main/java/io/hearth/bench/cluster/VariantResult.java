// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.bench.cluster;

import io.hearth.bench.cluster.Scale.BenchmarkStage;
import io.hearth.testkit.load.LatencyRecorder.LatencySummary;
import java.util.Collections;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;

/**
 * What came of one variant. Immutable.
 *
 * @param events what came of each event; of none where they were left out
 * @param hotSpot what came of the hot spot; empty where it was left out
 * @param rounds what came of each kind of rounds; of none that was left out, or where nothing heals
 * @param requests that clients were answered
 * @param errors requests that failed
 * @param firstError what the first of them met; empty if there is none
 */
public record VariantResult(
        Map<TopologyEvent, EventResult> events,
        Optional<HotSpotResult> hotSpot,
        Map<BenchmarkStage, MoveRoundsResult> rounds,
        long requests,
        long errors,
        String firstError) {

    public VariantResult {
        events = copy(events, TopologyEvent.class);
        rounds = copy(rounds, BenchmarkStage.class);
    }

    /** The same with the rounds of another cluster of the same variant. */
    public VariantResult withRounds(VariantResult other) {
        return new VariantResult(
                events,
                hotSpot,
                other.rounds(),
                requests + other.requests(),
                errors + other.errors(),
                errors > 0 ? firstError : other.firstError());
    }

    private static <K extends Enum<K>, V> Map<K, V> copy(Map<K, V> values, Class<K> keys) {
        Map<K, V> copy = new EnumMap<>(keys);
        copy.putAll(values);
        return Collections.unmodifiableMap(copy);
    }

    /**
     * What came of one event. Immutable.
     *
     * @param regions how many regions changed their server
     * @param inPlaceSeconds from the event until they were all where they stay
     * @param askedSeconds from the event until healing was asked for
     * @param nonLocalBytes of them, each when it was first seen there
     * @param localityInPlace the local share of their bytes when they were in place
     * @param to90Seconds from when healing was asked for, until 90 % was local; absent if it never was
     * @param to100Seconds the same for all of it
     * @param watchedSeconds how long that was waited for
     * @param healedBytes what Hearth's healer verified since the event; 0 without it
     * @param extra bytes beyond what the load alone makes, from the event to the end of the healing
     * @param gets latencies of gets
     * @param multigets latencies of multigets
     * @param locality the local share of these regions' bytes over time
     * @param p99 of the gets over time, in milliseconds
     */
    public record EventResult(
            int regions,
            double inPlaceSeconds,
            double askedSeconds,
            long nonLocalBytes,
            double localityInPlace,
            OptionalDouble to90Seconds,
            OptionalDouble to100Seconds,
            double watchedSeconds,
            long healedBytes,
            Traffic extra,
            LatencyByPhase gets,
            LatencyByPhase multigets,
            List<TimeSeriesPoint> locality,
            List<TimeSeriesPoint> p99) {

        public EventResult {
            locality = List.copyOf(locality);
            p99 = List.copyOf(p99);
        }

        /** Whether the regions landed where all their blocks are, so that nothing had to be healed. */
        boolean isLocalInPlace() {
            return localityInPlace >= 1;
        }
    }

    /**
     * Latencies of one kind of request around an event, each request in the phase in which it was due.
     *
     * @param before the event
     * @param moving from the event until regions were where they stay: while they are closed their requests wait
     * @param healing from then until all was local, or until that was given up
     * @param after that
     */
    public record LatencyByPhase(
            LatencySummary before, LatencySummary moving, LatencySummary healing, LatencySummary after) {}

    /**
     * What came of a hot spot. Immutable.
     *
     * @param evenSeconds until the busiest server had less than 1.15 times the average; absent if that was never so
     * @param watchedSeconds how long that was waited for
     * @param moves of regions meanwhile
     * @param worst the busiest server over the average, at its worst
     * @param last the same at the end
     * @param before latencies of gets before the hot spot
     * @param after the same at the end
     * @param skew the busiest server over the average, over time
     */
    public record HotSpotResult(
            OptionalDouble evenSeconds,
            double watchedSeconds,
            int moves,
            double worst,
            double last,
            LatencySummary before,
            LatencySummary after,
            List<TimeSeriesPoint> skew) {

        public HotSpotResult {
            skew = List.copyOf(skew);
        }
    }

    /** What happens to the hosts of the cluster. */
    public enum TopologyEvent {
        CRASH("crash of a RegionServer"),
        RETURNED("it is back"),
        HOST_ADDED("an empty host is added");

        private final String description;

        TopologyEvent(String description) {
            this.description = description;
        }

        public String description() {
            return description;
        }
    }

    /**
     * A value at a time.
     *
     * @param seconds since the event
     */
    public record TimeSeriesPoint(double seconds, double value) {}

    /**
     * Bytes that a cluster has read, written and sent. Immutable.
     *
     * @param read from disk or the system's cache of it, by the DataNodes' own count
     * @param written to files, by the same; each replica counts
     * @param sent by the hosts over the network, by the devices' count; 0 where hosts have none of their own
     */
    public record Traffic(long read, long written, long sent) {

        static final Traffic NONE = new Traffic(0, 0, 0);

        Traffic since(Traffic earlier) {
            return new Traffic(read - earlier.read, written - earlier.written, sent - earlier.sent);
        }

        /** What is left of it without that many times another, which is what goes on anyway; never less than nothing. */
        Traffic without(Traffic usual, double times) {
            return new Traffic(
                    less(read, usual.read, times), less(written, usual.written, times), less(sent, usual.sent, times));
        }

        private static long less(long bytes, long usual, double times) {
            return Math.max(0, bytes - Math.round(usual * times));
        }
    }
}
