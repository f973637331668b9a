// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.datanode.deletion;

/**
 * The deletion of one replica that the NameNode has ordered and that waits here. Immutable.
 *
 * @param replica which one
 * @param bytes its length as the NameNode gave it
 * @param volume the storage ID of the volume that it is on
 * @param sinceMs when it was ordered, by the clock that is handed in
 */
public record PendingDeletion(ReplicaId replica, long bytes, String volume, long sinceMs) {}
