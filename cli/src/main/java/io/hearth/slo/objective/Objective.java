// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.slo.objective;

import io.hearth.slo.probe.ProbeKind;
import io.hearth.slo.probe.ProbeResult;
import io.hearth.slo.probe.ProbeResult.Outcome;
import java.math.BigDecimal;
import java.math.RoundingMode;
import java.time.Duration;

/**
 * A promise: this share of the requests of a kind is answered within this time, over a number of days. Immutable.
 *
 * @param name letters, digits and dashes; no two objectives have the same
 * @param kind what is asked for
 * @param percent of the probes that are to be good, more than 0 and less than 100
 * @param limitMicros the time from when it was due within which a good probe is answered, in microseconds
 * @param days over which the share is taken, up to now
 */
public record Objective(String name, ProbeKind kind, BigDecimal percent, long limitMicros, int days) {

    /** Whether this probe counts, as good or as bad. */
    public boolean concerns(ProbeResult result) {
        return result.kind() == kind;
    }

    /** Whether it was answered, and within the limit: an error that comes fast is not good. */
    public boolean isGood(ProbeResult result) {
        return result.outcome() == Outcome.ANSWERED && result.latencyMicros() <= limitMicros;
    }

    /** The share of probes that may be bad, exactly: 0.0005 of 99.95 %. */
    public BigDecimal badShare() {
        return BigDecimal.valueOf(100).subtract(percent).movePointLeft(2).stripTrailingZeros();
    }

    /** The time over which the share is taken. */
    public Duration window() {
        return Duration.ofDays(days);
    }

    /** The limit as a person writes it: {@code 50 ms}. */
    public String limitText() {
        return BigDecimal.valueOf(limitMicros)
                        .divide(BigDecimal.valueOf(1_000), 3, RoundingMode.UNNECESSARY)
                        .stripTrailingZeros()
                        .toPlainString()
                + " ms";
    }

    /** As it is written in the file, without its name: {@code 99.95 % of gets under 50 ms, 30 days}. */
    @Override
    public String toString() {
        return percent.toPlainString() + " % of " + ObjectivesFile.noun(kind) + " under " + limitText() + ", " + days
                + (days == 1 ? " day" : " days");
    }
}
