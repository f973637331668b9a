package io.hearth.balancer.steering;

import io.hearth.balancer.load.RegionId;
import io.hearth.balancer.load.ServerId;
import io.hearth.balancer.load.TableId;

/** A move that Hearth has planned and that a person is about to make. Immutable. */
public record Errand(RegionId region, TableId table, ServerId from, ServerId to) {}
