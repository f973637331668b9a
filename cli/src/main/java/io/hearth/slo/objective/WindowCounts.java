// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.slo.objective;

import java.util.OptionalDouble;

/**
 * How many probes of an objective were due and good in a time up to now. Immutable.
 *
 * @param due probes that were due
 * @param good those of them that were good
 * @param minutes how many minutes had any: what has none is unknown
 */
public record WindowCounts(long due, long good, int minutes) {

    /** Those that were due and not good. */
    public long bad() {
        return due - good;
    }

    /** The share of due probes that were good: measured availability; empty where none was due. */
    public OptionalDouble goodShare() {
        return due == 0 ? OptionalDouble.empty() : OptionalDouble.of((double) good / due);
    }

    /** How many times faster than allowed the budget is spent; empty where none was due. */
    public OptionalDouble burnRate(Objective objective) {
        return due == 0
                ? OptionalDouble.empty()
                : OptionalDouble.of((double) bad() / due / objective.badShare().doubleValue());
    }
}
