// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.datanode.cache;

import io.hearth.datanode.cache.BlockKey.ReplicaVersion;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Path;
import java.util.Optional;

/**
 * A client's read of a block that has a part on the SSD. It holds no open file: only the streams do that it makes. For one
 * thread.
 */
public final class CachedRead {

    private final SsdCache cache;
    private final CachedBlock block;
    private final ReplicaMeta meta;
    private final DiskReplica replica;
    private final boolean mayFill;

    CachedRead(SsdCache cache, CachedBlock block, ReplicaMeta meta, DiskReplica replica, boolean mayFill) {
        this.cache = cache;
        this.block = block;
        this.meta = meta;
        this.replica = replica;
        this.mayFill = mayFill;
    }

    public ReplicaVersion version() {
        return block.version();
    }

    /** The bytes of the meta file that {@link #openMeta} has. */
    public long metaLength() {
        return meta.length();
    }

    /** The meta file, which the caller closes. */
    public InputStream openMeta() {
        return new CachedMetaStream(cache, block, meta, replica);
    }

    /**
     * The block's data, which the caller closes.
     *
     * @throws IOException where the disk fails, if that is needed
     */
    public CachedBlockReader openData() throws IOException {
        return CachedBlockReader.open(cache, block, meta, replica, mayFill);
    }

    /** The sparse file on the SSD with the block's data at their own offsets, where the store has such files. It may be gone. */
    public Optional<Path> dataFile() {
        return cache.path(block.dataFile());
    }
}
