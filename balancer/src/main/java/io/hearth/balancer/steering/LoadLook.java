package io.hearth.balancer.steering;

import io.hearth.balancer.load.LoadVector;
import io.hearth.balancer.load.RegionId;
import io.hearth.balancer.load.TableId;
import java.util.Optional;

/**
 * Tells the load of a region, in the measure of plans: per second and in bytes, weighed by its table. Asked under the lock of
 * {@link Steering}, which it must not need.
 */
@FunctionalInterface
public interface LoadLook {

    /** Its load now; empty where that is not known, or nobody serves it. */
    Optional<LoadVector> load(RegionId region, TableId table);
}
