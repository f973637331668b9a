package io.hearth.balancer.heat;

import io.hearth.balancer.heat.ingest.RegionSample;
import org.jspecify.annotations.Nullable;

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
            window.add(sample.reads() + sample.writes(), sample.elapsedMs(), reportMs);
        }
    }

    @Override
    public boolean isActive(RegionLoadTracker region) {
        @Nullable MinuteWindow window = region.window();
        return window != null && window.count() > requests;
    }
}
