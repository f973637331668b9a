package io.hearth.balancer.plan;

import io.hearth.balancer.load.LoadVector;
import io.hearth.balancer.load.RegionId;
import io.hearth.balancer.load.ServerId;
import io.hearth.balancer.load.TableId;
import java.util.Optional;

/**
 * One region that is to be served elsewhere, and why. Immutable.
 *
 * @param load the region's load as it counts in the plan
 * @param because what the move is for
 * @param merit what it gains and costs
 * @param runnerUp what would have been done otherwise; empty where there was no other choice
 * @param swappedFor the region that goes the other way for the sake of this move; empty for a move alone
 */
public record PlannedMove(
        RegionId region,
        TableId table,
        LoadVector load,
        ServerId from,
        ServerId to,
        Concern because,
        MoveMerit merit,
        Optional<RunnerUp> runnerUp,
        Optional<RegionId> swappedFor) {}
