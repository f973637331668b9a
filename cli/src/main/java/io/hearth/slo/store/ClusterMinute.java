// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.slo.store;

import io.hearth.slo.probe.ProbeKind;
import java.util.Map;

/**
 * A part of the probes that were due in one minute of one instance of the watch: counts for each server, latencies of the whole cluster.
 * A minute has several parts, since what is known is written twice a minute and late answers come after; a probe is in one part. To have
 * the minute, add its parts. A minute after the clock was set back has further parts under the same time. Immutable as long as nobody
 * adds to its histograms.
 *
 * @param startMs the minute's start, in ms since 1970, by the clock at the time
 * @param counts by kind; a kind without a probe is missing
 * @param latencies the same of all servers together
 */
public record ClusterMinute(
        long startMs, Map<ProbeKind, ServerCounts> counts, Map<ProbeKind, LatencyHistogram> latencies) {

    /** Copies the maps. */
    public ClusterMinute {
        counts = Map.copyOf(counts);
        latencies = Map.copyOf(latencies);
    }

    /**
     * The probes of a kind that were answered within this limit, of all servers. Exact if the limit was in force when they were counted;
     * else by the cluster's histogram, whose classes are a hundredth wide.
     */
    public long good(ProbeKind kind, long limitMicros) {
        ServerCounts ofKind = counts.get(kind);
        LatencyHistogram latency = latencies.get(kind);
        if (ofKind == null || latency == null) {
            return 0;
        }
        return ofKind.good(limitMicros).orElseGet(() -> latency.answeredWithin(limitMicros));
    }

    /** The probes of a kind that were due, of all servers. */
    public long due(ProbeKind kind) {
        ServerCounts ofKind = counts.get(kind);
        return ofKind == null ? 0 : ofKind.due();
    }
}
