// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.healer.model;

/** The UUID that names a DataNode for the NameNode, across restarts and changes of address. Immutable; ordered by UUID. */
public record DataNodeId(String uuid) implements Comparable<DataNodeId> {

    @Override
    public int compareTo(DataNodeId other) {
        return uuid.compareTo(other.uuid);
    }

    @Override
    public String toString() {
        return uuid;
    }
}
