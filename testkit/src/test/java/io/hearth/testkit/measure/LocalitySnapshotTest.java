// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.testkit.measure;

import static org.assertj.core.api.Assertions.assertThat;

import io.hearth.testkit.measure.LocalitySnapshot.RegionBlocks;
import io.hearth.testkit.measure.LocalitySnapshot.StoreFileBlock;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

class LocalitySnapshotTest {
    private static final int MB = 1 << 20;

    private final StoreFileBlock local = block(1, MB, Map.of("h1", "r1", "h3", "r2", "h4", "r2"));
    private final StoreFileBlock remote = block(2, MB / 2, Map.of("h2", "r1", "h3", "r2", "h4", "r2"));
    private final LocalitySnapshot localitySnapshot = new LocalitySnapshot(List.of(
            new RegionBlocks("b", "h2", List.of(remote)),
            new RegionBlocks("a", "h1", List.of(local, remote)),
            new RegionBlocks("empty", "h5", List.of())));

    @Test
    void a_block_is_local_when_a_replica_is_on_the_host_that_serves_its_region() {
        assertThat(localitySnapshot.bytes()).isEqualTo(2 * MB);
        assertThat(localitySnapshot.nonLocalBytes()).isEqualTo(MB / 2);
        assertThat(localitySnapshot.nonLocalBlocks()).isEqualTo(1);
        assertThat(localitySnapshot.locality()).isEqualTo(0.75);
    }

    @Test
    void locality_is_weighted_by_bytes_for_each_host_and_whole_where_there_are_none() {
        assertThat(localitySnapshot.localityByHost())
                .containsExactly(Map.entry("h1", 2 / 3.0), Map.entry("h2", 1.0), Map.entry("h5", 1.0));
        assertThat(localitySnapshot.bytesByHost())
                .containsEntry("h1", MB * 3L / 2)
                .containsEntry("h5", 0L);
    }

    @Test
    void a_part_of_the_census_concerns_its_regions_only() {
        assertThat(localitySnapshot.of(Set.of("b")).regions())
                .extracting(RegionBlocks::region)
                .containsExactly("b");
        assertThat(localitySnapshot.of(Set.of("b")).locality()).isEqualTo(1);
    }

    @Test
    void one_byte_away_is_not_all_local() {
        LocalitySnapshot large = new LocalitySnapshot(List.of(new RegionBlocks(
                "a", "h1", List.of(block(1, 1L << 40, Map.of("h1", "r1")), block(2, 1, Map.of("h2", "r1"))))));

        assertThat(large.locality()).isLessThan(1);
    }

    @Test
    void blocks_that_were_there_before_are_compared_and_the_others_counted() {
        BlockSnapshot before = blocks(local, remote);
        StoreFileBlock onOneRack = block(2, MB / 2, Map.of("h3", "r2", "h4", "r2"));
        StoreFileBlock added = block(3, MB, Map.of("h1", "r1", "h2", "r1", "h3", "r2"));

        assertThat(blocks(onOneRack, added).since(before)).isEqualTo(new BlockSnapshot.Comparison(1, 1, 1, 1, 0, 1));
    }

    @Test
    void a_move_within_the_racks_loses_nothing() {
        StoreFileBlock moved = block(1, MB, Map.of("h2", "r1", "h3", "r2", "h4", "r2"));

        assertThat(blocks(moved).since(blocks(local))).isEqualTo(new BlockSnapshot.Comparison(1, 0, 0, 0, 0, 0));
    }

    @Test
    void corrupt_blocks_are_counted() {
        StoreFileBlock corrupt = new StoreFileBlock(1, MB, 3, true, new TreeMap<>());

        assertThat(blocks(corrupt).since(blocks(local))).isEqualTo(new BlockSnapshot.Comparison(1, 0, 0, 1, 1, 1));
    }

    private static BlockSnapshot blocks(StoreFileBlock... blocks) {
        return BlockSnapshot.of(new LocalitySnapshot(List.of(new RegionBlocks("a", "h1", List.of(blocks)))));
    }

    private static StoreFileBlock block(long id, long bytes, Map<String, String> rackByHost) {
        return new StoreFileBlock(id, bytes, 3, false, new TreeMap<>(rackByHost));
    }
}
