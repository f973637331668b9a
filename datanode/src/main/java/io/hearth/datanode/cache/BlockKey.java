// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.datanode.cache;

/** A block of a block pool, in whatever generation: two block pools may use the same block id. Immutable. */
public record BlockKey(String blockPool, long blockId) {

    /** A finalized replica of a block, as the DataNode's volume map has it at one time. Immutable. */
    public record ReplicaVersion(BlockKey key, long generationStamp, long length) {}
}
