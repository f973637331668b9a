// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.ui.history;

import io.hearth.common.model.EncodedRegionName;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalDouble;
import java.util.function.Function;

/**
 * The requests a second of the hottest regions at the last {@value #SAMPLES} samples. A region is followed from the first
 * sample in which it was among the hottest; what it had before is not known. At most {@value #REGIONS} regions are kept, those
 * that were among the hottest last: 250 bytes each. Not thread-safe.
 */
public final class RequestRateHistory {

    /** An hour of samples a minute apart. */
    public static final int SAMPLES = 60;

    /** Several times as many as the page shows, so that one that comes and goes keeps its past. */
    static final int REGIONS = 500;

    private static final class Series {

        private final float[] requestsPerSecond = new float[SAMPLES];
        private long lastHotSample;

        Series() {
            Arrays.fill(requestsPerSecond, Float.NaN);
        }
    }

    private final Map<EncodedRegionName, Series> seriesByRegion = new HashMap<>();
    private long samples;

    /**
     * Takes a sample.
     *
     * @param hottest the regions that are hottest now
     * @param requestsPerSecond what a region has now; empty where that is not known
     */
    public void sample(
            Collection<EncodedRegionName> hottest, Function<EncodedRegionName, OptionalDouble> requestsPerSecond) {
        hottest.stream()
                .limit(REGIONS)
                .forEach(region ->
                        seriesByRegion.computeIfAbsent(region, first -> new Series()).lastHotSample = samples);
        evictColdest();
        int slot = (int) (samples % SAMPLES);
        seriesByRegion.forEach((region, series) -> series.requestsPerSecond[slot] =
                (float) requestsPerSecond.apply(region).orElse(Double.NaN));
        samples++;
    }

    private void evictColdest() {
        if (seriesByRegion.size() <= REGIONS) {
            return;
        }
        List<Map.Entry<EncodedRegionName, Series>> oldestFirst = new ArrayList<>(seriesByRegion.entrySet());
        oldestFirst.sort(
                Comparator.<Map.Entry<EncodedRegionName, Series>>comparingLong(entry -> entry.getValue().lastHotSample)
                        .thenComparing(Map.Entry::getKey));
        oldestFirst.subList(0, seriesByRegion.size() - REGIONS).forEach(entry -> seriesByRegion.remove(entry.getKey()));
    }

    /** The last samples of this region, oldest first; empty ones where it was not known. None where it is not followed. */
    public List<OptionalDouble> of(EncodedRegionName region) {
        Series series = seriesByRegion.get(region);
        List<OptionalDouble> oldestFirst = new ArrayList<>();
        if (series == null) {
            return oldestFirst;
        }
        for (long sample = Math.max(0, samples - SAMPLES); sample < samples; sample++) {
            float value = series.requestsPerSecond[(int) (sample % SAMPLES)];
            oldestFirst.add(Float.isNaN(value) ? OptionalDouble.empty() : OptionalDouble.of(value));
        }
        return oldestFirst;
    }

    /** How many regions are followed. */
    int size() {
        return seriesByRegion.size();
    }
}
