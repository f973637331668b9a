// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.healer.hbase;

import io.hearth.common.log.RateLimitedLogger;
import io.hearth.healer.config.HealingSettings.HealingConfig;
import io.hearth.healer.core.BandwidthRaise;
import io.hearth.healer.core.HealerServices;
import io.hearth.healer.core.HealerServices.DataNodeAllowance;
import io.hearth.healer.core.HealerServices.RegionCompactor;
import io.hearth.healer.core.HealerState;
import io.hearth.healer.core.HealerState.HealListener;
import io.hearth.healer.core.HealingLoop;
import io.hearth.healer.core.PausePersister;
import io.hearth.healer.hdfs.HdfsAdapter;
import io.hearth.healer.hdfs.HdfsPorts;
import io.hearth.healer.lock.HealerLockManager;
import io.hearth.healer.lock.HealerLockManager.LockState;
import io.hearth.healer.model.DataNode;
import io.hearth.healer.model.ServedRegion;
import io.hearth.healer.move.MoveExecutor.MoveThreadPool;
import io.hearth.healer.queue.PollHints;
import io.hearth.healer.throttle.BatchSize;
import java.io.IOException;
import java.time.Clock;
import java.time.ZoneId;
import java.util.Collection;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.SynchronousQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.LongConsumer;
import java.util.function.LongSupplier;
import java.util.function.UnaryOperator;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.client.RegionInfo;
import org.apache.hadoop.hbase.util.Bytes;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Healing in one process, wired together: configuration, metrics, hints, HDFS, the lock, the loop's thread and the threads
 * that wait for DataNodes. Started and stopped once. Thread-safe; nothing here blocks but {@link #awaitEnd}: HDFS is asked,
 * and left, by the loop's thread.
 */
public final class HealingEngine {

    private static final Logger LOG = LoggerFactory.getLogger(HealingEngine.class);
    private static final long END_MS = 20_000;

    /** How long a thread without a move stays: between the moves of one heal, not from heal to heal. */
    private static final long IDLE_THREAD_MS = 15_000;

    private static final AtomicInteger NUMBER = new AtomicInteger();

    private final HealerRuntime runtime;
    private final LongSupplier clockMs;
    private final HealingMetricRegistry metrics = new HealingMetricRegistry();
    private final LiveConfig config;
    private final HealerHdfsClient hdfs;
    private final HealerState healerState;
    private final PausePersister pausePersister;
    private final HealingRunner runner;
    private final PollHints hints;
    private final ExecutorService moveThreadPool;
    private final Runnable atEnd;
    private final RateLimitedLogger rateLimitedLogger = new RateLimitedLogger(LOG);
    private volatile @Nullable HdfsPorts adapter;
    private volatile boolean started;
    private volatile boolean stopped;

    /**
     * An engine that has not started.
     *
     * @param override what is made of the host's configuration before it holds
     * @param listener hears what is found and done
     * @param atEnd called once when the loop's thread has ended, for whatever reason
     */
    public HealingEngine(
            HealerRuntime runtime, UnaryOperator<HealingConfig> override, HealListener listener, Runnable atEnd) {
        this(runtime, override, listener, OptionalLong.empty(), atEnd);
    }

    /**
     * The same with a bandwidth of block moves to which all DataNodes are raised for as long as it heals.
     *
     * @param raiseTo bytes per second; empty for what DataNodes allow by themselves
     */
    public HealingEngine(
            HealerRuntime runtime,
            UnaryOperator<HealingConfig> override,
            HealListener listener,
            OptionalLong raiseTo,
            Runnable atEnd) {
        this(
                runtime,
                override,
                listener,
                raiseTo,
                atEnd,
                HdfsAdapter::to,
                () -> System.nanoTime() / 1_000_000,
                ms -> HealingRunner.park(ms, runtime.stretch()));
    }

    /**
     * The same with another HDFS, another clock and other pauses.
     *
     * @param opener asked by the loop's thread when that first needs HDFS
     * @param clockMs a clock that does not go back
     * @param pauseMs has the loop's thread wait for so long, or until it is unparked
     */
    HealingEngine(
            HealerRuntime runtime,
            UnaryOperator<HealingConfig> override,
            HealListener listener,
            OptionalLong raiseTo,
            Runnable atEnd,
            HdfsPorts.Opener opener,
            LongSupplier clockMs,
            LongConsumer pauseMs) {
        this.runtime = runtime;
        this.atEnd = atEnd;
        this.clockMs = clockMs;
        this.config = new LiveConfig(runtime.configuration(), override, metrics);
        // As many threads as the executor has slots for; its own limits are the bound.
        this.moveThreadPool =
                new ThreadPoolExecutor(
                        0,
                        Integer.MAX_VALUE,
                        IDLE_THREAD_MS,
                        TimeUnit.MILLISECONDS,
                        new SynchronousQueue<>(),
                        this::moveThread) {
                    @Override
                    public void execute(Runnable task) {
                        super.execute(() -> runLinked(task));
                    }
                };
        this.hdfs = new HealerHdfsClient(runtime, Clock.systemUTC(), moveThreadPool, opener);
        this.healerState = new HealerState(
                new HealerLockManager(hdfs, hdfs::self, clockMs, metrics),
                listener,
                new BandwidthRaise(hdfs, raiseTo),
                runtime::brake,
                runtime::stretch);
        this.pausePersister = new PausePersister(healerState.pauseSwitch(), hdfs);
        this.runner = new HealingRunner(
                runtime.name(), this::newLoop, this::shouldRun, clockMs, pauseMs, this::ended, metrics);
        this.hints = new PollHints(runner::wake);
        this.healerState.pauseSwitch().onChange(() -> {
            healerState.bandwidthRaise().lookAgain();
            runner.wake();
        });
    }

    private Thread moveThread(Runnable task) {
        Thread thread = new Thread(task, runtime.name() + "-move-" + NUMBER.incrementAndGet());
        thread.setDaemon(true);
        return thread;
    }

    /** What HBase or Hadoop lacks for a task is missing the next time too, and healing rests. */
    private void runLinked(Runnable task) {
        try {
            task.run();
        } catch (LinkageError otherVersion) {
            runner.rest(otherVersion);
        }
    }

    /** Begins to heal; the second time, or after a stop, it does nothing and returns false. */
    public synchronized boolean start() {
        if (started || stopped) {
            return false;
        }
        started = true;
        runner.start();
        return true;
    }

    /**
     * Starts no further move, and ends soon; returns at once. What may take a while, to interrupt threads that wait for HDFS
     * and to see them end, is left to a thread of its own. The second time it does nothing.
     */
    public synchronized void stop() {
        if (!stopped) {
            stopped = true;
            runner.stop();
            Thread ending = new Thread(this::end, runtime.name() + "-end");
            ending.setDaemon(true);
            ending.start();
        }
    }

    private void end() {
        runner.interrupt();
        moveThreadPool.shutdownNow();
        try {
            if (!runner.awaitEnd(END_MS)) {
                LOG.warn(
                        "Healing has not ended within {} ms: a call to HDFS is not answered. No move starts any more, and"
                                + " the lock expires by itself.",
                        END_MS);
            }
        } catch (InterruptedException stopping) {
            Thread.currentThread().interrupt();
        }
    }

    /** Waits until the loop's thread has ended and has given the lock back; returns whether it has. */
    public boolean awaitEnd(long mostMs) throws InterruptedException {
        return runner.awaitEnd(mostMs);
    }

    public boolean isStarted() {
        return started;
    }

    public boolean isStopped() {
        return stopped;
    }

    /** Where word is left that something happened. */
    public PollHints hints() {
        return hints;
    }

    /** Has the settings read again from the host's configuration. */
    public void reloadConfiguration() {
        reloadConfiguration(runtime.configuration());
    }

    /** Has the settings read again from a configuration in the place of the host's. */
    public void reloadConfiguration(Configuration now) {
        config.reload(now);
        hints.leave();
    }

    /** What holds now. */
    public HealingConfig config() {
        return config.get();
    }

    public HealingMetricRegistry metrics() {
        return metrics;
    }

    /** The time of the clock that does not go back, in milliseconds. */
    public long nowMs() {
        return clockMs.getAsLong();
    }

    public HealerState healerState() {
        return healerState;
    }

    /**
     * What DataNodes allow of block moves, once these have been asked; waits for them.
     *
     * @throws IllegalStateException if the loop's thread has not reached HDFS
     */
    public DataNodeAllowance askAllowance(Collection<DataNode> nodes) {
        HdfsPorts open = open();
        try {
            return open.askAllowance(nodes);
        } catch (InterruptedException hurry) {
            Thread.currentThread().interrupt();
            return open.allowance();
        }
    }

    /**
     * How long after its copy a move is usually confirmed, in seconds.
     *
     * @throws IllegalStateException if the loop's thread has not reached HDFS
     */
    public double confirmSeconds() {
        return open().confirmSeconds();
    }

    private HdfsPorts open() {
        HdfsPorts open = adapter;
        if (open == null) {
            throw new IllegalStateException("Healing has not reached HDFS.");
        }
        return open;
    }

    /** About how many files one call of the NameNode asks at most: 1 where it has no call for several. */
    public int filesPerCall() {
        HdfsPorts open = adapter;
        return open == null || open.fileBlocks().filesAtATime() == 1 ? 1 : BatchSize.MOST;
    }

    /** The modes of the tables as they are now. */
    TableHealingModes tableHealingModes() {
        return new TableHealingModes(runtime.configuration(), runtime.tables(), config::report);
    }

    private boolean shouldRun() {
        long nowMs = clockMs.getAsLong();
        try {
            hdfs.keepLoggedIn(nowMs);
        } catch (Throwable failure) {
            rateLimitedLogger.warn(
                    "login", "Healing's Kerberos ticket could not be renewed; it is tried again", failure, nowMs);
        }
        pausePersister.persist(nowMs);
        return runtime.shouldRun();
    }

    private HealingLoop newLoop() throws IOException {
        healerState.listener().startedOver();
        HdfsPorts hdfsAdapter = hdfs.adapter();
        adapter = hdfsAdapter;
        pausePersister.restore();
        HealerServices services = new HealerServices(
                runtime.assignments(metrics, config::report),
                new RegionStoreFiles(
                        hdfsAdapter.storeDirectories(),
                        runtime.tables(),
                        runtime.regions(),
                        hdfsAdapter.rootDir(),
                        hdfsAdapter.pinsFavoredReplicas() && runtime.usesFavoredNodes()),
                hdfsAdapter.fileBlocks(),
                hdfsAdapter.nameNodeUsage(),
                hdfsAdapter.dataNodes(),
                hdfsAdapter.placementRule(),
                hdfsAdapter.mover(),
                runtime.blocksMovedListener(),
                hdfsAdapter.nameNodeProbe(),
                new ReadLatencyProbe(runtime, moveThreadPool),
                hdfsAdapter.allowance(),
                hdfsAdapter.prober(),
                new AdminRegionCompactor(runtime),
                hdfsAdapter.confirmSeconds(),
                Clock.system(ZoneId.systemDefault()));
        MoveThreadPool threads = moveThreadPool::execute;
        return new HealingLoop(services, threads.thenDo(runner::wake), hints, config, metrics, healerState);
    }

    private void ended() {
        stop();
        healerState.bandwidthRaise().end(healerState.lockManager().state() == LockState.HELD);
        try {
            hdfs.close();
        } catch (IOException | RuntimeException failure) {
            LOG.info("HDFS could not be left in order: {}", failure.toString());
        }
        atEnd.run();
    }

    /** Asks RegionServers for major compactions, by the host's own connection. Thread-safe. */
    private static final class AdminRegionCompactor implements RegionCompactor {

        private final HealerRuntime runtime;

        AdminRegionCompactor(HealerRuntime runtime) {
            this.runtime = runtime;
        }

        @Override
        public Optional<String> compact(ServedRegion region, String family) {
            Optional<RegionInfo> known =
                    runtime.regions().region(region.region().encodedName());
            if (known.isEmpty()) {
                return Optional.of("the region is gone");
            }
            try (Admin admin = runtime.connection().getAdmin()) {
                admin.majorCompactRegion(known.get().getRegionName(), Bytes.toBytes(family));
                return Optional.empty();
            } catch (IOException | RuntimeException failure) {
                return Optional.of(failure.toString().lines().findFirst().orElse(""));
            }
        }
    }
}
