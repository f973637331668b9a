// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.slo.probe;

import static java.util.Objects.requireNonNull;

/**
 * What came of one probe. The latency counts from the time at which the probe was due, not from when it was sent: a server that stands
 * still delays every probe that became due meanwhile, and each of them tells (no coordinated omission).
 *
 * @param kind what was asked for
 * @param target the server: {@code host:port} of a RegionServer, DataNode or NameNode; {@code registry} for the registry
 * @param dueAtMs wall clock when it was due, in ms since 1970
 * @param latencyMicros from when it was due until it was answered, failed, or was given up; microseconds, not negative
 * @param outcome how it ended
 */
public record ProbeResult(ProbeKind kind, String target, long dueAtMs, long latencyMicros, Outcome outcome) {

    /** How a probe ended. */
    public enum Outcome {
        /** The answer came and was right. */
        ANSWERED,
        /** An error came, or an answer that was wrong. */
        FAILED,
        /** Nothing came within the time limit of the probe. */
        TIMED_OUT,
        /** It could not be sent when it was due, since too many were under way already. It counts as not served. */
        NOT_SENT
    }

    /** Checks that nothing is missing. */
    public ProbeResult {
        requireNonNull(kind);
        requireNonNull(target);
        requireNonNull(outcome);
        if (latencyMicros < 0) {
            throw new IllegalArgumentException("latency of " + latencyMicros + " us");
        }
    }
}
