// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.datanode.cache;

import java.io.IOException;
import java.io.InterruptedIOException;
import java.nio.channels.ClosedByInterruptException;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.ReentrantLock;

/**
 * Whether an SSD can be used: a circuit breaker over its errors, and a pause of writing while it is full.
 *
 * <p>Ten errors within ten minutes, or one operation that hangs for ten seconds, open the breaker for an hour, which begins when nothing
 * hangs any more. After that it is closed and knows of no error. A thread that was interrupted is no error of the SSD. Times are
 * milliseconds of one monotonic clock. Thread-safe.
 *
 * <p>A pause of the whole process is no time of the SSD's. Where the tick of a thread that ticks twice a second comes late by more than two
 * seconds, the process was paused for so long. An operation may end before that tick does come: it is late by then.
 */
final class SsdHealth {

    static final int MOST_ERRORS = 10;
    static final long ERROR_WINDOW_MS = 600_000;
    static final long PAUSE_MS = 3_600_000;
    static final long FULL_PAUSE_MS = 60_000;
    /** An operation that took longer is an error, though it ended well. */
    static final long SLOW_MS = 5_000;

    static final long HUNG_MS = 10_000;
    /** How often {@link #tick} is called. */
    static final long TICK_MS = 500;

    /** A tick that is later has met a pause of the process. */
    private static final long LATE_MS = 2_000;

    /** How many operations may be under way; an SSD that answers never has so many, and one that hangs would get every thread. */
    static final int MOST_AT_ONCE = 256;

    private static final long NEVER = Long.MIN_VALUE;

    /** What an error means for the caller. */
    enum Trouble {
        /** The thread was interrupted: nothing is wrong with the SSD. */
        INTERRUPTED,
        /** There is no room: writing pauses. */
        FULL,
        /** The process may have no more open files, or the machine no more memory: nothing is wrong with the SSD. */
        PROCESS,
        /** Anything else. */
        ERROR
    }

    /** The times of the last errors, the oldest at {@link #next}. Guarded by {@link #lock}, as the next two are. */
    private final long[] errorsMs = new long[MOST_ERRORS];

    private int next;
    private int errors;
    private final ReentrantLock lock = new ReentrantLock();
    private final Map<Thread, Operation> operations = new ConcurrentHashMap<>();
    private final AtomicLong trips = new AtomicLong();
    private volatile long openUntilMs = NEVER;
    private volatile long fullUntilMs = NEVER;
    private volatile long outOfMemoryUntilMs = NEVER;
    private volatile Ticks ticks = new Ticks(NEVER, 0);

    /** What a thread does on the SSD: when it began, and how long the process had been paused before. */
    private record Operation(long startMs, long pausedMs) {

        long tookMs(Ticks ticks, long nowMs) {
            return nowMs - startMs - (ticks.pausedMs(nowMs) - pausedMs);
        }
    }

    /** When the last tick was, and how long the process was paused in all until then. */
    private record Ticks(long lastMs, long pausedMs) {

        /** How long it was paused in all until now; where the next tick is late already, since that was due. */
        long pausedMs(long nowMs) {
            long lateMs = lastMs == NEVER ? 0 : nowMs - lastMs - TICK_MS;
            return lateMs > LATE_MS ? pausedMs + lateMs : pausedMs;
        }
    }

    /** Whether the SSD may be read and written: it is well and not busy with too much, and the process has memory for it. */
    boolean isUsable(long nowMs) {
        return isClosed(nowMs) && nowMs >= outOfMemoryUntilMs && operations.size() < MOST_AT_ONCE;
    }

    private boolean isClosed(long nowMs) {
        return nowMs >= openUntilMs;
    }

    /** Whether it may be written: it is usable, and was not full lately. */
    boolean isWritable(long nowMs) {
        return isUsable(nowMs) && nowMs >= fullUntilMs;
    }

    /** What this failure of an operation on the SSD means. */
    static Trouble classify(IOException failure) {
        if (failure instanceof ClosedByInterruptException
                || failure instanceof InterruptedIOException
                || Thread.currentThread().isInterrupted()) {
            return Trouble.INTERRUPTED;
        }
        String message = String.valueOf(failure.getMessage()).toLowerCase(Locale.ROOT);
        if (message.contains("no space left") || message.contains("quota exceeded")) {
            return Trouble.FULL;
        }
        return message.contains("too many open files") || message.contains("cannot allocate memory")
                ? Trouble.PROCESS
                : Trouble.ERROR;
    }

    /** The process has no direct memory left: each further try would cost a garbage collection and half a second. */
    void outOfMemory(long nowMs) {
        outOfMemoryUntilMs = nowMs + BufferPool.PAUSE_MS;
    }

    /** Writing found no room. */
    void full(long nowMs) {
        fullUntilMs = nowMs + FULL_PAUSE_MS;
    }

    /** Counts an error, unless the breaker is open; returns whether it has opened it. */
    boolean failed(long nowMs) {
        lock.lock();
        try {
            if (!isClosed(nowMs)) {
                return false;
            }
            errorsMs[next] = nowMs;
            next = (next + 1) % MOST_ERRORS;
            errors++;
            // The ring is full by then, and its next place holds the oldest.
            return errors >= MOST_ERRORS && nowMs - errorsMs[next] <= ERROR_WINDOW_MS && open(nowMs);
        } finally {
            lock.unlock();
        }
    }

    /** Opens the breaker; returns whether it was closed. */
    private boolean open(long nowMs) {
        if (!isClosed(nowMs)) {
            return false;
        }
        errors = 0;
        trips.incrementAndGet();
        openUntilMs = nowMs + PAUSE_MS;
        return true;
    }

    /** This thread begins an operation on the SSD. */
    void begin(long nowMs) {
        operations.put(Thread.currentThread(), new Operation(nowMs, ticks.pausedMs(nowMs)));
    }

    /** It has ended; returns whether it was slow. */
    boolean end(long nowMs) {
        Operation ended = operations.remove(Thread.currentThread());
        return ended != null && ended.tookMs(ticks, nowMs) > SLOW_MS;
    }

    /** Is called every {@link #TICK_MS} by one thread, which waits for no SSD. */
    void tick(long nowMs) {
        ticks = new Ticks(nowMs, ticks.pausedMs(nowMs));
    }

    /**
     * Opens the breaker if an operation hangs, and keeps it open as long as it does: otherwise each hour some more threads would hang.
     * Returns whether it has opened it. Does no I/O, so that it can't hang itself.
     */
    boolean tripIfHung(long nowMs) {
        Ticks now = ticks;
        if (operations.values().stream().noneMatch(operation -> operation.tookMs(now, nowMs) > HUNG_MS)) {
            return false;
        }
        lock.lock();
        try {
            boolean isOpenedNow = open(nowMs);
            openUntilMs = nowMs + PAUSE_MS;
            return isOpenedNow;
        } finally {
            lock.unlock();
        }
    }

    /** How often the breaker has opened. */
    long trips() {
        return trips.get();
    }
}
