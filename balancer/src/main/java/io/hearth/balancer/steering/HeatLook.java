package io.hearth.balancer.steering;

import io.hearth.balancer.load.RegionId;
import java.util.OptionalDouble;

/** Says how hot a region is now. Thread-safe. */
@FunctionalInterface
public interface HeatLook {

    /** Reads and writes of this region, not weighted by its table, in requests per second; empty where unknown. */
    OptionalDouble requestsPerSecond(RegionId region);
}
