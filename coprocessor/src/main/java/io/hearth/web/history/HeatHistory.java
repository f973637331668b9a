package io.hearth.web.history;

import io.hearth.balancer.load.RegionId;
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
public final class HeatHistory {

    /** An hour of samples a minute apart. */
    public static final int SAMPLES = 60;

    /** Several times as many as the page shows, so that one that comes and goes keeps its past. */
    static final int REGIONS = 500;

    private static final class Track {

        private final float[] requestsPerSecond = new float[SAMPLES];
        private long lastHot;

        Track() {
            Arrays.fill(requestsPerSecond, Float.NaN);
        }
    }

    private final Map<RegionId, Track> tracks = new HashMap<>();
    private long samples;

    /**
     * Takes a sample.
     *
     * @param hottest the regions that are hottest now
     * @param requestsPerSecond what a region has now; empty where that is not known
     */
    public void sample(Collection<RegionId> hottest, Function<RegionId, OptionalDouble> requestsPerSecond) {
        hottest.stream()
                .limit(REGIONS)
                .forEach(region -> tracks.computeIfAbsent(region, first -> new Track()).lastHot = samples);
        forgetTheColdest();
        int slot = (int) (samples % SAMPLES);
        tracks.forEach((region, track) -> track.requestsPerSecond[slot] =
                (float) requestsPerSecond.apply(region).orElse(Double.NaN));
        samples++;
    }

    private void forgetTheColdest() {
        if (tracks.size() <= REGIONS) {
            return;
        }
        List<Map.Entry<RegionId, Track>> oldestFirst = new ArrayList<>(tracks.entrySet());
        oldestFirst.sort(Comparator.<Map.Entry<RegionId, Track>>comparingLong(entry -> entry.getValue().lastHot)
                .thenComparing(Map.Entry::getKey));
        oldestFirst.subList(0, tracks.size() - REGIONS).forEach(entry -> tracks.remove(entry.getKey()));
    }

    /** The last samples of this region, oldest first; empty ones where it was not known. None where it is not followed. */
    public List<OptionalDouble> of(RegionId region) {
        Track track = tracks.get(region);
        List<OptionalDouble> oldestFirst = new ArrayList<>();
        if (track == null) {
            return oldestFirst;
        }
        for (long sample = Math.max(0, samples - SAMPLES); sample < samples; sample++) {
            float value = track.requestsPerSecond[(int) (sample % SAMPLES)];
            oldestFirst.add(Float.isNaN(value) ? OptionalDouble.empty() : OptionalDouble.of(value));
        }
        return oldestFirst;
    }

    /** How many regions are followed. */
    int size() {
        return tracks.size();
    }
}
