// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.slo.hdfs;

import io.hearth.slo.probe.ProbeSender.Answer;
import java.io.Closeable;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.Semaphore;
import java.util.concurrent.SynchronousQueue;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Threads for probes that block, each of which is interrupted once its time limit is over. There are no more than so many: while all of
 * them wait, no probe is taken. Thread-safe.
 */
final class ProbeThreads implements Closeable {

    private static final long IDLE_SECONDS = 30;

    private final Semaphore free;
    private final ThreadPoolExecutor threads;
    private final ScheduledExecutorService timer;

    ProbeThreads(String name, int most) {
        ThreadFactory daemons = task -> {
            Thread thread = new Thread(task, name);
            thread.setDaemon(true);
            return thread;
        };
        free = new Semaphore(most);
        threads = new ThreadPoolExecutor(
                0, Integer.MAX_VALUE, IDLE_SECONDS, TimeUnit.SECONDS, new SynchronousQueue<>(), daemons);
        ScheduledThreadPoolExecutor interrupter = new ScheduledThreadPoolExecutor(1, daemons);
        interrupter.setRemoveOnCancelPolicy(true);
        timer = interrupter;
    }

    /** A probe that blocks its thread. */
    @FunctionalInterface
    interface BlockingProbe {
        Answer ask() throws Exception;
    }

    /**
     * Runs it.
     *
     * @return completes when another probe may take its place
     * @throws RejectedExecutionException if there is no place
     */
    CompletableFuture<Answer> run(BlockingProbe probe, Duration limit) {
        if (!free.tryAcquire()) {
            throw new RejectedExecutionException("all threads wait");
        }
        Run run = new Run(probe);
        threads.execute(run);
        run.interruptAfter(limit);
        return run.answer;
    }

    /** Does this after a while; it must be fast. */
    void after(Duration wait, Runnable what) {
        var unused = timer.schedule(what, wait.toNanos(), TimeUnit.NANOSECONDS);
    }

    /** A probe on its thread; an interrupt reaches no other one. */
    private final class Run implements Runnable {

        private final BlockingProbe probe;
        private final CompletableFuture<Answer> answer = new CompletableFuture<>();
        private boolean over;
        private boolean ended;
        private @Nullable Thread thread;

        Run(BlockingProbe probe) {
            this.probe = probe;
        }

        @Override
        public void run() {
            synchronized (this) {
                thread = Thread.currentThread();
                if (over) {
                    thread.interrupt();
                }
            }
            try {
                Answer said = probe.ask();
                end();
                answer.complete(said);
            } catch (Throwable failure) {
                end();
                answer.completeExceptionally(failure);
            }
        }

        private synchronized void end() {
            ended = true;
            var unused = Thread.interrupted();
            free.release();
        }

        void interruptAfter(Duration limit) {
            var interrupt = timer.schedule(this::interrupt, limit.toNanos(), TimeUnit.NANOSECONDS);
            var unused = answer.whenComplete((said, failure) -> interrupt.cancel(false));
        }

        /** Also where the thread has not begun yet. */
        private synchronized void interrupt() {
            over = true;
            if (!ended && thread != null) {
                thread.interrupt();
            }
        }
    }

    @Override
    public void close() {
        timer.shutdownNow();
        threads.shutdownNow();
    }
}
