package io.hearth.balancer.heat;

import io.hearth.balancer.config.HeatConfig;

/**
 * The horizons of heat: a short one to see, a longer one to act on, and one of hours that swings around it cancel out in.
 * Immutable.
 *
 * @param lagMs observed time after which the rates to act on count as drawn anew, in milliseconds
 */
record Horizons(Horizon recent, Horizon acting, Horizon longRun, long lagMs) {

    /** Two hours beside the five minutes of the default: some tens of swings of ten minutes. */
    private static final long LONG_RUN_OVER_ACTING = 24;

    private static final long LAG_OVER_ACTING = 2;

    static Horizons of(HeatConfig config) {
        return new Horizons(
                new Horizon(config.recentHalfLifeMs()),
                new Horizon(config.halfLifeMs()),
                new Horizon(LONG_RUN_OVER_ACTING * config.halfLifeMs()),
                LAG_OVER_ACTING * config.halfLifeMs());
    }
}
