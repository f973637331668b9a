package io.hearth.web.model;

import io.hearth.balancer.load.ServerId;
import java.util.List;

/**
 * One RegionServer with what it reported last. Immutable.
 *
 * @param rack empty where it is not known
 * @param capacity how much load it can take against the others, above 0
 * @param isDraining whether it is decommissioned or on the draining list: it has no fair share, and plans do not count it
 */
public record SeenServer(ServerId server, String rack, double capacity, List<SeenRegion> regions, boolean isDraining) {

    /** One that serves as ever. */
    public SeenServer(ServerId server, String rack, double capacity, List<SeenRegion> regions) {
        this(server, rack, capacity, regions, false);
    }

    public SeenServer {
        regions = List.copyOf(regions);
    }
}
