package io.hearth.balancer.search;

import io.hearth.balancer.load.LoadDimension;
import io.hearth.balancer.load.LoadVector;
import io.hearth.balancer.load.RegionId;
import io.hearth.balancer.load.ServerId;
import io.hearth.balancer.load.TableId;

/**
 * One region that is to be served elsewhere, and why. Immutable.
 *
 * @param load the region's load as it counts in the plan
 * @param because the dimension in which {@code from} had most above its share
 */
public record PlannedMove(
        RegionId region, TableId table, LoadVector load, ServerId from, ServerId to, LoadDimension because) {}
