// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.balancer.heat;

import io.hearth.balancer.config.HeatConfig.ActivityConfig;
import io.hearth.balancer.heat.ingest.Rates;
import io.hearth.balancer.heat.ingest.RegionCounters.RegionSample;
import io.hearth.common.model.LoadDimension;
import org.jspecify.annotations.Nullable;

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

    /**
     * Hot by the decayed rates: as many requests in so many minutes as the smoothed rates say. Needs no memory of its own.
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
            return (rates.get(LoadDimension.READS) + rates.get(LoadDimension.WRITES)) * minutes * SECONDS_PER_MINUTE
                    > requests;
        }
    }

    /**
     * Hot by count: more than so many requests in the last so many buckets of a minute. What was not observed is not counted, so
     * for some minutes after a start only what is very hot is hot.
     *
     * @param requests what a region must have more of
     * @param minutes the minutes in which it must have them, the one under way included
     */
    record WindowActivityFilter(long requests, int minutes) implements ActivityFilter {

        @Override
        public void learn(RegionLoadTracker region, RegionSample sample, long reportMs) {
            MinuteWindow window = region.window();
            if (window == null || window.minutes() != minutes) {
                window = new MinuteWindow(minutes);
                region.setWindow(window);
            }
            if (sample.hasRate()) {
                long elapsedMs = sample.elapsedMs();
                long count = sample.perSecond().requestsIn(LoadDimension.READS, elapsedMs)
                        + sample.perSecond().requestsIn(LoadDimension.WRITES, elapsedMs);
                window.add(count, elapsedMs, reportMs);
            }
        }

        @Override
        public boolean isActive(RegionLoadTracker region) {
            @Nullable MinuteWindow window = region.window();
            return window != null && window.count() > requests;
        }
    }
}
