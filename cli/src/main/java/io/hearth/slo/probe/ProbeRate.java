// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.slo.probe;

import java.time.Duration;

/**
 * How often probes of a kind ask each target, and how long each of them may take. Immutable.
 *
 * @param periodNanos from one probe of a target to its next
 * @param limitNanos from when a probe is due until it is given up
 * @param maxOutstanding how many probes of one target may have no answer at a time
 */
public record ProbeRate(long periodNanos, long limitNanos, int maxOutstanding) {

    /** Checks that all are positive. */
    public ProbeRate {
        if (periodNanos <= 0 || limitNanos <= 0 || maxOutstanding <= 0) {
            throw new IllegalArgumentException("a probe each " + periodNanos + " ns within " + limitNanos + " ns, "
                    + maxOutstanding + " at a time");
        }
    }

    /**
     * A rate at which a target that answers nothing has every probe sent: as many may be out as become due within the time limit, and
     * half as many again, for those that end late.
     */
    public static ProbeRate of(Duration period, Duration limit) {
        long due = limit.dividedBy(period) + 1;
        return new ProbeRate(period.toNanos(), limit.toNanos(), Math.toIntExact(due + (due + 1) / 2));
    }
}
