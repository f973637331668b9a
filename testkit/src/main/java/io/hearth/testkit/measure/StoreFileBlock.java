// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.testkit.measure;

import java.util.Collections;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * One block of a store file and where the NameNode says that its replicas are.
 *
 * @param blockId the NameNode's id, unique in its block pool
 * @param bytes length of the block
 * @param replication how many replicas its file asks for
 * @param corrupt whether the NameNode knows of no replica that can be read
 * @param rackByHost rack of every host that holds a replica; sorted, immutable
 */
public record StoreFileBlock(
        long blockId, long bytes, int replication, boolean corrupt, SortedMap<String, String> rackByHost) {

    public StoreFileBlock {
        rackByHost = Collections.unmodifiableSortedMap(new TreeMap<>(rackByHost));
    }

    /** Whether a replica lies on this host. */
    public boolean isOn(String host) {
        return rackByHost.containsKey(host);
    }

    /** On how many hosts it lies. */
    public int replicas() {
        return rackByHost.size();
    }

    /** How many racks it spans. */
    public int racks() {
        return (int) rackByHost.values().stream().distinct().count();
    }
}
