// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.testkit.measure;

import static org.assertj.core.api.Assertions.assertThat;

import io.hearth.testkit.measure.LocalitySnapshot.RegionBlocks;
import io.hearth.testkit.measure.LocalitySnapshot.StoreFileBlock;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

class RemoteBlockTrackerTest {

    @Test
    void what_is_away_on_arrival_counts_also_when_it_has_become_local() {
        RemoteBlockTracker tracker = new RemoteBlockTracker(sample("h1", block(1, "h1", "h3"), block(2, "h1", "h2")));
        tracker.sample(sample("h2", block(1, "h1", "h3"), block(2, "h1", "h2")));
        assertThat(tracker.nonLocalBytes()).isEqualTo(100);
        assertThat(tracker.arrivedRegions().locality()).isEqualTo(0.5);

        tracker.sample(sample("h2", block(1, "h2", "h3"), block(2, "h1", "h2")));
        assertThat(tracker.nonLocalBytes()).isEqualTo(100);
        assertThat(tracker.nonLocalBlocks()).isEqualTo(1);
        assertThat(tracker.arrivedRegions().locality()).as("as it arrived").isEqualTo(0.5);
    }

    @Test
    void a_region_that_moves_on_unhealed_counts_once_and_one_that_was_healed_counts_twice() {
        RemoteBlockTracker tracker = new RemoteBlockTracker(sample("h1", block(1, "h1"), block(2, "h1")));
        tracker.sample(sample("h2", block(1, "h1"), block(2, "h1")));
        tracker.sample(sample("h3", block(1, "h2"), block(2, "h1")));

        assertThat(tracker.nonLocalBlocks())
                .as("block 1 to h2, blocks 1 and 2 to h3")
                .isEqualTo(3);
        assertThat(tracker.arrivedRegions().regions())
                .extracting(RegionBlocks::host)
                .containsExactly("h3");
    }

    @Test
    void a_block_that_was_rewritten_before_it_came_counts_no_more() {
        RemoteBlockTracker tracker = new RemoteBlockTracker(sample("h1", block(1, "h1")));
        tracker.sample(sample("h2", block(1, "h1")));
        tracker.sample(sample("h2", block(7, "h2")));

        assertThat(tracker.nonLocalBytes()).isZero();
    }

    @Test
    void a_replica_that_was_doomed_on_arrival_counts_when_it_is_gone() {
        RemoteBlockTracker tracker = new RemoteBlockTracker(sample("h1", block(1, "h1", "h2")));
        tracker.sample(sample("h2", block(1, "h1", "h2")));
        tracker.sample(sample("h2", block(1, "h1")));

        assertThat(tracker.nonLocalBlocks()).isEqualTo(1);
    }

    @Test
    void regions_that_stay_do_not_arrive() {
        RemoteBlockTracker tracker = new RemoteBlockTracker(sample("h1", block(1, "h1")));
        tracker.sample(sample("h1", block(1, "h1")));

        assertThat(tracker.arrivedRegions().regions()).isEmpty();
    }

    private static LocalitySnapshot sample(String host, StoreFileBlock... blocks) {
        return new LocalitySnapshot(List.of(new RegionBlocks("r", host, new ArrayList<>(List.of(blocks)))));
    }

    private static StoreFileBlock block(long id, String... hosts) {
        TreeMap<String, String> rackByHost = new TreeMap<>();
        for (String host : hosts) {
            rackByHost.put(host, "/rack1");
        }
        return new StoreFileBlock(id, 100, hosts.length, false, rackByHost);
    }
}
