// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.testkit.measure;

import io.hearth.testkit.measure.LocalitySnapshot.StoreFileBlock;
import java.util.Collections;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * Every block of the table's store files at one moment, by its id.
 *
 * @param blocksById sorted, immutable
 */
public record BlockSnapshot(SortedMap<Long, StoreFileBlock> blocksById) {

    public BlockSnapshot {
        blocksById = Collections.unmodifiableSortedMap(new TreeMap<>(blocksById));
    }

    /** The blocks of a locality snapshot. */
    public static BlockSnapshot of(LocalitySnapshot localitySnapshot) {
        SortedMap<Long, StoreFileBlock> blocksById = new TreeMap<>();
        localitySnapshot.regions().forEach(region -> region.blocks()
                .forEach(block -> blocksById.put(block.blockId(), block)));
        return new BlockSnapshot(blocksById);
    }

    /** What became of the blocks of an earlier snapshot by the time of this one. */
    public Comparison since(BlockSnapshot earlier) {
        int kept = 0;
        int racksLost = 0;
        for (StoreFileBlock then : earlier.blocksById.values()) {
            StoreFileBlock now = blocksById.get(then.blockId());
            if (now != null) {
                kept++;
                racksLost += now.racks() < then.racks() ? 1 : 0;
            }
        }
        return new Comparison(
                kept,
                earlier.blocksById.size() - kept,
                blocksById.size() - kept,
                racksLost,
                (int) blocksById.values().stream()
                        .filter(StoreFileBlock::corrupt)
                        .count(),
                (int) blocksById.values().stream()
                        .filter(block -> block.replicas() != block.replication())
                        .count());
    }

    /**
     * An earlier snapshot and a later one, compared block by block.
     *
     * @param kept blocks that are in both
     * @param removed blocks of the earlier one whose file a compaction has replaced since
     * @param added blocks of the later one that flushes and compactions have written since
     * @param racksLost kept blocks that span fewer racks than before
     * @param corrupt blocks of the later one without a replica that can be read
     * @param notAtReplication blocks of the later one with more or fewer replicas than asked for
     */
    public record Comparison(int kept, int removed, int added, int racksLost, int corrupt, int notAtReplication) {}
}
