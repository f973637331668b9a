// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.chaos;

import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.atomic.AtomicIntegerArray;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * What each row of a soak may hold. A row has a generation: how often it has been written, {@value #NEVER} before the first time.
 *
 * <p>A write that was acknowledged is the least that a read from then on may find, and the last that was sent is the most, since one
 * without an answer may have been done. A value is made of its row and its generation alone, so that every byte is checked. Thread-safe.
 */
final class SoakRows {

    static final int COUNT = 50_000;

    /** Of each row, where nobody knows of an acknowledged write. */
    static final List<Integer> NONE_ACKNOWLEDGED = Collections.nCopies(COUNT, 0);

    private static final int VALUE_BYTES = 200;
    private static final int GENERATION_BYTES = Integer.BYTES;
    private static final int NEVER = 0;
    private static final int NOT_WRITTEN_LIKE_THAT = -1;

    private final AtomicIntegerArray acknowledged = new AtomicIntegerArray(COUNT);
    private final AtomicIntegerArray sent = new AtomicIntegerArray(COUNT);

    /** What a read has found. */
    enum Verdict {
        EXPECTED,
        /** Less than was acknowledged before it was sent. */
        LOST,
        /** What nobody has written. */
        WRONG
    }

    /**
     * What a read of a row has found.
     *
     * @param least the generation that was acknowledged when the read was sent
     * @param most the generation that was sent by the time of the answer
     * @param value null of a row that is not there
     */
    static Verdict judge(int row, int least, int most, byte @Nullable [] value) {
        int generation = generation(row, value);
        if (generation == NOT_WRITTEN_LIKE_THAT || generation > most) {
            return Verdict.WRONG;
        }
        return generation < least ? Verdict.LOST : Verdict.EXPECTED;
    }

    /** The same, with what has been sent by now as the most. */
    Verdict judge(int row, int least, byte @Nullable [] value) {
        return judge(row, least, sent.get(row), value);
    }

    /**
     * Begins with what was read of a row before its first request: the least that it may hold from now on.
     *
     * @param acknowledgedBefore the generation that an earlier process knew to be acknowledged
     */
    Verdict begin(int row, int acknowledgedBefore, byte @Nullable [] value) {
        int generation = Math.max(NEVER, generation(row, value));
        acknowledged.set(row, generation);
        sent.set(row, Math.max(generation, acknowledgedBefore));
        return judge(row, acknowledgedBefore, Integer.MAX_VALUE, value);
    }

    /** The generation of the next write of a row, which counts as sent. */
    int send(int row) {
        return sent.incrementAndGet(row);
    }

    /** That write was acknowledged; of a row there is one at a time. */
    void acknowledge(int row, int generation) {
        acknowledged.set(row, generation);
    }

    /** The generation of the last acknowledged write of a row. */
    int acknowledged(int row) {
        return acknowledged.get(row);
    }

    /** The same of all rows. */
    List<Integer> acknowledged() {
        return IntStream.range(0, COUNT).mapToObj(acknowledged::get).toList();
    }

    static byte[] value(int row, int generation) {
        byte[] value = new byte[VALUE_BYTES];
        new SplittableRandom((long) row << Integer.SIZE | generation).nextBytes(value);
        ByteBuffer.wrap(value).putInt(generation);
        return value;
    }

    private static int generation(int row, byte @Nullable [] value) {
        if (value == null) {
            return NEVER;
        }
        if (value.length < GENERATION_BYTES) {
            return NOT_WRITTEN_LIKE_THAT;
        }
        int generation = ByteBuffer.wrap(value).getInt();
        return generation > NEVER && Arrays.equals(value, value(row, generation)) ? generation : NOT_WRITTEN_LIKE_THAT;
    }
}
