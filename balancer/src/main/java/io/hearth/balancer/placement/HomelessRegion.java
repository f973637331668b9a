package io.hearth.balancer.placement;

import io.hearth.balancer.load.LoadVector;
import io.hearth.balancer.load.RegionId;
import io.hearth.balancer.snapshot.LocalBytes;

/**
 * A region without a server. Immutable.
 *
 * @param load the load that it will bring, as it counts
 * @param local which host holds how many of its bytes
 */
public record HomelessRegion(RegionId region, LoadVector load, LocalBytes local) {}
