package io.hearth.balancer.heat;

import io.hearth.balancer.ingest.RegionSample;

/** No measure: every region is hot enough, and nothing is kept. */
record EveryRegionIsHot() implements HotMeasure {

    @Override
    public void learn(RegionTrack region, RegionSample sample, long reportMs) {
        region.setWindow(null);
    }

    @Override
    public boolean isHot(RegionTrack region) {
        return true;
    }
}
