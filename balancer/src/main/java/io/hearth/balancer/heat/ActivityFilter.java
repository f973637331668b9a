package io.hearth.balancer.heat;

import io.hearth.balancer.config.ActivityConfig;
import io.hearth.balancer.heat.ingest.RegionSample;

/**
 * A measure of whether a region is hot enough to be worth a move at all: more than X requests in the last Y minutes, by
 * report time. Implementations are immutable; what they count is kept with the region.
 */
interface ActivityFilter {

    /** Takes what the region did up to this report. */
    void learn(RegionLoadTracker region, RegionSample sample, long reportMs);

    /** Whether the region is hot enough. */
    boolean isActive(RegionLoadTracker region);

    /** The measure that this configuration asks for. */
    static ActivityFilter of(ActivityConfig config) {
        if (!config.isOn()) {
            return new NoActivityFilter();
        }
        return config.isExact()
                ? new WindowActivityFilter(config.requests(), config.minutes())
                : new RateActivityFilter(config.requests(), config.minutes());
    }
}
