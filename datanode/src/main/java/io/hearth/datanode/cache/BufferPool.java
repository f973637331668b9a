// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.datanode.cache;

import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Direct buffers of one size, a limited number of them, which are made when they are first needed. Thread-safe.
 *
 * <p>Who takes one gives it back exactly once, and does not touch it afterwards.
 */
final class BufferPool {

    private final int bufferBytes;
    private final int maxBuffers;
    private final Deque<ByteBuffer> free = new ArrayDeque<>();
    private int made;

    BufferPool(int bufferBytes, int maxBuffers) {
        this.bufferBytes = bufferBytes;
        this.maxBuffers = maxBuffers;
    }

    int bufferBytes() {
        return bufferBytes;
    }

    /** A buffer that is empty, or none if all are taken. */
    synchronized Optional<ByteBuffer> tryTake() {
        ByteBuffer buffer = free.poll();
        if (buffer == null && made < maxBuffers) {
            buffer = make();
        }
        return Optional.ofNullable(buffer).map(ByteBuffer::clear);
    }

    /** Null where the process may have no more direct memory (-XX:MaxDirectMemorySize), which must not end a client's read. */
    private @Nullable ByteBuffer make() {
        try {
            ByteBuffer buffer = ByteBuffer.allocateDirect(bufferBytes);
            made++;
            return buffer;
        } catch (OutOfMemoryError noDirectMemory) {
            return null;
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
