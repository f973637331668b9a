// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.doctor.hbase;

import io.hearth.doctor.hbase.ClusterProbe.DoctorLimits;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CancellationException;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.BiFunction;
import java.util.function.Function;

/**
 * Asks a few processes at a time, on daemon threads, until an examination's time is over: whoever has not answered by then has not answered, and nobody
 * waits longer. Thread-safe.
 */
final class ParallelProber implements AutoCloseable {

    private final ExecutorService threads;
    private final Duration time;
    private final long endNanos;

    /** Begins now. */
    ParallelProber(DoctorLimits limits) {
        threads = Executors.newFixedThreadPool(limits.maxConcurrent(), task -> {
            Thread thread = new Thread(task, "hearth-doctor");
            thread.setDaemon(true);
            return thread;
        });
        time = limits.time();
        endNanos = System.nanoTime() + time.toNanos();
    }

    /**
     * The answers, in the order of those who were asked.
     *
     * @param unanswered what stands for the answer of one who gave none, with the reason for a person
     */
    <A, B> List<B> each(List<A> asked, Function<A, B> question, BiFunction<A, String, B> unanswered) {
        return each(asked, time, question, unanswered);
    }

    /** The same of those who answer within this time, or within what is left of the whole if that is less. */
    <A, B> List<B> each(List<A> asked, Duration most, Function<A, B> question, BiFunction<A, String, B> unanswered) {
        long mostNanos = System.nanoTime() + most.toNanos();
        List<Future<B>> answers = new ArrayList<>();
        asked.forEach(one -> answers.add(threads.submit(() -> question.apply(one))));
        List<B> all = new ArrayList<>();
        for (int index = 0; index < asked.size(); index++) {
            A one = asked.get(index);
            B answer;
            try {
                answer = await("it", answers.get(index), Math.max(0, mostNanos - System.nanoTime()), most);
            } catch (IOException none) {
                answer = unanswered.apply(one, String.valueOf(none.getMessage()));
            }
            all.add(answer);
        }
        return all;
    }

    /**
     * One answer within this time, or within what is left of the whole if that is less.
     *
     * @param who is asked, for a person
     * @throws IOException if there is none
     */
    <T> T within(String who, Duration most, Callable<T> question) throws IOException {
        return await(who, threads.submit(question), most.toNanos(), most);
    }

    /** Waits so long, or until the end. */
    void pause(Duration pause) throws IOException {
        try {
            TimeUnit.NANOSECONDS.sleep(Math.min(leftNanos(), pause.toNanos()));
        } catch (InterruptedException stopping) {
            Thread.currentThread().interrupt();
            throw new IOException("the doctor was stopped", stopping);
        }
    }

    private long leftNanos() {
        return Math.max(0, endNanos - System.nanoTime());
    }

    /** @param most of which so many nanoseconds are left */
    private <T> T await(String who, Future<T> answer, long nanos, Duration most) throws IOException {
        try {
            return answer.get(Math.min(leftNanos(), nanos), TimeUnit.NANOSECONDS);
        } catch (TimeoutException tooLate) {
            answer.cancel(true);
            throw new IOException(
                    leftNanos() == 0
                            ? "the doctor's " + seconds(time) + " s were over before " + who + " had answered"
                            : who + " has not answered within " + seconds(most) + " s");
        } catch (ExecutionException failed) {
            throw failed.getCause() instanceof IOException failure
                    ? failure
                    : new IOException("the doctor could not ask it: " + failed.getCause(), failed.getCause());
        } catch (InterruptedException stopping) {
            answer.cancel(true);
            Thread.currentThread().interrupt();
            throw new IOException("the doctor was stopped", stopping);
        } catch (CancellationException stopped) {
            throw new IOException("the doctor was stopped", stopped);
        }
    }

    /** {@code 60}, {@code 0.5}. */
    private static String seconds(Duration time) {
        return String.valueOf(Math.round(time.toMillis() / 100.0) / 10.0).replaceFirst("\\.0$", "");
    }

    /** Interrupts the threads on which somebody is still being asked, and waits for none. */
    @Override
    public void close() {
        threads.shutdownNow();
    }
}
