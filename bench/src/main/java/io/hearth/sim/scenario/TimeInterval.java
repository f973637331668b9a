// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.sim.scenario;

/**
 * A stretch of a scenario's time, both ends included. Immutable.
 *
 * @param fromMs its begin, in milliseconds since the scenario's
 * @param toMs its end
 */
public record TimeInterval(long fromMs, long toMs) {

    /** All of it. */
    public static final TimeInterval ALWAYS = new TimeInterval(0, Long.MAX_VALUE);

    public boolean contains(long timeMs) {
        return timeMs >= fromMs && timeMs <= toMs;
    }

    /** The span as the end of a sentence: {@code " from 10min to 2h"}, or nothing where it is always. */
    public String text() {
        if (equals(ALWAYS)) {
            return "";
        }
        return " from " + ScenarioDurations.text(fromMs)
                + (toMs == Long.MAX_VALUE ? "" : " to " + ScenarioDurations.text(toMs));
    }
}
