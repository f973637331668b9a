// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.bench.heal;

import io.hearth.balancer.heat.RegionHeat;
import io.hearth.bench.heal.SimulatedHdfs.Machines;
import io.hearth.common.model.EncodedRegionName;
import io.hearth.healer.config.HealingSettings.HealingConfig;
import io.hearth.healer.core.HealerServices;
import io.hearth.healer.core.HealerServices.StoreFiles;
import io.hearth.healer.core.HealerState;
import io.hearth.healer.core.HealingLoop;
import io.hearth.healer.estimate.HealEstimate;
import io.hearth.healer.estimate.HealEstimator;
import io.hearth.healer.estimate.HealEstimator.NameNodeCost;
import io.hearth.healer.lock.HealerLock;
import io.hearth.healer.lock.HealerLock.LockHolder;
import io.hearth.healer.lock.HealerLockManager;
import io.hearth.healer.metrics.HealLimit;
import io.hearth.healer.metrics.HealingMetrics.HealingCounter;
import io.hearth.healer.model.BlockMove;
import io.hearth.healer.model.DataNode;
import io.hearth.healer.model.RegionFiles;
import io.hearth.healer.model.ServedRegion;
import io.hearth.healer.model.StoreFile;
import io.hearth.healer.move.BlockMover;
import io.hearth.healer.move.MoveExecutor.MoveThreadPool;
import io.hearth.healer.move.TrackedMove.MoveState;
import io.hearth.healer.plan.PlacementRule.RackRule;
import io.hearth.healer.queue.PollHints;
import io.hearth.healer.spi.Assignments;
import io.hearth.healer.spi.FileBlocks;
import io.hearth.healer.spi.NameNodeUsage;
import io.hearth.healer.spi.Observed;
import java.time.Clock;
import java.time.Instant;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import java.util.function.Predicate;
import java.util.function.Supplier;

/**
 * A heal of a made-up cluster by the healing loop that ships, with its queue, throttle, planner, executor and verifier, on
 * simulated time against a {@link SimulatedHdfs}. Its time passes in the NameNode's calls and between two turns; that a turn takes
 * CPU is measured and moves no clock, so that a seed always gives the same heal. Used once; not thread-safe.
 */
final class SimulatedHeal {

    /** How the runner's thread waits between two turns. */
    enum Waiting {
        /** As in HealingRunner: for so long, whatever happens. */
        POLLS,
        /** An answer of a DataNode ends it; two turns begin 5 ms apart at least. */
        WOKEN
    }

    private static final long BUSY_PAUSE_MICROS = 20_000;
    private static final long IDLE_PAUSE_MICROS = 250_000;
    private static final long BETWEEN_TURNS_MICROS = 5_000;
    private static final Instant NOON = Instant.parse("2026-03-02T12:00:00Z");

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

    /** Milliseconds of CPU that turns took in the loop itself, the simulated HDFS left out. Immutable. */
    record TurnCpu(int turns, double medianMs, double p99Ms, double maxMs) {

        static TurnCpu of(long[] nanos) {
            long[] sorted = nanos.clone();
            Arrays.sort(sorted);
            return new TurnCpu(sorted.length, percentile(sorted, 0.5), percentile(sorted, 0.99), percentile(sorted, 1));
        }

        private static double percentile(long[] sorted, double share) {
            return sorted.length == 0 ? 0 : sorted[(int) Math.ceil(share * sorted.length) - 1] / 1e6;
        }
    }

    private final HealingConfig config;
    private final Waiting waiting;
    private final LongSupplier cpuNanos;
    private final SimulatedTime time = new SimulatedTime();
    private final SimulatedRegions regions;
    private final SimulatedHdfs hdfs;
    private final HealObserver observer;
    private final HealingLoop loop;
    private long[] turnNanos = new long[1 << 12];
    private int turns;
    private long outsideNanos;
    private boolean answered;

    /** @param cpuNanos CPU of this thread so far */
    SimulatedHeal(
            LargeCluster cluster, Machines machines, HealingConfig config, Waiting waiting, LongSupplier cpuNanos) {
        this.config = config;
        this.waiting = waiting;
        this.cpuNanos = cpuNanos;
        this.regions = new SimulatedRegions(cluster, time);
        this.hdfs = new SimulatedHdfs(cluster, machines, time, regions::copied);
        this.observer = new HealObserver();
        this.loop = newLoop();
    }

    SimulatedHdfs hdfs() {
        return hdfs;
    }

    SimulatedRegions regions() {
        return regions;
    }

    /** Heals everything, or as much as can be healed in this time. */
    Result run(double mostSeconds) {
        long endMicros = (long) (mostSeconds * 1e6);
        while (observer.ended(MoveState.VERIFIED) < regions.remoteBlocks() && time.nowMicros() < endMicros) {
            turn();
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
                TurnCpu.of(Arrays.copyOf(turnNanos, turns)),
                new NameNodeUse(
                        hdfs.usage().calls(),
                        hdfs.usage().micros() / 1e3,
                        hdfs.longestCallMicros() / 1e3,
                        observer.ended(MoveState.VERIFIED)),
                observer.shareByLimit());
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
            heal.turn();
        }
        NameNodeUsage usage = heal.hdfs.usage();
        Map<EncodedRegionName, List<BlockMove>> movesByRegion = heal.observer.advisedByRegion();
        List<BlockMove> moves =
                movesByRegion.values().stream().flatMap(List::stream).toList();
        return new HealEstimator(config.limits(), heal.hdfs::allowance)
                .estimate(
                        moves,
                        NameNodeCost.of(
                                usage.calls(),
                                usage.micros(),
                                heal.observer.count(HealingCounter.REGIONS_LISTED),
                                movesByRegion.size()));
    }

    private void turn() {
        long beginMicros = time.nowMicros();
        answered = false;
        observer.turn(time.nowMs());
        outsideNanos = 0;
        long beginNanos = cpuNanos.getAsLong();
        boolean isBusy = loop.doWork(time.nowMs()) > 0;
        note(cpuNanos.getAsLong() - beginNanos - outsideNanos);
        long endMicros = time.nowMicros();
        long pauseMicros = isBusy ? BUSY_PAUSE_MICROS : IDLE_PAUSE_MICROS;
        long nextMicros = endMicros + pauseMicros;
        if (waiting == Waiting.WOKEN) {
            long idleMicros = 1_000 * loop.idleMs(pauseMicros / 1_000, time.nowMs());
            nextMicros = endMicros + Math.max(BETWEEN_TURNS_MICROS, idleMicros);
            time.advanceTo(endMicros + BETWEEN_TURNS_MICROS);
            time.advanceUntil(() -> answered, nextMicros);
        } else {
            time.advanceTo(nextMicros);
        }
        observer.rested(time.nowMicros() - endMicros);
    }

    private void note(long nanos) {
        if (turns == turnNanos.length) {
            turnNanos = Arrays.copyOf(turnNanos, 2 * turns);
        }
        turnNanos[turns++] = nanos;
    }

    private HealingLoop newLoop() {
        HealerServices services = new HealerServices(
                new MeasuredAssignments(),
                new MeasuredFiles(),
                new MeasuredBlocks(),
                hdfs.usage(),
                () -> outside(hdfs::list),
                new RackRule(),
                new MeasuredMover(),
                changed -> {},
                () -> outside(hdfs::probe),
                touched -> List.of(),
                hdfs::allowance,
                (region, family) -> Optional.of("nothing is compacted here"),
                new SimulatedClock());
        HealerLockManager lock = new HealerLockManager(
                HealerLock.UNCONTESTED,
                () -> new LockHolder("bench", "nobody", "nowhere", NOON),
                time::nowMs,
                observer);
        return new HealingLoop(
                services,
                task -> {
                    throw new IllegalStateException("Nobody can wait on simulated time.");
                },
                new PollHints(() -> {}),
                () -> config,
                observer,
                new HealerState(lock, observer));
    }

    /** Leaves what is done here out of the CPU of the turn. */
    private <T> T outside(Supplier<T> work) {
        long beginNanos = cpuNanos.getAsLong();
        T result = work.get();
        outsideNanos += cpuNanos.getAsLong() - beginNanos;
        return result;
    }

    private final class MeasuredAssignments implements Assignments {

        @Override
        public Observed<AssignmentSnapshot> snapshot() {
            return outside(regions::snapshot);
        }

        @Override
        public RegionHeat heat(EncodedRegionName region) {
            return regions.heat(region);
        }
    }

    private final class MeasuredFiles implements StoreFiles {

        @Override
        public Observed<RegionFiles> list(ServedRegion region, long nowMs) {
            return outside(() -> hdfs.list(region, nowMs));
        }

        @Override
        public int prepare(List<ServedRegion> regions, long nowMs) {
            return outside(() -> hdfs.prepare(regions, nowMs));
        }
    }

    private final class MeasuredBlocks implements FileBlocks {

        @Override
        public Observed<StoreFile> locate(String path) {
            return outside(() -> hdfs.locate(path));
        }

        @Override
        public int filesAtATime() {
            return hdfs.filesAtATime();
        }

        @Override
        public List<Observed<StoreFile>> locateAll(List<String> paths) {
            return outside(() -> hdfs.locateAll(paths));
        }
    }

    private final class MeasuredMover implements BlockMover {

        @Override
        public void start(
                BlockMove move, DataNode proxy, long listenMs, MoveThreadPool threads, Consumer<MoveResult> answer) {
            boolean unused = outside(() -> {
                hdfs.start(move, proxy, listenMs, threads, result -> {
                    answered = true;
                    answer.accept(result);
                });
                return true;
            });
        }

        @Override
        public MoveResult move(BlockMove move, DataNode proxy, long listenMs) {
            return hdfs.move(move, proxy, listenMs);
        }

        @Override
        public Optional<String> missingPrivilege() {
            return hdfs.missingPrivilege();
        }
    }

    private final class SimulatedClock extends Clock {

        @Override
        public ZoneId getZone() {
            return ZoneOffset.UTC;
        }

        @Override
        public Clock withZone(ZoneId zone) {
            throw new UnsupportedOperationException("Simulated time knows one zone.");
        }

        @Override
        public Instant instant() {
            return NOON.plusMillis(time.nowMs());
        }
    }
}
