// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.slo.probe;

import io.hearth.slo.probe.ProbeResult.Outcome;
import java.util.Arrays;
import java.util.Comparator;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.Locale;
import java.util.Map;
import java.util.StringJoiner;
import java.util.function.Consumer;

/**
 * What came of the probes since it was last asked, in memory, for the line that the daemon prints each minute. A probe is good here if it
 * was answered, however late. Thread-safe.
 */
public final class MinuteSummary implements Consumer<ProbeResult> {

    /** The latency of a probe without an answer: longer than any. */
    private static final long NO_ANSWER = Long.MAX_VALUE;

    private final Map<ProbeKind, DueAndGood> byKind = new EnumMap<>(ProbeKind.class);
    private final Map<String, DueAndGood> byTarget = new HashMap<>();
    private long[] getMicros = new long[1_024];
    private int gets;

    private static final class DueAndGood {

        private long due;
        private long good;

        void add(boolean isGood) {
            due++;
            good += isGood ? 1 : 0;
        }

        long bad() {
            return due - good;
        }
    }

    @Override
    public synchronized void accept(ProbeResult result) {
        boolean isGood = result.outcome() == Outcome.ANSWERED;
        byKind.computeIfAbsent(result.kind(), kind -> new DueAndGood()).add(isGood);
        byTarget.computeIfAbsent(result.target(), target -> new DueAndGood()).add(isGood);
        if (result.kind() == ProbeKind.GET) {
            if (gets == getMicros.length) {
                getMicros = Arrays.copyOf(getMicros, 2 * gets);
            }
            getMicros[gets++] = isGood ? result.latencyMicros() : NO_ANSWER;
        }
    }

    /** The line, without a time; it begins anew then. */
    public synchronized String take() {
        StringJoiner line = new StringJoiner("; ");
        byKind.forEach((kind, probes) -> line.add(String.format(
                Locale.ROOT,
                "%s %,d of %,d good%s",
                kind,
                probes.good,
                probes.due,
                kind == ProbeKind.GET ? getLatency() : "")));
        byTarget.entrySet().stream()
                .filter(target -> target.getValue().bad() > 0)
                .max(Comparator.<Map.Entry<String, DueAndGood>>comparingLong(
                                target -> target.getValue().bad())
                        .thenComparing(Map.Entry.comparingByKey()))
                .ifPresent(worst -> line.add(String.format(
                        Locale.ROOT,
                        "worst is %s, %,d of %,d bad",
                        worst.getKey(),
                        worst.getValue().bad(),
                        worst.getValue().due)));
        byKind.clear();
        byTarget.clear();
        gets = 0;
        return line.length() == 0 ? "no probe was due" : line.toString();
    }

    private String getLatency() {
        Arrays.sort(getMicros, 0, gets);
        return ", p50 " + getPercentile(0.50) + ", p99 " + getPercentile(0.99);
    }

    private String getPercentile(double share) {
        long micros = getMicros[(int) Math.ceil(share * gets) - 1];
        return micros == NO_ANSWER ? "no answer" : String.format(Locale.ROOT, "%.1f ms", micros / 1_000.0);
    }
}
