// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.bench.value;

import java.util.Locale;
import java.util.Optional;

/**
 * What says whether the machine was idle enough for figures that were measured on it. Immutable.
 *
 * @param controlPerSecond the highest rate that was held of an even load on a {@link ValueCluster}, in requests a second
 * @param nominalPerSecond what all its servers together can answer in a second
 * @param idle the least share of the machine's processors that had nothing to do, 0 to 1
 */
public record MachineCheck(double controlPerSecond, int nominalPerSecond, double idle) {

    /** The rate that an even load has to reach on this machine, as a share of what all servers together are made to answer; at least. */
    static final double LEAST_CONTROL = 0.8;

    /** The share of their time that the machine's processors have to be idle; at least. */
    static final double LEAST_IDLE = 0.2;

    /** Why the figures say nothing; empty where they do. */
    Optional<String> tooBusy() {
        double wanted = LEAST_CONTROL * nominalPerSecond;
        if (controlPerSecond < wanted) {
            return Optional.of(String.format(
                    Locale.ROOT,
                    "an even load was answered in time up to %,.0f requests a second, below %,.0f",
                    controlPerSecond,
                    wanted));
        }
        if (idle < LEAST_IDLE) {
            return Optional.of(String.format(
                    Locale.ROOT,
                    "the processors had nothing to do for %.0f %% of the time, below %.0f",
                    100 * idle,
                    100 * LEAST_IDLE));
        }
        return Optional.empty();
    }
}
