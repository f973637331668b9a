package io.hearth.balancer.heat;

import io.hearth.balancer.config.HotConfig;
import io.hearth.balancer.ingest.RegionSample;

/**
 * A measure of whether a region is hot enough to be worth a move at all: more than X requests in the last Y minutes, by
 * report time. Implementations are immutable; what they count is kept with the region.
 */
interface HotMeasure {

    /** Takes what the region did up to this report. */
    void learn(RegionTrack region, RegionSample sample, long reportMs);

    /** Whether the region is hot enough. */
    boolean isHot(RegionTrack region);

    /** The measure that this configuration asks for. */
    static HotMeasure of(HotConfig config) {
        if (!config.isOn()) {
            return new EveryRegionIsHot();
        }
        return config.isWindow()
                ? new HotByWindow(config.requests(), config.minutes())
                : new HotByRate(config.requests(), config.minutes());
    }
}
