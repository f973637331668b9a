// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.bench.heal;

import io.hearth.bench.heal.SimulatedHdfs.Machines;
import io.hearth.bench.heal.SimulatedLoop.TurnCpu;
import io.hearth.bench.heal.SimulatedLoop.Waiting;
import io.hearth.common.model.EncodedRegionName;
import io.hearth.healer.config.HealingSettings.HealingConfig;
import io.hearth.healer.estimate.HealEstimate;
import io.hearth.healer.estimate.HealEstimator;
import io.hearth.healer.estimate.HealEstimator.NameNodeCost;
import io.hearth.healer.metrics.HealLimit;
import io.hearth.healer.metrics.HealingMetrics.HealingCounter;
import io.hearth.healer.model.BlockMove;
import io.hearth.healer.model.DataNode;
import io.hearth.healer.move.TrackedMove.MoveState;
import io.hearth.healer.spi.NameNodeUsage;
import io.hearth.healer.throttle.BatchSize;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import java.util.function.Predicate;

/**
 * A heal of a synthetic cluster by the healing loop that ships, with its queue, throttle, planner, executor and verifier, on
 * simulated time against a {@link SimulatedHdfs}. Used once; not thread-safe.
 */
final class SimulatedHeal {

    /**
     * What came of it. Immutable.
     *
     * @param remoteBlocks those that were not local in the beginning
     * @param endsByState how many moves ended how
     * @param time how long it took
     * @param turns what the loop's turns cost
     * @param nameNode what the loop asked of the NameNode
     * @param shareByLimit what kept the next move from starting, by share of the time; the longest first
     */
    record Result(
            int remoteBlocks,
            long remoteBytes,
            Map<MoveState, Integer> endsByState,
            HealTime time,
            TurnCpu turns,
            NameNodeUse nameNode,
            Map<HealLimit, Double> shareByLimit) {

        int moves(MoveState end) {
            return endsByState.getOrDefault(end, 0);
        }

        boolean isComplete() {
            return moves(MoveState.VERIFIED) == remoteBlocks;
        }
    }

    /**
     * Simulated seconds from the loop's first turn on. Immutable.
     *
     * @param confirmedSeconds until the NameNode had confirmed the last move, or until the time allowed was over
     * @param localSeconds until the last block was local
     * @param leastSeconds what no schedule of these moves can go below
     * @param confirmedShare the share of the remote bytes that were confirmed to be local then
     * @param confirmedMsByTarget when the last move to each DataNode was confirmed
     */
    record HealTime(
            double confirmedSeconds,
            double localSeconds,
            double leastSeconds,
            double confirmedShare,
            Map<DataNode, Long> confirmedMsByTarget) {

        double timesLeast() {
            return confirmedSeconds / leastSeconds;
        }

        /** Until the last move to one of these DataNodes was confirmed. */
        double secondsOf(Predicate<DataNode> which) {
            return confirmedMsByTarget.entrySet().stream()
                            .filter(target -> which.test(target.getKey()))
                            .mapToLong(Map.Entry::getValue)
                            .max()
                            .orElse(0)
                    / 1e3;
        }
    }

    /** Calls of the NameNode, the milliseconds that they and the longest of them took, and the blocks that they healed. Immutable. */
    record NameNodeUse(long calls, double ms, double longestMs, int healedBlocks) {

        double callsPerBlock() {
            return (double) calls / Math.max(1, healedBlocks);
        }

        double msPerBlock() {
            return ms / Math.max(1, healedBlocks);
        }
    }

    private final SimulatedTime time = new SimulatedTime();
    private final SimulatedRegions regions;
    private final SimulatedHdfs hdfs;
    private final HealObserver observer = new HealObserver();
    private final SimulatedLoop loop;

    /** @param cpuNanos CPU of this thread so far */
    SimulatedHeal(
            LargeCluster cluster, Machines machines, HealingConfig config, Waiting waiting, LongSupplier cpuNanos) {
        this.regions = new SimulatedRegions(cluster, time);
        this.hdfs = new SimulatedHdfs(cluster, machines, time, regions::copied);
        this.loop = new SimulatedLoop(time, hdfs, regions, config, waiting, observer, cpuNanos);
    }

    SimulatedHdfs hdfs() {
        return hdfs;
    }

    HealObserver observer() {
        return observer;
    }

    SimulatedRegions regions() {
        return regions;
    }

    /** Heals everything, or as much as can be healed in this time. */
    Result run(double mostSeconds) {
        long endMicros = (long) (mostSeconds * 1e6);
        while (observer.ended(MoveState.VERIFIED) < regions.remoteBlocks() && time.nowMicros() < endMicros) {
            loop.turn();
        }
        return new Result(
                regions.remoteBlocks(),
                regions.remoteBytes(),
                observer.endsByState(),
                new HealTime(
                        time.nowMicros() / 1e6,
                        regions.localSinceMicros() / 1e6,
                        hdfs.leastSeconds(regions.remoteBytesByHost()),
                        (double) observer.confirmedBytes() / regions.remoteBytes(),
                        observer.confirmedMsByTarget()),
                loop.cpu(),
                new NameNodeUse(
                        hdfs.usage().calls(),
                        hdfs.usage().micros() / 1e3,
                        hdfs.longestCallMicros() / 1e3,
                        observer.ended(MoveState.VERIFIED)),
                observer.shareByLimit());
    }

    /** Turns for so many seconds, whatever there is to do; returns what all turns have taken. */
    TurnCpu turns(double seconds) {
        long endMicros = time.nowMicros() + (long) (seconds * 1e6);
        while (time.nowMicros() < endMicros) {
            loop.turn();
        }
        return loop.cpu();
    }

    /**
     * What the moves of all regions will take, as a dry run tells it.
     *
     * @param config one in which nothing is moved
     * @param machines what the DataNodes say that they allow
     */
    static HealEstimate dryRun(
            LargeCluster cluster, Machines machines, HealingConfig config, Consumer<SimulatedHdfs> change) {
        SimulatedHeal heal = new SimulatedHeal(cluster, machines, config, Waiting.WOKEN, () -> 0);
        change.accept(heal.hdfs);
        while (heal.observer.advisedByRegion().size()
                < heal.regions.remoteRegions().size()) {
            heal.loop.turn();
        }
        NameNodeUsage usage = heal.hdfs.usage();
        Map<EncodedRegionName, List<BlockMove>> movesByRegion = heal.observer.advisedByRegion();
        List<BlockMove> moves =
                movesByRegion.values().stream().flatMap(List::stream).toList();
        return new HealEstimator(config.limits(), heal.hdfs::allowance, SimulatedHdfs.CONFIRM_SECONDS)
                .estimate(
                        moves,
                        NameNodeCost.of(
                                usage.calls(),
                                usage.micros(),
                                heal.observer.count(HealingCounter.REGIONS_LISTED),
                                movesByRegion.size(),
                                BatchSize.MOST));
    }
}
