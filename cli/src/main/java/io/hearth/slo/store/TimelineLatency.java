// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.slo.store;

import io.hearth.slo.probe.TimelineRead;
import io.hearth.slo.probe.TimelineRead.Answer;
import java.util.OptionalDouble;

/**
 * How timeline-consistent reads with one primary-call timeout fared: how long they took, and how many of them a replica answered. Adding
 * up loses nothing. Not thread-safe.
 */
public final class TimelineLatency {

    private final LatencyHistogram latencies;
    private long stale;

    /** Makes one without reads. */
    public TimelineLatency() {
        this(new LatencyHistogram(), 0);
    }

    TimelineLatency(LatencyHistogram latencies, long stale) {
        this.latencies = latencies;
        this.stale = stale;
    }

    /** Counts this read. */
    void add(TimelineRead read) {
        latencies.add(read.answer() != Answer.NONE, read.latencyMicros());
        stale += read.answer() == Answer.STALE ? 1 : 0;
    }

    /** Counts the reads of another too. */
    public void add(TimelineLatency other) {
        latencies.add(other.latencies);
        stale += other.stale;
    }

    /** From when they were due to their answers, fresh or stale; those without an answer are in it as such. */
    public LatencyHistogram latencies() {
        return latencies;
    }

    /** Those that a replica answered. */
    public long stale() {
        return stale;
    }

    /** Of the answers the share that a replica gave, from 0 to 1; empty without an answer. */
    public OptionalDouble staleShare() {
        return latencies.answered() == 0
                ? OptionalDouble.empty()
                : OptionalDouble.of((double) stale / latencies.answered());
    }
}
