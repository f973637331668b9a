package io.hearth.web.model;

import io.hearth.balancer.load.ServerId;
import java.util.List;

/**
 * One RegionServer with what it reported last. Immutable.
 *
 * @param rack empty where it is not known
 * @param capacity how much load it can take against the others, above 0
 */
public record SeenServer(ServerId server, String rack, double capacity, List<SeenRegion> regions) {

    public SeenServer {
        regions = List.copyOf(regions);
    }
}
