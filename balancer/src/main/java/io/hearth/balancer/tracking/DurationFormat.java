// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.balancer.tracking;

/** Says how long something took. */
final class DurationFormat {

    private static final long MINUTE_MS = 60_000;
    private static final long TWO_HOURS_MS = 120 * MINUTE_MS;

    private DurationFormat() {}

    /** {@code 31 min}, or {@code 5 h} from two hours on; rounded down. */
    static String span(long ms) {
        return ms < TWO_HOURS_MS ? ms / MINUTE_MS + " min" : ms / (60 * MINUTE_MS) + " h";
    }
}
