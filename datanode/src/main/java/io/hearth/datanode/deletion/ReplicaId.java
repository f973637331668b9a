// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.datanode.deletion;

/** One replica of a DataNode: a block of a block pool in one generation. Immutable. */
public record ReplicaId(String blockPool, long blockId, long generationStamp) {}
