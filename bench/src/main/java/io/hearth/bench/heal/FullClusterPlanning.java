// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.bench.heal;

import io.hearth.balancer.heat.RegionHeat;
import io.hearth.common.model.ExponentialBackoff;
import io.hearth.common.model.LoadVector;
import io.hearth.healer.model.DataNodes;
import io.hearth.healer.model.RegionFiles;
import io.hearth.healer.model.ServedRegion;
import io.hearth.healer.plan.BlockMovePlanner;
import io.hearth.healer.plan.MovePlan;
import io.hearth.healer.plan.PlacementRule.RackRule;
import io.hearth.healer.plan.PlanRequest;
import io.hearth.healer.queue.HealQueue;
import io.hearth.healer.queue.HealQueue.QueueConfig;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.LongSupplier;

/**
 * What it takes to plan a whole cluster, from the first snapshot to every move of every region that is reported remote, in the order of
 * their benefit, all of it held at once. Immutable.
 *
 * @param seconds by the clock
 * @param cpuSeconds processor time of the whole process, garbage collection and compilation included
 * @param listingSeconds what of it the simulated NameNode took to make its answers
 */
public record FullClusterPlanning(
        long regions,
        long moves,
        long bytes,
        long nameNodeCalls,
        double seconds,
        double cpuSeconds,
        double listingSeconds) {

    static final QueueConfig QUEUE_CONFIG = new QueueConfig(1, 0, new ExponentialBackoff(10_000, 3_600_000));

    /** Plans this cluster. */
    public static FullClusterPlanning of(LargeCluster cluster, LongSupplier nanoClock, LongSupplier cpuNanos) {
        long calls = cluster.nameNodeCalls();
        long start = nanoClock.getAsLong();
        long cpuStart = cpuNanos.getAsLong();
        HealQueue queue = new HealQueue();
        BlockMovePlanner planner = new BlockMovePlanner(new RackRule());
        DataNodes nodes = cluster.dataNodes();
        queue.observe(cluster.assignmentSnapshot(), QUEUE_CONFIG, region -> heat(cluster.readsPerSecond(region)), 0);
        List<MovePlan> plans = new ArrayList<>();
        long listingNanos = 0;
        for (Optional<ServedRegion> next = queue.take(0, server -> true);
                next.isPresent();
                next = queue.take(0, server -> true)) {
            ServedRegion region = next.get();
            long asked = nanoClock.getAsLong();
            RegionFiles files = cluster.list(region.region());
            listingNanos += nanoClock.getAsLong() - asked;
            plans.add(
                    planner.plan(PlanRequest.of(region.region(), region.server().host(), files, nodes)));
        }
        long nanos = nanoClock.getAsLong() - start;
        long cpuNanosUsed = cpuNanos.getAsLong() - cpuStart;
        return new FullClusterPlanning(
                plans.size(),
                plans.stream().mapToLong(plan -> plan.moves().size()).sum(),
                plans.stream().mapToLong(MovePlan::bytesToMove).sum(),
                cluster.nameNodeCalls() - calls,
                nanos / 1e9,
                cpuNanosUsed / 1e9,
                listingNanos / 1e9);
    }

    /** What it takes on a machine that does nothing else: no longer than all its processor time one after the other. */
    public double secondsAlone() {
        return Math.min(seconds, cpuSeconds);
    }

    static RegionHeat heat(double readsPerSecond) {
        LoadVector load = LoadVector.ofReads(readsPerSecond);
        return new RegionHeat.Known(load, load);
    }
}
