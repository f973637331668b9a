package io.hearth.balancer.placement;

import io.hearth.balancer.load.LoadVector;
import io.hearth.balancer.load.ServerId;

/**
 * A server that may be given regions, with what it has. Immutable.
 *
 * @param load the load of the regions that it has
 * @param regions how many regions it has
 * @param arrivals how many of them were given to it so lately that its last report does not show them
 * @param capacity how much load it can take against the other servers, above 0
 */
public record ServerRoom(ServerId server, LoadVector load, int regions, int arrivals, double capacity) {

    /** A server of capacity 1 to which nothing was given lately. */
    public ServerRoom(ServerId server, LoadVector load, int regions) {
        this(server, load, regions, 0, 1);
    }

    public ServerRoom {
        if (!(capacity > 0) || Double.isInfinite(capacity)) {
            throw new IllegalArgumentException(
                    "The capacity of " + server + " is " + capacity + ": it must be finite and above 0.");
        }
    }
}
