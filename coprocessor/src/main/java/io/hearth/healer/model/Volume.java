// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.healer.model;

/**
 * A storage directory of a DataNode, usually a disk, as the DataNode last reported it to the NameNode. Immutable.
 *
 * @param id the storage ID, which stays with the directory across restarts
 * @param healthy whether it takes and keeps replicas: false once it has failed or may only be read
 * @param capacityBytes net of what {@code dfs.datanode.du.reserved} keeps for others
 * @param usedBytes bytes of replicas
 * @param remainingBytes bytes that are left for replicas
 */
public record Volume(
        String id, StorageType type, boolean healthy, long capacityBytes, long usedBytes, long remainingBytes) {}
