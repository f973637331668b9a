// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package org.apache.hadoop.hbase.master.balancer;

import io.hearth.balancer.locality.RefreshQueue;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.LongSupplier;
import org.apache.hadoop.hbase.client.RegionInfo;
import org.apache.hbase.thirdparty.com.google.common.util.concurrent.ThreadFactoryBuilder;
import org.jspecify.annotations.NullMarked;

/**
 * The threads that ask about what waits in a queue, at the queue's pace: never more than {@value #THREADS}, none while there is
 * nothing to do. While the NameNode can't be asked they leave, and what waits goes on waiting. Thread-safe.
 */
@NullMarked
final class LocalityRefreshPool {

    /** Each listing takes milliseconds, and a hundred regions a second are asked about by default. */
    private static final int THREADS = 2;

    private static final int IDLE_SECONDS = 10;

    private final RefreshQueue<RegionInfo> queue;
    private final BlockLocations locations;
    private final LongSupplier nowMs;
    private final AtomicInteger running = new AtomicInteger();
    private final ExecutorService executor;

    LocalityRefreshPool(
            RefreshQueue<RegionInfo> queue, BlockLocations locations, LongSupplier nowMs, ExecutorService threads) {
        this.queue = queue;
        this.locations = locations;
        this.nowMs = nowMs;
        executor = threads;
    }

    /** Threads for one pool, of which none runs while there is nothing to do. */
    static ExecutorService newThreads() {
        ThreadPoolExecutor pool = new ThreadPoolExecutor(
                THREADS,
                THREADS,
                IDLE_SECONDS,
                TimeUnit.SECONDS,
                new LinkedBlockingQueue<>(),
                new ThreadFactoryBuilder()
                        .setDaemon(true)
                        .setNameFormat("hearth-locality-%d")
                        .build());
        pool.allowCoreThreadTimeOut(true);
        return pool;
    }

    /** Ends the threads. */
    void close() {
        executor.shutdownNow();
    }

    /** Sees to it that there are threads at work on what waits. */
    void work() {
        for (int now = running.get(); now < wanted(); now = running.get()) {
            if (running.compareAndSet(now, now + 1)) {
                try {
                    executor.execute(this::runQueued);
                } catch (RejectedExecutionException excluded) {
                    // The balancer was stopped: nobody will ask.
                    running.decrementAndGet();
                    return;
                }
            }
        }
    }

    private int wanted() {
        return hasWork() ? Math.min(THREADS, queue.size()) : 0;
    }

    private boolean hasWork() {
        return queue.size() > 0 && locations.isAskable() && !executor.isShutdown();
    }

    private void runQueued() {
        try {
            while (hasWork()) {
                queue.take(nowMs.getAsLong()).ifPresent(locations::ask);
                long waitMs = queue.waitMs(nowMs.getAsLong());
                if (waitMs > 0) {
                    TimeUnit.MILLISECONDS.sleep(waitMs);
                }
            }
        } catch (InterruptedException excluded) {
            Thread.currentThread().interrupt();
        } finally {
            running.decrementAndGet();
        }
        // What was offered while this thread was leaving.
        work();
    }
}
