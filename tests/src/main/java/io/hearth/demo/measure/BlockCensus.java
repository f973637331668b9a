package io.hearth.demo.measure;

import java.util.Collections;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * Every block of the table's store files at one moment, by its id.
 *
 * @param blocksById sorted, immutable
 */
public record BlockCensus(SortedMap<Long, BlockReplicas> blocksById) {

    public BlockCensus {
        blocksById = Collections.unmodifiableSortedMap(new TreeMap<>(blocksById));
    }

    /** The blocks of a locality census. */
    public static BlockCensus of(LocalityCensus census) {
        SortedMap<Long, BlockReplicas> blocksById = new TreeMap<>();
        census.regions().forEach(region -> region.blocks().forEach(block -> blocksById.put(block.blockId(), block)));
        return new BlockCensus(blocksById);
    }

    /** What became of the blocks of an earlier census by the time of this one. */
    public Comparison since(BlockCensus earlier) {
        int kept = 0;
        int racksLost = 0;
        for (BlockReplicas then : earlier.blocksById.values()) {
            BlockReplicas now = blocksById.get(then.blockId());
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
                        .filter(BlockReplicas::corrupt)
                        .count(),
                (int) blocksById.values().stream()
                        .filter(block -> block.replicas() != block.replication())
                        .count());
    }

    /**
     * An earlier census and a later one, compared block by block.
     *
     * @param kept blocks that are in both
     * @param gone blocks of the earlier one whose file a compaction has replaced since
     * @param fresh blocks of the later one that flushes and compactions have written since
     * @param racksLost kept blocks that span fewer racks than before
     * @param corrupt blocks of the later one without a replica that can be read
     * @param notAtReplication blocks of the later one with more or fewer replicas than asked for
     */
    public record Comparison(int kept, int gone, int fresh, int racksLost, int corrupt, int notAtReplication) {}
}
