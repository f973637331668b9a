// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.bench.cluster;

import io.hearth.bench.cluster.VariantResult.TimeSeriesPoint;
import io.hearth.testkit.measure.LocalitySnapshot;
import io.hearth.testkit.measure.LocalitySnapshot.RegionBlocks;
import io.hearth.testkit.measure.RemoteBlockTracker;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Collectors;

/**
 * What samples of a table have shown since an event: which regions are elsewhere now, how much of them is local, and how much was not when they
 * arrived. Not thread-safe.
 */
final class RelocationTracker {

    /** @param nanos when it was taken, by {@link System#nanoTime} */
    private record Sample(long nanos, LocalitySnapshot localitySnapshot) {}

    private final Map<String, String> hostsBefore;
    private final RemoteBlockTracker tracker;
    private final List<Sample> samples = new ArrayList<>();
    private final long eventNanos;

    /** @param before the table just before the event */
    RelocationTracker(LocalitySnapshot before, long eventNanos) {
        this.hostsBefore = hosts(before);
        this.tracker = new RemoteBlockTracker(before);
        this.eventNanos = eventNanos;
    }

    static Map<String, String> hosts(LocalitySnapshot localitySnapshot) {
        return localitySnapshot.regions().stream()
                .collect(Collectors.toMap(RegionBlocks::region, RegionBlocks::host, (a, b) -> b, TreeMap::new));
    }

    void add(long nanos, LocalitySnapshot localitySnapshot) {
        tracker.sample(localitySnapshot);
        samples.add(new Sample(nanos, localitySnapshot));
    }

    long nonLocalBytes() {
        return tracker.nonLocalBytes();
    }

    /** The regions that are elsewhere than before the event, by the last sample. */
    Set<String> moved() {
        Set<String> moved = new TreeSet<>();
        last().forEach((region, host) -> {
            if (!host.equals(hostsBefore.get(region))) {
                moved.add(region);
            }
        });
        return moved;
    }

    /** The server of each region, by the last sample. */
    Map<String, String> last() {
        return hosts(samples.get(samples.size() - 1).localitySnapshot());
    }

    /** When the regions came to be as the last sample has them. */
    long sinceNanos() {
        Map<String, String> last = last();
        int sample = samples.size() - 1;
        while (sample > 0 && hosts(samples.get(sample - 1).localitySnapshot()).equals(last)) {
            sample--;
        }
        return samples.get(sample).nanos();
    }

    /** How much of these regions is local, 0 to 1, at each sample. */
    List<TimeSeriesPoint> locality(Set<String> regions) {
        return samples.stream()
                .map(sample -> new TimeSeriesPoint(
                        (sample.nanos() - eventNanos) / 1e9,
                        sample.localitySnapshot().of(regions).locality()))
                .toList();
    }
}
