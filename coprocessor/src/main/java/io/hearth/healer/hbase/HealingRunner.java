// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.healer.hbase;

import io.hearth.common.hadoop.LinkFailure;
import io.hearth.common.log.RateLimitedLogger;
import io.hearth.healer.core.HealingLoop;
import io.hearth.healer.hbase.HealerUser.HealerLoginException;
import io.hearth.healer.metrics.HealingMetrics;
import io.hearth.healer.metrics.HealingMetrics.HealingCounter;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import java.util.function.LongConsumer;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The thread that drives the healing loop, for as long as the host wants it. A loop that fails is thrown away and made
 * anew after a while: it keeps nothing that can't be seen again. Where another version of HBase or Hadoop explains the failure it would
 * come again, and the thread ends. The thread is a daemon and never lets a failure out.
 */
final class HealingRunner implements Runnable {

    private static final Logger LOG = LoggerFactory.getLogger(HealingRunner.class);
    private static final long BUSY_PAUSE_MS = 20;
    private static final long IDLE_PAUSE_MS = 250;

    /** Word that comes while the thread pauses wakes it once so much has passed: a hundred answers are one turn. */
    private static final long LEAST_PAUSE_MS = 5;

    private static final long MOST_PAUSE_MS = 1_000;
    private static final long FAILURE_PAUSE_MS = 10_000;

    private final Callable<HealingLoop> newLoop;
    private final BooleanSupplier shouldRun;
    private final LongSupplier clockMs;
    private final LongConsumer pauseMs;
    private final Runnable atEnd;
    private final HealingMetrics metrics;
    private final RateLimitedLogger rateLimitedLogger = new RateLimitedLogger(LOG);
    private final Thread thread;
    private volatile boolean stopped;
    private volatile @Nullable LinkageError metElsewhere;
    private boolean leaving;

    /**
     * A runner that has not started.
     *
     * @param shouldRun whether the thread shall go on; asked at every turn
     * @param pauseMs has the thread wait for so long, or until it is unparked: {@link #park}
     * @param atEnd called once when it has ended, for whatever reason
     */
    HealingRunner(
            String name,
            Callable<HealingLoop> newLoop,
            BooleanSupplier shouldRun,
            LongSupplier clockMs,
            LongConsumer pauseMs,
            Runnable atEnd,
            HealingMetrics metrics) {
        this.newLoop = newLoop;
        this.shouldRun = shouldRun;
        this.clockMs = clockMs;
        this.pauseMs = pauseMs;
        this.atEnd = atEnd;
        this.metrics = metrics;
        this.thread = new Thread(this, name);
        this.thread.setDaemon(true);
    }

    void start() {
        thread.start();
    }

    /** Ends the thread before its next turn; returns at once. */
    void stop() {
        stopped = true;
        wake();
    }

    /** Ends the thread before its next turn, since a thread that works for it has met this; returns at once. */
    void rest(LinkageError otherVersion) {
        metElsewhere = otherVersion;
        wake();
    }

    /** Ends what the thread waits for, if it is in a turn. To interrupt a thread in a call to HDFS can take a while. */
    synchronized void interrupt() {
        if (!leaving) {
            thread.interrupt();
        }
    }

    /** From now on no interrupt comes, and one that came is forgotten: it would spoil the last words to HDFS. */
    private synchronized void leave() {
        leaving = true;
        boolean unused = Thread.interrupted();
    }

    /** Makes the next turn come at once. */
    void wake() {
        LockSupport.unpark(thread);
    }

    /** Waits until the thread has ended; returns whether it has. */
    boolean awaitEnd(long mostMs) throws InterruptedException {
        thread.join(mostMs);
        return !thread.isAlive();
    }

    @Override
    public void run() {
        LOG.info("{} runs.", thread.getName());
        turn();
        leave();
        try {
            atEnd.run();
        } catch (Throwable failure) {
            failed(failure);
        }
        LOG.info("{} has ended.", thread.getName());
    }

    private void turn() {
        HealingLoop loop = null;
        while (shouldContinue()) {
            LinkageError met = metElsewhere;
            if (met != null && isLinkFailure(met)) {
                return;
            }
            try {
                loop = loop == null ? newLoop.call() : loop;
                boolean hasWorked = loop.doWork(clockMs.getAsLong()) > 0;
                pause(loop.idleMs(hasWorked ? BUSY_PAUSE_MS : IDLE_PAUSE_MS, clockMs.getAsLong()));
            } catch (Throwable failure) {
                loop = null;
                if (isLinkFailure(failure)) {
                    return;
                }
                failed(failure);
                pause(FAILURE_PAUSE_MS);
            }
        }
    }

    private boolean isLinkFailure(Throwable failure) {
        Optional<String> why = LinkFailure.of(failure);
        why.ifPresent(missing -> {
            metrics.add(HealingCounter.LOOP_FAILURES, 1);
            LOG.error("Healing rests until the process is started again: {}", missing);
        });
        return why.isPresent();
    }

    private boolean shouldContinue() {
        try {
            return !stopped && shouldRun.getAsBoolean();
        } catch (Throwable failure) {
            failed(failure);
            return false;
        }
    }

    private void failed(Throwable failure) {
        if (!stopped) {
            metrics.add(HealingCounter.LOOP_FAILURES, 1);
            boolean saysAll = failure instanceof HealerLoginException;
            rateLimitedLogger.warn(
                    "loop",
                    "The healing loop failed and starts afresh in " + FAILURE_PAUSE_MS + " ms"
                            + (saysAll ? ": " + failure.getMessage() : ""),
                    saysAll ? null : failure,
                    clockMs.getAsLong());
        }
    }

    /** An interrupt that is not meant to end the thread is forgotten: with it no pause would pause. */
    private void pause(long ms) {
        if (!stopped) {
            boolean unused = Thread.interrupted();
            pauseMs.accept(ms);
        }
    }

    /**
     * Waits for so long, or until the thread is unparked.
     *
     * @param stretch how many times longer than set, at least 1; {@value #MOST_PAUSE_MS} ms at most by this, since the lock is confirmed by
     *     turns
     */
    static void park(long ms, int stretch) {
        long leastMs = LEAST_PAUSE_MS * stretch;
        long wholeMs = Math.max(ms, Math.min(ms * stretch, MOST_PAUSE_MS));
        try {
            Thread.sleep(leastMs);
        } catch (InterruptedException stopping) {
            Thread.currentThread().interrupt();
            return;
        }
        if (wholeMs > leastMs) {
            LockSupport.parkNanos((wholeMs - leastMs) * 1_000_000);
        }
    }
}
