package io.hearth.balancer.heat;

import io.hearth.balancer.ingest.RegionSample;

/**
 * Hot by the decayed rates: as many requests in so many minutes as the long horizon says. Needs no memory of its own.
 *
 * @param requests what a region must have more of
 * @param minutes the minutes in which it must have them
 */
record HotByRate(long requests, int minutes) implements HotMeasure {

    private static final double SECONDS_PER_MINUTE = 60;

    @Override
    public void learn(RegionTrack region, RegionSample sample, long reportMs) {
        region.setWindow(null);
    }

    @Override
    public boolean isHot(RegionTrack region) {
        Rates rates = region.acting();
        return (rates.readsPerSecond() + rates.writesPerSecond()) * minutes * SECONDS_PER_MINUTE > requests;
    }
}
