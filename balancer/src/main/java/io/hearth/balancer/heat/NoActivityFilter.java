package io.hearth.balancer.heat;

import io.hearth.balancer.heat.ingest.RegionSample;

/** No measure: every region is hot enough, and nothing is kept. */
record NoActivityFilter() implements ActivityFilter {

    @Override
    public void learn(RegionLoadTracker region, RegionSample sample, long reportMs) {
        region.setWindow(null);
    }

    @Override
    public boolean isActive(RegionLoadTracker region) {
        return true;
    }
}
