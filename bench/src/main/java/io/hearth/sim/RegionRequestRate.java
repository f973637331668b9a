// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.sim;

import io.hearth.common.model.LoadDimension;
import io.hearth.sim.scenario.Scenario.Noise;
import io.hearth.sim.scenario.Scenario.Wave;

/**
 * Requests to one region: a rate that changes with time. Immutable.
 *
 * @param perSecond the rate, in requests per second, where wave and turn are 1
 * @param rotation which steps of a moving front are this region's
 * @param noise that lies over it, drawn with {@code noiseSeed}
 */
record RegionRequestRate(
        LoadDimension dimension, double perSecond, Wave wave, Rotation rotation, Noise noise, long noiseSeed) {

    /**
     * Whose turn it is: of {@code groups} groups of regions, group {@code mine} is under load in every {@code groups}-th
     * step. Immutable.
     */
    record Rotation(int index, int groups, long stepMs) {

        /** Always. */
        static final Rotation ALWAYS = new Rotation(0, 1, 1);

        boolean isOn(long timeMs) {
            return groups == 1 || timeMs / stepMs % groups == index;
        }
    }

    double at(long timeMs) {
        return rotation.isOn(timeMs) ? perSecond * wave.at(timeMs) * noise.at(noiseSeed, timeMs) : 0;
    }

    /** The part of it that goes to one of two daughters. */
    RegionRequestRate half() {
        return new RegionRequestRate(dimension, perSecond / 2, wave, rotation, noise, noiseSeed);
    }
}
