/**
 * A read cache for block data on an SSD: which blocks are worth it, which pages of them are there, and bytes that are verified before
 * a client gets them. It starts no thread and reads no clock; of the DataNode it knows {@link io.hearth.datanode.cache.DiskReplica}
 * and {@link io.hearth.datanode.cache.ReplicaLookup}.
 */
@NullMarked
package io.hearth.datanode.cache;

import org.jspecify.annotations.NullMarked;
