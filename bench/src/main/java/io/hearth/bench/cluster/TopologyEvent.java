// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.bench.cluster;

/** What happens to the hosts of the cluster. */
public enum TopologyEvent {
    CRASH("crash of a RegionServer"),
    RETURNED("it is back"),
    HOST_ADDED("an empty host is added");

    private final String description;

    TopologyEvent(String description) {
        this.description = description;
    }

    public String description() {
        return description;
    }
}
