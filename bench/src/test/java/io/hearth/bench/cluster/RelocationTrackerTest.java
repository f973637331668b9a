// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.bench.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import io.hearth.bench.cluster.VariantResult.TimeSeriesPoint;
import io.hearth.testkit.measure.LocalitySnapshot;
import io.hearth.testkit.measure.LocalitySnapshot.RegionBlocks;
import io.hearth.testkit.measure.LocalitySnapshot.StoreFileBlock;
import java.util.List;
import java.util.Set;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

class RelocationTrackerTest {

    private static final long SECOND = 1_000_000_000L;
    private static final long EVENT = 50 * SECOND;

    private final RelocationTracker seen = new RelocationTracker(localitySnapshot("host1", "host1"), EVENT);

    /** Two regions of ten bytes each: the first has one block on that host, the other is served by host2 and stays local. */
    private static LocalitySnapshot localitySnapshot(String servedBy, String blockOn) {
        return new LocalitySnapshot(List.of(region("moves", servedBy, blockOn), region("stays", "host2", "host2")));
    }

    private static RegionBlocks region(String name, String host, String blockOn) {
        TreeMap<String, String> racks = new TreeMap<>();
        racks.put(blockOn, "/rack1");
        return new RegionBlocks(name, host, List.of(new StoreFileBlock(name.hashCode(), 10, 1, false, racks)));
    }

    @Test
    void regionsThatHaveMovedAreSeenWithWhatWasAwayWhenTheyArrived() {
        seen.add(EVENT + SECOND, localitySnapshot("host1", "host1"));
        seen.add(EVENT + 2 * SECOND, localitySnapshot("host3", "host1"));
        seen.add(EVENT + 3 * SECOND, localitySnapshot("host3", "host1"));
        seen.add(EVENT + 4 * SECOND, localitySnapshot("host3", "host3"));

        assertThat(seen.moved()).containsExactly("moves");
        assertThat(seen.sinceNanos()).isEqualTo(EVENT + 2 * SECOND);
        assertThat(seen.nonLocalBytes()).isEqualTo(10);
        assertThat(seen.locality(Set.of("moves")))
                .containsExactly(
                        new TimeSeriesPoint(1, 1),
                        new TimeSeriesPoint(2, 0),
                        new TimeSeriesPoint(3, 0),
                        new TimeSeriesPoint(4, 1));
    }

    @Test
    void whereNothingMovesAllIsInPlaceSinceTheFirstLook() {
        seen.add(EVENT + SECOND, localitySnapshot("host1", "host1"));
        seen.add(EVENT + 2 * SECOND, localitySnapshot("host1", "host1"));

        assertThat(seen.moved()).isEmpty();
        assertThat(seen.sinceNanos()).isEqualTo(EVENT + SECOND);
        assertThat(seen.nonLocalBytes()).isZero();
    }
}
