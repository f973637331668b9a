// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.balancer.heat;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.hearth.balancer.heat.ingest.ServerReport.RegionReport;
import io.hearth.common.model.EncodedRegionName;
import io.hearth.common.model.TableId;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Iterator;
import java.util.Map;
import java.util.NoSuchElementException;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class TrackedRegionsTest {

    private static final TableId TABLE = new TableId("t");

    private final TrackedRegions regions = new TrackedRegions();

    private RegionLoadTracker add(long high, long low) {
        RegionLoadTracker tracker = new RegionLoadTracker(
                new RegionNameHash(high, low),
                TABLE,
                new RegionReport(new EncodedRegionName(high + "-" + low), TABLE, 0, 0, 0));
        regions.add(tracker);
        return tracker;
    }

    @Test
    void aRegionIsFoundByBothHalvesOfItsName() {
        RegionLoadTracker one = add(1, 2);
        RegionLoadTracker sameHash = add(2, 1);

        assertThat(regions.get(new RegionNameHash(1, 2))).isSameAs(one);
        assertThat(regions.get(new RegionNameHash(2, 1))).isSameAs(sameHash);
        assertThat(regions.get(new RegionNameHash(1, 1))).isNull();
        assertThat(regions.get(new RegionNameHash(3, 0))).as("of the same hash").isNull();
        assertThat(regions).containsExactlyInAnyOrder(one, sameHash);
    }

    @Test
    void afterTheLastRegionThereIsNone() {
        add(1, 2);
        Iterator<RegionLoadTracker> iterator = regions.iterator();
        iterator.next();

        assertThat(iterator.hasNext()).isFalse();
        assertThatThrownBy(iterator::next).isInstanceOf(NoSuchElementException.class);
    }

    @Test
    void whereNoRegionGoesNothingIsSaidToHaveGone() {
        add(1, 2);

        assertThat(regions.removeIf(tracker -> false)).isFalse();
        assertThat(regions.removeIf(tracker -> true)).isTrue();
        assertThat(regions).isEmpty();
        assertThat(regions.get(new RegionNameHash(1, 2))).isNull();
    }

    /** Names of few values collide much; those of all bits as MD5's do. */
    @ParameterizedTest
    @ValueSource(ints = {8, 200, Integer.MAX_VALUE})
    void itIsWhatAHashMapIs(int values) {
        for (long seed = 1; seed <= 20; seed++) {
            Random random = new Random(seed);
            Map<RegionNameHash, RegionLoadTracker> expected = new HashMap<>();
            regions.removeIf(tracker -> true);
            for (int step = 0; step < 600; step++) {
                RegionNameHash name = new RegionNameHash(random.nextInt(values), random.nextInt(values));
                assertThat(regions.get(name)).as("seed %d", seed).isSameAs(expected.get(name));
                if (!expected.containsKey(name)) {
                    expected.put(name, add(name.high(), name.low()));
                }
                if (step % 97 == 96) {
                    Set<RegionLoadTracker> gone = new HashSet<>();
                    expected.values().stream()
                            .filter(one -> random.nextInt(3) > 0)
                            .forEach(gone::add);
                    expected.values().removeAll(gone);
                    regions.removeIf(gone::contains);
                }
                assertThat(regions.size()).as("seed %d", seed).isEqualTo(expected.size());
            }
            assertThat(regions).as("seed %d", seed).containsExactlyInAnyOrderElementsOf(expected.values());
        }
    }
}
