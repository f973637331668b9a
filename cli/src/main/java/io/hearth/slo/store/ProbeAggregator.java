// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.slo.store;

import io.hearth.common.log.PrintableName;
import io.hearth.slo.probe.ProbeKind;
import io.hearth.slo.probe.ProbeResult;
import io.hearth.slo.probe.ProbeResult.Outcome;
import io.hearth.slo.probe.TimelineRead;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * Adds up the results of probes, and of timeline-consistent reads, by the minute in which they were due, until they are taken to be stored.
 * Thread-safe.
 */
final class ProbeAggregator {

    static final long MINUTE_MS = 60_000;

    private Map<Long, Batch> batchByStartMs = new TreeMap<>();
    private List<Batch> closed = new ArrayList<>();
    private Map<Long, SortedMap<Integer, TimelineLatency>> timelineByStartMs = new TreeMap<>();
    private Limits limits;

    ProbeAggregator(Limits limits) {
        this.limits = limits;
    }

    /** Counts by other limits from now on. */
    synchronized void use(Limits others) {
        closed.addAll(batchByStartMs.values());
        batchByStartMs = new TreeMap<>();
        limits = others;
    }

    synchronized void accept(ProbeResult result) {
        batchByStartMs
                .computeIfAbsent(minute(result.dueAtMs()), start -> new Batch(start, limits))
                .add(result);
    }

    synchronized void accept(TimelineRead read) {
        timelineByStartMs
                .computeIfAbsent(minute(read.dueAtMs()), start -> new TreeMap<>())
                .computeIfAbsent(read.timeoutMs(), timeout -> new TimelineLatency())
                .add(read);
    }

    private static long minute(long ms) {
        return Math.floorDiv(ms, MINUTE_MS) * MINUTE_MS;
    }

    /** Gives up the timeline-consistent reads that were added up since the last call. */
    synchronized List<TimelineMinute> takeTimeline() {
        List<TimelineMinute> all = new ArrayList<>();
        timelineByStartMs.forEach((startMs, byTimeoutMs) -> all.add(new TimelineMinute(startMs, byTimeoutMs)));
        timelineByStartMs = new TreeMap<>();
        return all;
    }

    /** Gives up all that was added up since the last call. */
    synchronized List<Batch> take() {
        List<Batch> all = closed;
        all.addAll(batchByStartMs.values());
        closed = new ArrayList<>();
        batchByStartMs = new TreeMap<>();
        return all;
    }

    /** What is known of the probes of one minute. */
    static final class Batch {
        private final long startMs;
        private final Limits limits;
        private final ServerLatencies latencies;
        private final Map<ProbeKind, Map<String, long[]>> good = new EnumMap<>(ProbeKind.class);

        private Batch(long startMs, Limits limits) {
            this.startMs = startMs;
            this.limits = limits;
            latencies = ServerLatencies.empty(startMs);
        }

        private void add(ProbeResult result) {
            String target = PrintableName.of(result.target());
            latencies.of(result.kind(), target).add(result);
            List<Long> ofKind = limits.of(result.kind());
            long[] counts = good.computeIfAbsent(result.kind(), any -> new TreeMap<>())
                    .computeIfAbsent(target, any -> new long[ofKind.size()]);
            for (int place = 0; place < counts.length; place++) {
                if (result.outcome() == Outcome.ANSWERED && result.latencyMicros() <= ofKind.get(place)) {
                    counts[place]++;
                }
            }
        }

        /** The latencies of each server. */
        ServerLatencies servers() {
            return latencies;
        }

        /** The counts of each server, and the latencies of all together. */
        ClusterMinute cluster() {
            Map<ProbeKind, ServerCounts> counts = new EnumMap<>(ProbeKind.class);
            Map<ProbeKind, LatencyHistogram> together = new EnumMap<>(ProbeKind.class);
            latencies.byKindAndTarget().forEach((kind, byTarget) -> {
                counts.put(kind, counts(kind, byTarget));
                LatencyHistogram all = new LatencyHistogram();
                byTarget.values().forEach(all::add);
                together.put(kind, all);
            });
            return new ClusterMinute(startMs, counts, together);
        }

        private ServerCounts counts(ProbeKind kind, Map<String, LatencyHistogram> byTarget) {
            String[] targets = byTarget.keySet().toArray(String[]::new);
            long[] limitsMicros = limits.micros(kind);
            long[][] goodByPlace = new long[limitsMicros.length][targets.length];
            Map<String, long[]> goodByTarget = good.getOrDefault(kind, Map.of());
            for (int row = 0; row < targets.length; row++) {
                long[] ofTarget = goodByTarget.getOrDefault(targets[row], new long[limitsMicros.length]);
                for (int place = 0; place < limitsMicros.length; place++) {
                    goodByPlace[place][row] = ofTarget[place];
                }
            }
            return new ServerCounts(
                    targets,
                    byTarget.values().stream().mapToLong(LatencyHistogram::due).toArray(),
                    byTarget.values().stream()
                            .mapToLong(LatencyHistogram::answered)
                            .toArray(),
                    limitsMicros,
                    goodByPlace);
        }
    }
}
