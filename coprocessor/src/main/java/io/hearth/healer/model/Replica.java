// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.healer.model;

import java.util.Comparator;

/** One replica of a block: the DataNode that holds it and the kind of storage it lies on. Immutable; ordered by DataNode. */
public record Replica(DataNode node, StorageType storageType) implements Comparable<Replica> {

    private static final Comparator<Replica> ORDER =
            Comparator.comparing(Replica::node).thenComparing(Replica::storageType);

    @Override
    public int compareTo(Replica other) {
        return ORDER.compare(this, other);
    }
}
