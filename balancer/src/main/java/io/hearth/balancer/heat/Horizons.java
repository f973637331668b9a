package io.hearth.balancer.heat;

import io.hearth.balancer.config.HeatConfig;

/** The two horizons of heat: a short one to see, a long one to act on. Immutable. */
record Horizons(Horizon recent, Horizon acting) {

    static Horizons of(HeatConfig config) {
        return new Horizons(new Horizon(config.recentHalfLifeMs()), new Horizon(config.halfLifeMs()));
    }
}
