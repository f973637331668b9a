// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.bench.opentsdb;

import java.util.Locale;
import org.HdrHistogram.Histogram;
import org.HdrHistogram.Recorder;

/**
 * Times from when a request was due, not from when it was sent, until it was answered: a server that stands still is charged for all
 * that waits meanwhile. Thread-safe.
 */
final class IntervalLatencies {

    private static final long MOST_MS = 3_600_000;
    private static final int DIGITS = 3;

    private final Recorder recorder = new Recorder(MOST_MS, DIGITS);

    /** A request that was due at that time is answered now. */
    void answered(long dueMs) {
        recorder.recordValue(Math.min(MOST_MS, Math.max(0, System.currentTimeMillis() - dueMs)));
    }

    /** Those since it was asked last, in one line. */
    String take() {
        Histogram taken = recorder.getIntervalHistogram();
        return taken.getTotalCount() == 0
                ? "none"
                : String.format(
                        Locale.ROOT,
                        "%,d, p50 %,d ms, p99 %,d ms, p99.9 %,d ms, max %,d ms",
                        taken.getTotalCount(),
                        taken.getValueAtPercentile(50),
                        taken.getValueAtPercentile(99),
                        taken.getValueAtPercentile(99.9),
                        taken.getMaxValue());
    }
}
