// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.balancer.config;

import io.hearth.common.config.SettingsReader;

/**
 * How the NameNode is asked where the blocks of regions are. Immutable.
 *
 * @param regionsPerSecond how many regions a second it is asked about in the background, above 0
 * @param maxAgeMs age at which an answer is asked for again, in milliseconds
 */
public record LocalityConfig(double regionsPerSecond, long maxAgeMs) {

    /** What holds before any configuration was read. */
    public static final LocalityConfig DEFAULTS = new LocalityConfig(
            LocalitySettings.REGIONS_PER_SECOND.defaultValue(), LocalitySettings.MAX_AGE_MS.defaultValue());

    static LocalityConfig read(SettingsReader reader) {
        return new LocalityConfig(
                reader.read(LocalitySettings.REGIONS_PER_SECOND), reader.read(LocalitySettings.MAX_AGE_MS));
    }
}
