// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.balancer.config;

import io.hearth.common.config.SettingsReader;

/**
 * Which regions are worth a move at all: those with more than so many requests in the last so many minutes. Immutable.
 *
 * @param requests reads and writes that a region must have more of; 0 where every region is worth a move
 * @param minutes the last minutes that count
 * @param isExact whether requests are counted by the minute; otherwise the decayed rates say how many there were
 */
public record ActivityConfig(long requests, int minutes, boolean isExact) {

    /** Every region is worth a move. */
    public static final ActivityConfig OFF =
            new ActivityConfig(0, HeatSettings.ACTIVITY_WINDOW_MINUTES.defaultValue(), false);

    /** Whether there is anything to measure. */
    public boolean isOn() {
        return requests > 0;
    }

    static ActivityConfig read(SettingsReader reader) {
        return new ActivityConfig(
                reader.read(HeatSettings.ACTIVITY_MIN_REQUESTS),
                reader.read(HeatSettings.ACTIVITY_WINDOW_MINUTES),
                reader.read(HeatSettings.ACTIVITY_EXACT));
    }
}
