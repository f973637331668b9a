// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.slo.report;

import io.hearth.slo.objective.Objective;
import io.hearth.slo.probe.ProbeKind;
import io.hearth.slo.store.LatencyHistogram;
import io.hearth.slo.store.SloReader;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * How fast each server answered probes in some time. Immutable.
 *
 * @param fromMs the first time, in ms since 1970
 * @param toMs the first time after it
 * @param rows a server and kind each, the worst first: by the share of bad probes, then by p99
 */
public record ServerReport(long fromMs, long toMs, List<Row> rows) {

    private static final Comparator<Row> WORST_FIRST = Comparator.comparingDouble(Row::badShare)
            .thenComparingLong(row -> row.p99Micros().orElse(Long.MAX_VALUE))
            .reversed()
            .thenComparing(Row::server)
            .thenComparing(Row::kind);

    /** Copies the list. */
    public ServerReport {
        rows = List.copyOf(rows);
    }

    /**
     * The probes of one kind of one server. A percentile is of all of them; it is empty if fewer were answered.
     *
     * @param server {@code host:port}, or {@code registry}
     * @param good those that were answered within the first objective of their kind, to a hundredth of its limit; without one, all answers
     * @param maxMicros the slowest answer; empty without one
     */
    public record Row(
            String server,
            ProbeKind kind,
            long due,
            long good,
            OptionalLong p50Micros,
            OptionalLong p99Micros,
            OptionalLong maxMicros) {

        /** What share of its probes was not good. */
        public double badShare() {
            return (double) (due - good) / due;
        }

        /** Whether the server has this name: {@code host:port}, or the host alone, in any case. */
        public boolean isOf(String name) {
            return server.equalsIgnoreCase(name)
                    || server.replaceFirst(":\\d+$", "").equalsIgnoreCase(name);
        }
    }

    /** Adds up what is stored of this time: histograms, so that percentiles are those of all probes. */
    public static ServerReport of(SloReader reader, List<Objective> objectives, long fromMs, long toMs)
            throws IOException {
        List<Row> rows = new ArrayList<>();
        reader.serverLatencies(fromMs, toMs)
                .forEach((kind, byServer) -> byServer.forEach((server, latencies) -> {
                    if (latencies.due() > 0) {
                        rows.add(row(server, kind, latencies, objectives));
                    }
                }));
        rows.sort(WORST_FIRST);
        return new ServerReport(fromMs, toMs, rows);
    }

    private static Row row(String server, ProbeKind kind, LatencyHistogram latencies, List<Objective> objectives) {
        Optional<Objective> first = objectives.stream()
                .filter(objective -> objective.kind() == kind)
                .findFirst();
        return new Row(
                server,
                kind,
                latencies.due(),
                first.map(objective -> latencies.answeredWithin(objective.limitMicros()))
                        .orElse(latencies.answered()),
                latencies.percentileMicros(50),
                latencies.percentileMicros(99),
                latencies.maxMicros());
    }
}
