// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.common.model;

/**
 * The name of a table as HBase prints it: {@code namespace:qualifier}, or the qualifier alone in the default namespace.
 * Immutable; ordered by that name.
 */
public record TableId(String name) implements Comparable<TableId> {

    public TableId {
        if (name.isEmpty()) {
            throw new IllegalArgumentException("A table's name must not be empty.");
        }
    }

    /** Whether HBase keeps it for itself: a table of the namespace {@code hbase}. */
    public boolean isSystemTable() {
        return name.startsWith("hbase:");
    }

    @Override
    public int compareTo(TableId other) {
        return name.compareTo(other.name);
    }

    @Override
    public String toString() {
        return name;
    }
}
