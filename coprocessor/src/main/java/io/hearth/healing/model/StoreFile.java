package io.hearth.healing.model;

import java.util.List;

/**
 * A store file of a region and its blocks. Immutable; blocks are sorted; ordered by path.
 *
 * @param path the absolute path in HDFS, without scheme and authority
 * @param replication the number of replicas that each block should have
 * @param striped erasure coded: its blocks have no replicas
 * @param complete closed by its writer
 */
public record StoreFile(String path, int replication, boolean striped, boolean complete, List<BlockReplicas> blocks)
        implements Comparable<StoreFile> {

    public StoreFile {
        blocks = blocks.stream().sorted().toList();
    }

    /** The last part of the path. */
    public String name() {
        return path.substring(path.lastIndexOf('/') + 1);
    }

    public long lengthBytes() {
        return blocks.stream().mapToLong(BlockReplicas::lengthBytes).sum();
    }

    @Override
    public int compareTo(StoreFile other) {
        return path.compareTo(other.path);
    }
}
