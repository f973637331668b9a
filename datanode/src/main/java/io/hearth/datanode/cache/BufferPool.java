// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.datanode.cache;

import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Optional;
import java.util.function.IntFunction;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Direct buffers of one size, a limited number of them, which are made when they are first needed. Thread-safe.
 *
 * <p>The process may have no more direct memory (-XX:MaxDirectMemorySize), which must not end a client's read. As asking for some costs
 * a garbage collection and half a second then, none is asked for within the next minute, and no thread waits for one that asks.
 *
 * <p>Who takes one gives it back exactly once, and does not touch it afterwards.
 */
final class BufferPool {

    static final long PAUSE_MS = 60_000;

    private final int bufferBytes;
    private final int maxBuffers;
    private final LongSupplier nowMs;
    private final IntFunction<ByteBuffer> allocator;
    /** Guarded by this, as all below are. */
    private final Deque<ByteBuffer> free = new ArrayDeque<>();

    /** How many there are, with those that are being made. */
    private int made;

    private boolean wasRefused;
    private long refusedMs;

    /** @param nowMs a monotonic clock */
    BufferPool(int bufferBytes, int maxBuffers, LongSupplier nowMs) {
        this(bufferBytes, maxBuffers, nowMs, ByteBuffer::allocateDirect);
    }

    /** @param allocator makes a buffer of so many bytes, or has no memory for it */
    BufferPool(int bufferBytes, int maxBuffers, LongSupplier nowMs, IntFunction<ByteBuffer> allocator) {
        this.bufferBytes = bufferBytes;
        this.maxBuffers = maxBuffers;
        this.nowMs = nowMs;
        this.allocator = allocator;
    }

    int bufferBytes() {
        return bufferBytes;
    }

    /** A buffer that is empty, or none if all are taken. */
    Optional<ByteBuffer> tryTake() {
        ByteBuffer buffer;
        synchronized (this) {
            buffer = free.poll();
            if (buffer == null && !mayMake()) {
                return Optional.empty();
            }
        }
        return Optional.ofNullable(buffer == null ? make() : buffer).map(ByteBuffer::clear);
    }

    /** Whether one may be made, which is counted then. Of the threads that come after a minute's pause one asks. */
    private boolean mayMake() {
        if (made >= maxBuffers || (wasRefused && nowMs.getAsLong() - refusedMs < PAUSE_MS)) {
            return false;
        }
        refusedMs = nowMs.getAsLong();
        made++;
        return true;
    }

    private @Nullable ByteBuffer make() {
        ByteBuffer buffer = null;
        try {
            buffer = allocator.apply(bufferBytes);
            return buffer;
        } catch (OutOfMemoryError noDirectMemory) {
            return null;
        } finally {
            ended(buffer != null);
        }
    }

    private synchronized void ended(boolean isMade) {
        wasRefused = !isMade;
        if (!isMade) {
            made--;
            refusedMs = nowMs.getAsLong();
        }
    }

    synchronized void giveBack(ByteBuffer buffer) {
        free.push(buffer);
    }

    /** How many are taken. */
    synchronized int taken() {
        return made - free.size();
    }
}
