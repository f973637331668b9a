package io.hearth.balancer.heat;

import io.hearth.balancer.heat.ingest.RegionSample;

/**
 * Hot by the decayed rates: as many requests in so many minutes as the long horizon says. Needs no memory of its own.
 *
 * @param requests what a region must have more of
 * @param minutes the minutes in which it must have them
 */
record RateActivityFilter(long requests, int minutes) implements ActivityFilter {

    private static final double SECONDS_PER_MINUTE = 60;

    @Override
    public void learn(RegionLoadTracker region, RegionSample sample, long reportMs) {
        region.setWindow(null);
    }

    @Override
    public boolean isActive(RegionLoadTracker region) {
        Rates rates = region.smoothed();
        return (rates.readsPerSecond() + rates.writesPerSecond()) * minutes * SECONDS_PER_MINUTE > requests;
    }
}
