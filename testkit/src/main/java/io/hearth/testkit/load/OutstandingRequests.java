// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.testkit.load;

import java.io.IOException;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;

/**
 * Requests that were sent and what came of them: how many are not answered yet, how many were, and how many the client gave up after all its
 * retries. Thread-safe.
 */
public final class OutstandingRequests {

    private static final int MOST = 50_000;

    private final Semaphore permits = new Semaphore(MOST);
    private final AtomicLong answered = new AtomicLong();
    private final AtomicLong errors = new AtomicLong();
    private final AtomicReference<Throwable> firstError = new AtomicReference<>();

    /** Waits while too many are not answered yet. */
    public void awaitPermit() {
        permits.acquireUninterruptibly();
    }

    /**
     * Follows a request that has a place.
     *
     * @param onAnswer is run once it is answered without an error
     */
    public void track(CompletableFuture<?> request, Runnable onAnswer) {
        var unused = request.whenComplete((result, error) -> {
            if (error == null) {
                onAnswer.run();
                answered.incrementAndGet();
            } else {
                failed(error);
            }
            permits.release();
        });
    }

    private void failed(Throwable error) {
        errors.incrementAndGet();
        firstError.compareAndSet(
                null, error instanceof CompletionException && error.getCause() != null ? error.getCause() : error);
    }

    /** Requests that were answered without an error. */
    public long answered() {
        return answered.get();
    }

    /** Requests that the client gave up after its retries, or that it answered wrongly. */
    public long errors() {
        return errors.get();
    }

    /** What the first of the errors was. */
    public Optional<Throwable> firstError() {
        return Optional.ofNullable(firstError.get());
    }

    /** Requests that were sent and not answered yet. */
    public long unanswered() {
        return (long) MOST - permits.availablePermits();
    }

    /** Waits for the answers that are still out, once none are sent any more; those that do not come are errors. */
    public void drain(long seconds) throws InterruptedException {
        if (permits.tryAcquire(MOST, seconds, TimeUnit.SECONDS)) {
            permits.release(MOST);
        } else {
            long never = unanswered();
            errors.addAndGet(never);
            firstError.compareAndSet(null, new IOException(never + " requests were never answered."));
        }
    }
}
