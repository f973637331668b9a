// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.bench.heal;

import io.hearth.balancer.heat.RegionHeat;
import io.hearth.common.model.EncodedRegionName;
import io.hearth.healer.config.HealingSettings.HealingConfig;
import io.hearth.healer.core.HealerServices;
import io.hearth.healer.core.HealerServices.StoreFiles;
import io.hearth.healer.core.HealerState;
import io.hearth.healer.core.HealingLoop;
import io.hearth.healer.lock.HealerLock;
import io.hearth.healer.lock.HealerLock.LockHolder;
import io.hearth.healer.lock.HealerLockManager;
import io.hearth.healer.model.BlockMove;
import io.hearth.healer.model.DataNode;
import io.hearth.healer.model.RegionFiles;
import io.hearth.healer.model.ServedRegion;
import io.hearth.healer.model.StoreFile;
import io.hearth.healer.move.BlockMover;
import io.hearth.healer.move.MoveExecutor.MoveThreadPool;
import io.hearth.healer.plan.PlacementRule.RackRule;
import io.hearth.healer.queue.PollHints;
import io.hearth.healer.spi.Assignments;
import io.hearth.healer.spi.FileBlocks;
import io.hearth.healer.spi.Observed;
import java.time.Clock;
import java.time.Instant;
import java.time.InstantSource;
import java.time.ZoneOffset;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import java.util.function.Supplier;

/**
 * The healing loop that ships, turn by turn on simulated time against a {@link SimulatedHdfs}. Time passes in the NameNode's
 * calls and between two turns; that a turn takes CPU is measured and moves no clock, so that a seed always gives the same
 * turns. Not thread-safe.
 */
final class SimulatedLoop {

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

    /** Milliseconds of CPU that turns took in the loop itself, the simulated HDFS left out. Immutable. */
    record TurnCpu(int turns, double medianMs, double p99Ms, double maxMs, double sumMs) {

        static TurnCpu of(long[] nanos) {
            long[] sorted = nanos.clone();
            Arrays.sort(sorted);
            return new TurnCpu(
                    sorted.length,
                    percentile(sorted, 0.5),
                    percentile(sorted, 0.99),
                    percentile(sorted, 1),
                    Arrays.stream(sorted).sum() / 1e6);
        }

        private static double percentile(long[] sorted, double share) {
            return sorted.length == 0 ? 0 : sorted[(int) Math.ceil(share * sorted.length) - 1] / 1e6;
        }
    }

    private final SimulatedTime time;
    private final SimulatedHdfs hdfs;
    private final Assignments assignments;
    private final HealingConfig config;
    private final Waiting waiting;
    private final HealObserver observer;
    private final LongSupplier cpuNanos;
    private final HealingLoop loop;
    private long[] turnNanos = new long[1 << 12];
    private int turns;
    private long outsideNanos;
    private boolean answered;

    /**
     * @param observer told of all that the loop does
     * @param cpuNanos CPU of this thread so far
     */
    SimulatedLoop(
            SimulatedTime time,
            SimulatedHdfs hdfs,
            Assignments assignments,
            HealingConfig config,
            Waiting waiting,
            HealObserver observer,
            LongSupplier cpuNanos) {
        this.time = time;
        this.hdfs = hdfs;
        this.assignments = assignments;
        this.config = config;
        this.waiting = waiting;
        this.observer = observer;
        this.cpuNanos = cpuNanos;
        this.loop = newLoop();
    }

    /** What the turns took so far. */
    TurnCpu cpu() {
        return TurnCpu.of(Arrays.copyOf(turnNanos, turns));
    }

    /** One turn, and the pause after it. */
    void turn() {
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
                asked -> List.of(),
                (region, family) -> Optional.of("nothing is compacted here"),
                SimulatedHdfs.CONFIRM_SECONDS,
                clock());
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
            return outside(assignments::snapshot);
        }

        @Override
        public RegionHeat heat(EncodedRegionName region) {
            return assignments.heat(region);
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

    private Clock clock() {
        InstantSource now = () -> NOON.plusMillis(time.nowMs());
        return now.withZone(ZoneOffset.UTC);
    }
}
