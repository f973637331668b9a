// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.datanode.cache;

import io.hearth.datanode.cache.BlockKey.ReplicaVersion;

/** The DataNode's volume map, as far as the sweep of the cache needs it. Thread-safe. */
@FunctionalInterface
public interface ReplicaLookup {

    /** Whether the DataNode has this replica, finalized and with this generation stamp and length. */
    Presence presenceOf(ReplicaVersion version);

    /** What a DataNode knows of a replica. */
    enum Presence {
        /** It is there. */
        CURRENT,
        /** It is not there, or it is another one. */
        GONE,
        /** Its block pool is not loaded yet, so nobody knows. */
        UNKNOWN
    }
}
