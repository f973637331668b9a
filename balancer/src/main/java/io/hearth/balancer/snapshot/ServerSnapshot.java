package io.hearth.balancer.snapshot;

import io.hearth.common.model.ServerId;

/**
 * One server that may serve regions, as the planner sees it. Immutable.
 *
 * @param rack the rack that its host is in; {@link #UNKNOWN_RACK} where it is not known, which tells nothing apart
 * @param capacity how much of every load it can take against the other servers, above 0: a server of capacity 2 has twice
 *     the fair share of a server of capacity 1
 * @param target whether it may be given regions; it may always give them away
 */
public record ServerSnapshot(ServerId server, String rack, double capacity, boolean target) {

    /** The rack of a host that nobody has said anything about. */
    public static final String UNKNOWN_RACK = "";

    public ServerSnapshot {
        if (!(capacity > 0) || Double.isInfinite(capacity)) {
            throw new IllegalArgumentException(
                    "The capacity of " + server + " is " + capacity + ": it must be finite and above 0.");
        }
    }

    /** A server that may be given regions. */
    public ServerSnapshot(ServerId server, String rack, double capacity) {
        this(server, rack, capacity, true);
    }

    /** The same server, which may only give regions away. */
    public ServerSnapshot notATarget() {
        return new ServerSnapshot(server, rack, capacity, false);
    }

    /** A server like any other, in a rack that is not known. */
    public static ServerSnapshot of(ServerId server) {
        return new ServerSnapshot(server, UNKNOWN_RACK, 1);
    }
}
