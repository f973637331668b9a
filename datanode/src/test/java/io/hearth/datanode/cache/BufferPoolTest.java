// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.datanode.cache;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.ByteBuffer;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

class BufferPoolTest {

    private long nowMs = 5_000;
    private int asked;
    private boolean hasMemory = true;

    private ByteBuffer allocate(int bytes) {
        asked++;
        if (hasMemory) {
            return ByteBuffer.allocate(bytes);
        }
        throw new OutOfMemoryError("Cannot reserve 16 bytes of direct buffer memory");
    }

    @Test
    void aPoolHasOnlySoManyBuffers() {
        BufferPool pool = new BufferPool(16, 2, () -> 0);
        ByteBuffer first = pool.tryTake().orElseThrow();
        first.position(3).limit(7);
        ByteBuffer second = pool.tryTake().orElseThrow();
        assertThat(second).isNotSameAs(first);
        assertThat(pool.tryTake()).isEmpty();
        assertThat(pool.taken()).isEqualTo(2);
        pool.giveBack(first);
        ByteBuffer again = pool.tryTake().orElseThrow();
        assertThat(again).isSameAs(first);
        assertThat(again.remaining()).isEqualTo(16);
        pool.giveBack(second);
        assertThat(pool.taken()).isEqualTo(1);
    }

    /** Each request would cost a garbage collection and half a second, for each packet that is sent. */
    @Test
    void whereThereIsNoDirectMemoryItIsAskedForOnceAMinute() {
        BufferPool pool = new BufferPool(16, 4, () -> nowMs, this::allocate);
        ByteBuffer buffer = pool.tryTake().orElseThrow();
        hasMemory = false;
        assertThat(pool.tryTake()).isEmpty();
        assertThat(pool.tryTake()).isEmpty();
        assertThat(asked).isEqualTo(2);
        assertThat(pool.taken()).isEqualTo(1);

        pool.giveBack(buffer);
        assertThat(pool.tryTake().orElseThrow()).isSameAs(buffer);
        nowMs += BufferPool.PAUSE_MS - 1;
        assertThat(pool.tryTake()).isEmpty();
        assertThat(asked).isEqualTo(2);

        nowMs++;
        assertThat(pool.tryTake()).isEmpty();
        assertThat(pool.tryTake()).isEmpty();
        assertThat(asked).isEqualTo(3);

        nowMs += BufferPool.PAUSE_MS;
        hasMemory = true;
        for (int more = 1; more < 4; more++) {
            assertThat(pool.tryTake()).isPresent();
        }
        assertThat(pool.tryTake()).isEmpty();
        assertThat(asked).isEqualTo(6);
    }

    @Test
    @Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
    void nobodyWaitsForOneThatIsBeingMade() throws InterruptedException {
        CountDownLatch isAsking = new CountDownLatch(1);
        CountDownLatch mayEnd = new CountDownLatch(1);
        BufferPool pool = new BufferPool(16, 2, () -> nowMs, bytes -> {
            if (asked++ > 0) {
                isAsking.countDown();
                awaitUninterrupted(mayEnd);
            }
            return ByteBuffer.allocate(bytes);
        });
        ByteBuffer buffer = pool.tryTake().orElseThrow();
        Thread asking = new Thread(() -> assertThat(pool.tryTake()).isPresent(), "asking");
        asking.start();
        isAsking.await();

        assertThat(pool.tryTake()).as("the second is being made").isEmpty();
        pool.giveBack(buffer);
        assertThat(pool.tryTake().orElseThrow()).isSameAs(buffer);

        mayEnd.countDown();
        asking.join();
        assertThat(pool.taken()).isEqualTo(2);
    }

    private static void awaitUninterrupted(CountDownLatch latch) {
        try {
            latch.await();
        } catch (InterruptedException unexpected) {
            throw new AssertionError(unexpected);
        }
    }
}
