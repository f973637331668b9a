// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.balancer.placement;

import io.hearth.common.model.LoadVector;
import io.hearth.common.model.ServerId;
import java.util.List;

/**
 * A server that may be given regions, with what it has. Immutable.
 *
 * @param load the load of the regions that it has
 * @param regions how many regions it has
 * @param arrivals how many of them were given to it so lately that its last report does not show them
 * @param capacity how much load it can take against the other servers, above 0
 * @param hottest the loads of its hottest regions: one that is above a fair share alone says nothing of what is fair for others
 */
public record ServerHeadroom(
        ServerId server, LoadVector load, int regions, int arrivals, double capacity, List<LoadVector> hottest) {

    /** A server without a region that is above a fair share alone. */
    public ServerHeadroom(ServerId server, LoadVector load, int regions, int arrivals, double capacity) {
        this(server, load, regions, arrivals, capacity, List.of());
    }

    /** A server of capacity 1 to which nothing was given lately. */
    public ServerHeadroom(ServerId server, LoadVector load, int regions) {
        this(server, load, regions, 0, 1);
    }

    public ServerHeadroom {
        hottest = List.copyOf(hottest);
        if (!(capacity > 0) || Double.isInfinite(capacity)) {
            throw new IllegalArgumentException(
                    "The capacity of " + server + " is " + capacity + ": it must be finite and above 0.");
        }
    }
}
