// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.datanode.deletion;

import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;

/** The DataNode's replicas and volumes, as far as the deletion delay needs them. */
public interface Replicas {

    /** The storage ID of the volume of this finalized replica; empty where there is none. */
    Optional<String> volumeOf(ReplicaId replica);

    /** Whether a client on this host holds the replica's files open, by short circuit; true where that can't be known. */
    boolean isHeldOpen(ReplicaId replica);

    /** The free bytes of this volume; empty where they can't be known. */
    OptionalLong freeBytes(String volume);

    /** Deletes these replicas of one block pool now, as stock HDFS does; the implementation logs what fails. */
    void delete(String blockPool, List<PendingDeletion> deletions);

    /** One replica of a DataNode: a block of a block pool in one generation. Immutable. */
    record ReplicaId(String blockPool, long blockId, long generationStamp) {}

    /**
     * The deletion of one replica that the NameNode has ordered and that waits here. Immutable.
     *
     * @param replica which one
     * @param bytes its length as the NameNode gave it
     * @param volume the storage ID of the volume that it is on
     * @param sinceMs when it was ordered, by the clock that is handed in
     */
    record PendingDeletion(ReplicaId replica, long bytes, String volume, long sinceMs) {}
}
