package io.hearth.balancer.heat;

import io.hearth.balancer.config.HeatConfig;

/**
 * The horizons of heat: a short one to see, a longer one to act on, and one of hours that swings around it cancel out in.
 * Immutable.
 *
 * @param intervalMs observed time after which the rates to act on count as drawn anew, in milliseconds
 */
record RateDecays(ExponentialDecay recent, ExponentialDecay smoothed, ExponentialDecay longTerm, long intervalMs) {

    /** Two hours beside the five minutes of the default: some tens of swings of ten minutes. */
    private static final long LONG_TERM_OVER_SMOOTHED = 24;

    private static final long INTERVAL_OVER_SMOOTHED = 2;

    static RateDecays of(HeatConfig config) {
        return new RateDecays(
                new ExponentialDecay(config.recentHalfLifeMs()),
                new ExponentialDecay(config.halfLifeMs()),
                new ExponentialDecay(LONG_TERM_OVER_SMOOTHED * config.halfLifeMs()),
                INTERVAL_OVER_SMOOTHED * config.halfLifeMs());
    }
}
