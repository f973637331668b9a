package io.hearth.sim;

import io.hearth.balancer.load.LoadDimension;
import io.hearth.sim.scenario.Scenario.Noise;
import io.hearth.sim.scenario.Scenario.Wave;

/**
 * Requests to one region: a rate that changes with time. Immutable.
 *
 * @param perSecond the rate, in requests per second, where wave and turn are 1
 * @param turn which steps of a moving front are this region's
 * @param noise that lies over it, drawn with {@code noiseSeed}
 */
record Flow(LoadDimension dimension, double perSecond, Wave wave, Turn turn, Noise noise, long noiseSeed) {

    /**
     * Whose turn it is: of {@code groups} groups of regions, group {@code mine} is under load in every {@code groups}-th
     * step. Immutable.
     */
    record Turn(int mine, int groups, long stepMs) {

        /** Always. */
        static final Turn ALWAYS = new Turn(0, 1, 1);

        boolean isOn(long timeMs) {
            return groups == 1 || timeMs / stepMs % groups == mine;
        }
    }

    double at(long timeMs) {
        return turn.isOn(timeMs) ? perSecond * wave.at(timeMs) * noise.at(noiseSeed, timeMs) : 0;
    }

    /** The part of it that goes to one of two daughters. */
    Flow half() {
        return new Flow(dimension, perSecond / 2, wave, turn, noise, noiseSeed);
    }
}
