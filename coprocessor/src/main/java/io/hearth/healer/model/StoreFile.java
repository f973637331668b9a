// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.healer.model;

import io.hearth.healer.model.DataNode.StorageType;
import java.util.Collections;
import java.util.List;

/**
 * A store file of a region and its blocks. Immutable; ordered by path.
 *
 * @param path the absolute path in HDFS, without scheme and authority
 * @param replication the number of replicas that each block should have
 * @param striped erasure coded: its blocks have no replicas
 * @param complete closed by its writer
 * @param wantedTypes the storage types that the file's storage policy wants for a block's replicas, one for each; sorted
 * @param modifiedMs when it was written, in milliseconds since 1970 by the NameNode's clock
 * @param blocks in the order of the file
 */
public record StoreFile(
        String path,
        int replication,
        boolean striped,
        boolean complete,
        List<StorageType> wantedTypes,
        long modifiedMs,
        List<BlockReplicas> blocks)
        implements Comparable<StoreFile> {

    public StoreFile {
        wantedTypes = wantedTypes.stream().sorted().toList();
        blocks = List.copyOf(blocks);
    }

    /** An old file. */
    public StoreFile(
            String path,
            int replication,
            boolean striped,
            boolean complete,
            List<StorageType> wantedTypes,
            List<BlockReplicas> blocks) {
        this(path, replication, striped, complete, wantedTypes, 0, blocks);
    }

    /** An old file under HDFS's default policy, HOT: every replica on disk. */
    public StoreFile(String path, int replication, boolean striped, boolean complete, List<BlockReplicas> blocks) {
        this(path, replication, striped, complete, Collections.nCopies(replication, StorageType.DISK), blocks);
    }

    /** The same file with its blocks elsewhere. */
    public StoreFile withBlocks(List<BlockReplicas> others) {
        return new StoreFile(path, replication, striped, complete, wantedTypes, modifiedMs, others);
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
