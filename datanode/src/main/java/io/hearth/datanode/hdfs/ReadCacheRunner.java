// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.datanode.hdfs;

import io.hearth.common.hadoop.LinkFailure;
import io.hearth.common.log.RateLimitedLogger;
import io.hearth.datanode.cache.IsolatedPageStoreFactory;
import io.hearth.datanode.cache.LocalPageStore;
import io.hearth.datanode.cache.PageStoreFactory;
import io.hearth.datanode.cache.ReadCache;
import io.hearth.datanode.cache.ReplicaLookup;
import io.hearth.datanode.cache.SsdCache;
import io.hearth.datanode.config.ReadCacheSettings;
import io.hearth.datanode.config.ReadCacheSettings.Mode;
import io.hearth.datanode.config.ReadCacheSettings.ReadCacheConfig;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import java.util.function.LongSupplier;
import org.apache.hadoop.metrics2.MetricsSource;
import org.apache.hadoop.metrics2.lib.DefaultMetricsSystem;
import org.apache.hadoop.util.Daemon;
import org.apache.hadoop.util.ShutdownHookManager;
import org.apache.hadoop.util.Time;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The read cache of one DataNode at work: its threads, its metrics, and the shutdown hook that saves the restart index, because a
 * DataNode that gets a SIGTERM does not shut its dataset down.
 *
 * <p>One thread opens and restores the folder and does what waits for the SSD. It may hang with it. Another one watches it, reads the
 * configuration again and gives up old counts; a third fills whole blocks. A folder is opened when the mode is first on, or
 * when an earlier process has left something there, and stays open in other modes, in which its blocks go with their replicas. One that
 * can't be opened is tried again every minute.
 *
 * <p>Thread-safe. Nothing is thrown: what fails is logged, and the disks are read.
 */
public final class ReadCacheRunner {

    private static final Logger LOG = LoggerFactory.getLogger(ReadCacheRunner.class);

    private static final long TURN_MS = 500;
    private static final long MINUTE_MS = 60_000;
    private static final long HOUR_MS = 3_600_000;
    private static final long AWAIT_END_MS = 10_000;

    /** Before those of HDFS's own. */
    private static final int HOOK_PRIORITY = 50;

    private final LiveDataNodeConfig config;
    private final boolean isRollback;
    private final ReplicaLookup replicas;
    private final ReadCache cache;
    private final PageStoreFactory stores;
    private final RateLimitedLogger rateLimitedLogger = new RateLimitedLogger(LOG);
    private final CountDownLatch stopped = new CountDownLatch(1);
    private final CountDownLatch closed = new CountDownLatch(1);
    private final Runnable hook = this::end;

    /** Of the thread that works with the SSD. */
    private Optional<Path> openFolder = Optional.empty();

    private long retryMs;
    private long sweptMs;
    private long cleanedMs;

    /** It does nothing yet. */
    ReadCacheRunner(LiveDataNodeConfig config, boolean isRollback, ReplicaLookup replicas, long nowMs) {
        this(config, isRollback, replicas, nowMs, System::nanoTime);
    }

    /** @param nanoTime the clock of the cache */
    ReadCacheRunner(
            LiveDataNodeConfig config, boolean isRollback, ReplicaLookup replicas, long nowMs, LongSupplier nanoTime) {
        this.config = config;
        this.isRollback = isRollback;
        this.replicas = replicas;
        this.cache = new ReadCache(config::readCache, nanoTime);
        this.stores = config.alluxioFolder().map(ReadCacheRunner::alluxio).orElse(LocalPageStore::open);
        this.retryMs = nowMs;
        this.sweptMs = nowMs;
        this.cleanedMs = nowMs;
    }

    /** Never another store in its place: where it can't be had the SSD is left alone, and the log says why. */
    private static PageStoreFactory alluxio(Path jars) {
        return new IsolatedPageStoreFactory(
                jars, ReadCacheSettings.ALLUXIO_DIRECTORY.key(), "hearth-datanode-alluxio.jar");
    }

    /**
     * Starts it; waits for nothing.
     *
     * @param config is refreshed by its thread
     * @param isRollback whether the DataNode goes back to an earlier state, of which nothing that is cached can be
     */
    public static ReadCacheRunner start(LiveDataNodeConfig config, boolean isRollback, ReplicaLookup replicas) {
        ReadCacheRunner runner = new ReadCacheRunner(config, isRollback, replicas, Time.monotonicNow());
        runner.registerMetrics();
        ShutdownHookManager.get().addShutdownHook(runner.hook, HOOK_PRIORITY);
        start("hearth-read-cache", runner::workOnSsd);
        start("hearth-read-cache-watch", runner::watch);
        start("hearth-read-cache-fills", runner::fillBlocks);
        return runner;
    }

    private static void start(String name, Runnable work) {
        Daemon thread = new Daemon(work);
        thread.setName(name);
        thread.start();
    }

    private void registerMetrics() {
        MetricsSource metrics = new ReadCacheMetrics(cache.counts(), cache::status);
        try {
            DefaultMetricsSystem.instance()
                    .register(
                            ReadCacheMetrics.NAME,
                            "The read cache on an SSD",
                            // An error of one source would end the thread that asks all of the DataNode's.
                            (MetricsSource)
                                    (collector, all) -> attempt("metrics", () -> metrics.getMetrics(collector, all)));
        } catch (RuntimeException noMetrics) {
            failed("metrics", noMetrics);
        }
    }

    /** The cache, for reads and for replicas that go. */
    public ReadCache cache() {
        return cache;
    }

    /** Logs that the read cache failed at this. */
    public void failed(String what, Throwable failure) {
        LinkFailure.warn(
                rateLimitedLogger,
                what,
                "The read cache failed at " + what + "; the disks are read.",
                failure,
                System.nanoTime() / 1_000_000);
    }

    private boolean isStopped() {
        return stopped.getCount() == 0;
    }

    /** Whether it goes on, after a pause of so many milliseconds. */
    private boolean pause(long ms) {
        try {
            return !stopped.await(ms, TimeUnit.MILLISECONDS);
        } catch (InterruptedException nobodysBusiness) {
            return !isStopped();
        }
    }

    private void workOnSsd() {
        do {
            attempt("its work on the SSD", () -> turn(Time.monotonicNow()));
        } while (pause(TURN_MS));
        attempt("the end of its work on the SSD", cache::close);
        closed.countDown();
    }

    /** Does on the SSD what is due. */
    void turn(long nowMs) throws IOException {
        if (nowMs >= retryMs) {
            // Not at every turn, if it fails.
            retryMs = nowMs + MINUTE_MS;
            followFolder();
            retryMs = nowMs;
        }
        Optional<SsdCache> ssd = cache.ssd();
        if (ssd.isPresent()) {
            ssd.get().turn();
            if (nowMs - sweptMs >= MINUTE_MS) {
                sweptMs = nowMs;
                ssd.get().sweep(replicas);
            }
            if (nowMs - cleanedMs >= HOUR_MS) {
                cleanedMs = nowMs;
                ssd.get().removeUnknownFiles(this::isStopped);
            }
        }
    }

    /**
     * Opens the folder that is configured, if the mode is on or something is there, and closes one that is not configured any more. After
     * an SSD has failed its folder is opened anew.
     */
    private void followFolder() throws IOException {
        ReadCacheConfig now = config.readCache();
        Optional<Path> wanted =
                now.folder().filter(folder -> now.mode() == Mode.ON || isOpen(folder) || hasCopies(folder));
        boolean isBack = cache.ssd().filter(SsdCache::isBackAfterTrip).isPresent();
        if (openFolder.isPresent() && (wanted.isEmpty() || isBack)) {
            openFolder = Optional.empty();
            cache.close();
        }
        if (wanted.isPresent() && !isOpen(wanted.get())) {
            open(wanted.get());
        }
    }

    /** What an earlier process has left goes with its replicas in each mode. */
    private static boolean hasCopies(Path folder) {
        return Files.isDirectory(folder.resolve(SsdCache.FOLDER));
    }

    private boolean isOpen(Path folder) {
        return openFolder.filter(folder::equals).isPresent();
    }

    private void open(Path folder) throws IOException {
        SsdCache fresh = cache.openFolder(folder, stores);
        boolean isReady = false;
        try {
            BooleanSupplier isCancelled = this::isStopped;
            isReady = isRollback ? fresh.wipe(isCancelled) : fresh.restore(isCancelled);
        } finally {
            if (!isReady) {
                fresh.close();
            }
        }
        if (isReady) {
            openFolder = Optional.of(folder);
            cache.use(fresh);
        } else if (!isStopped()) {
            throw new IOException(folder + " could not be read");
        }
    }

    private void watch() {
        long countsSweptMs = Time.monotonicNow();
        while (pause(TURN_MS)) {
            long nowMs = Time.monotonicNow();
            attempt("its configuration", () -> config.refresh(nowMs));
            attempt("its watch", () -> cache.ssd().ifPresent(SsdCache::watch));
            if (nowMs - countsSweptMs >= MINUTE_MS) {
                countsSweptMs = nowMs;
                attempt("old counts", cache::sweepCounts);
            }
        }
    }

    private void fillBlocks() {
        boolean goesOn = true;
        while (goesOn) {
            boolean[] hasFilled = {false};
            attempt("the fill of a block", () -> hasFilled[0] = fillNextBlock());
            goesOn = hasFilled[0] ? !isStopped() : pause(TURN_MS);
        }
    }

    /** Fills one block that waits, as long as the mode is on; returns whether there was one. */
    boolean fillNextBlock() {
        BooleanSupplier isOver = () -> isStopped() || config.readCache().mode() != Mode.ON;
        Optional<SsdCache> ssd = cache.ssd();
        return !isOver.getAsBoolean() && ssd.isPresent() && ssd.get().fillNextBlock(isOver);
    }

    @FunctionalInterface
    private interface Work {
        void run() throws IOException;
    }

    private void attempt(String what, Work work) {
        try {
            work.run();
        } catch (IOException told) {
            rateLimitedLogger.warn(what, "The disks are read, not the SSD: " + told.getMessage(), Time.monotonicNow());
        } catch (Throwable failure) {
            failed(what, failure);
        }
    }

    /**
     * Ends its work and waits until the restart index is saved, for 10 s at most. An interrupt does not shorten that and is kept: a
     * DataNode that stops does so in threads that it has interrupted.
     */
    private void end() {
        stopped.countDown();
        long endMs = Time.monotonicNow() + AWAIT_END_MS;
        boolean isInterrupted = Thread.interrupted();
        boolean isClosed = false;
        while (!isClosed && Time.monotonicNow() < endMs) {
            try {
                isClosed = closed.await(endMs - Time.monotonicNow(), TimeUnit.MILLISECONDS);
            } catch (InterruptedException kept) {
                isInterrupted = true;
            }
        }
        if (!isClosed) {
            LOG.warn(
                    "The SSD of the read cache did not answer within {} ms; what was cached last is lost",
                    AWAIT_END_MS);
        }
        if (isInterrupted) {
            Thread.currentThread().interrupt();
        }
    }

    /** Ends it for good. */
    public void stop() {
        end();
        try {
            ShutdownHookManager.get().removeShutdownHook(hook);
            DefaultMetricsSystem.instance().unregisterSource(ReadCacheMetrics.NAME);
        } catch (RuntimeException | Error failure) {
            failed("its own end", failure);
        }
    }
}
