// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.datanode.cache;

import static org.assertj.core.api.Assertions.assertThat;

import io.hearth.datanode.cache.ReadCacheCounts.Counter;
import io.hearth.datanode.config.ReadCacheSettings.Storage;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.ClosedByInterruptException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Queue;
import java.util.Random;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

class SsdCacheThreadsTest {

    private static final int PAGE = CacheFixture.PAGE;
    private static final int BLOCKS = 12;

    @TempDir
    Path folder;

    private CacheFixture it;
    private final Queue<Throwable> failures = new ConcurrentLinkedQueue<>();

    PageStoreFactory stores() {
        return LocalPageStore::open;
    }

    @BeforeEach
    void open() throws IOException {
        it = new CacheFixture(folder, stores());
    }

    private Thread start(FaultyPageStore.Fault work) {
        Thread thread = new Thread(() -> {
            try {
                work.before();
            } catch (Throwable failure) {
                failures.add(failure);
            }
        });
        thread.start();
        return thread;
    }

    /** Reads, fills, evictions, drops, errors and deletions at once: right bytes, and in the end nothing is lost or left. */
    @ParameterizedTest(name = "seed {0}")
    @ValueSource(longs = {1, 2, 3})
    void everyReadIsRightWhateverElseHappens(long seed) throws Exception {
        it.storage = new Storage(8 * 4 * PAGE, 0, 8, PAGE, 10_000);
        List<FakeReplica> replicas = new ArrayList<>();
        for (int block = 0; block < BLOCKS; block++) {
            replicas.add(it.replica(block, 3 * PAGE + 100 * block));
        }
        AtomicBoolean isOver = new AtomicBoolean();
        List<Thread> readers = new ArrayList<>();
        for (int thread = 0; thread < 6; thread++) {
            long own = seed * 100 + thread;
            readers.add(start(() -> readAtRandom(replicas, new Random(own))));
        }
        Thread turner = start(() -> {
            Random random = new Random(seed);
            while (!isOver.get()) {
                it.cache.turn();
                it.cache.drop(new BlockKey("BP-1", random.nextInt(BLOCKS)));
                it.cache.removeUnknownFiles(() -> false);
            }
        });
        for (Thread reader : readers) {
            reader.join();
        }
        isOver.set(true);
        turner.join();
        assertThat(failures).as("seed %s", seed).isEmpty();
        assertThat(it.counts.get(Counter.SSD_BYTES)).as("seed %s", seed).isPositive();
        assertThat(it.counts.get(Counter.SSD_ERRORS)).as("seed %s", seed).isZero();
        assertThat(it.counts.get(Counter.VERIFICATION_FAILURES)).isZero();
        assertNothingIsLeft(seed);
    }

    private void readAtRandom(List<FakeReplica> replicas, Random random) throws IOException {
        for (int read = 0; read < 400; read++) {
            FakeReplica replica = replicas.get(random.nextInt(BLOCKS));
            int from = random.nextInt(replica.bytes.length);
            int count = 1 + random.nextInt(replica.bytes.length - from);
            byte[] expected = Arrays.copyOfRange(replica.bytes, from, from + count);
            CachedRead cached = it.cache.open(replica, random.nextBoolean()).orElse(null);
            if (cached != null) {
                try (CachedBlockReader data = cached.openData()) {
                    assertThat(CacheFixture.send(data, from, count)).isEqualTo(expected);
                }
            }
        }
    }

    private void assertNothingIsLeft(long seed) throws IOException {
        it.cache.turn();
        SsdCache.SsdStatus status = it.cache.status();
        assertThat(it.cache.sendBuffers().taken()).isZero();
        assertThat(status.bytes()).as("seed %s", seed).isLessThanOrEqualTo(it.storage.maxBytes());
        assertThat(it.files()).as("seed %s", seed).hasSize((int) (2 * status.blocks()));
        for (int block = 0; block < BLOCKS; block++) {
            it.cache.drop(new BlockKey("BP-1", block));
        }
        it.cache.turn();
        assertThat(it.files()).as("seed %s", seed).isEmpty();
        assertThat(it.usedBytes()).as("seed %s", seed).isZero();
        it.close();
    }

    /** Two clients come to the same page: one fills it, the other reads the disk meanwhile and waits for nobody. */
    @Test
    void aPageIsFilledOnce() throws Exception {
        FakeReplica replica = it.replica(1, PAGE);
        CachedRead first = it.cache.open(replica, true).orElseThrow();
        CountDownLatch isPutting = new CountDownLatch(1);
        CountDownLatch mayGoOn = new CountDownLatch(1);
        it.store.onPut = () -> {
            isPutting.countDown();
            await(mayGoOn);
        };
        Thread filling = start(() -> {
            try (CachedBlockReader data = first.openData()) {
                assertThat(CacheFixture.send(data, 0, PAGE)).isEqualTo(replica.bytes);
            }
        });
        await(isPutting);
        assertThat(it.read(replica)).isEqualTo(replica.bytes);
        assertThat(it.counts.get(Counter.MISSES)).isEqualTo(1);
        mayGoOn.countDown();
        filling.join();
        it.store.onPut = () -> {};

        assertThat(failures).isEmpty();
        assertThat(it.counts.get(Counter.FILLS)).isEqualTo(1);
        assertThat(it.usedBytes()).isEqualTo(PAGE + replica.meta.length);
        it.close();
    }

    /** After a restart two clients come to one block: one compares its checksums, the other reads the disk and writes nothing. */
    @Test
    void aBlockThatIsBeingComparedIsNotMadeAgain() throws Exception {
        FakeReplica replica = it.replica(1, PAGE);
        it.warm(replica);
        it.restart();
        CountDownLatch isComparing = new CountDownLatch(1);
        CountDownLatch mayGoOn = new CountDownLatch(1);
        it.store.onGet = () -> {
            isComparing.countDown();
            await(mayGoOn);
        };
        AtomicBoolean hasPut = new AtomicBoolean();
        it.store.onPut = () -> hasPut.set(true);
        Thread comparing = start(
                () -> assertThat(it.cache.open(replica, true)).as("confirmed").isPresent());
        await(isComparing);

        assertThat(it.cache.open(replica, true)).isEmpty();
        assertThat(it.cache.open(replica, false)).isEmpty();
        assertThat(hasPut).isFalse();
        assertThat(it.counts.get(Counter.REJECTED_CHANGED)).isZero();
        assertThat(it.counts.get(Counter.NOT_ADMITTED)).isZero();
        mayGoOn.countDown();
        comparing.join();
        it.store.onGet = () -> {};
        assertThat(failures).isEmpty();
        assertThat(it.read(replica, false)).isEqualTo(replica.bytes);
        assertThat(it.counts.get(Counter.SSD_BYTES)).isEqualTo(PAGE);
        it.close();
    }

    /** A drop must not wait for an SSD that hangs, nor a read of another block's. */
    @Test
    void aHangingSsdHoldsUpNobodyElse() throws Exception {
        FakeReplica other = it.replica(2, PAGE);
        it.warm(other);
        FakeReplica replica = it.replica(1, PAGE);
        CountDownLatch isPutting = new CountDownLatch(1);
        CountDownLatch mayGoOn = new CountDownLatch(1);
        it.store.onPut = () -> {
            isPutting.countDown();
            await(mayGoOn);
        };
        Thread hanging = start(() -> assertThat(it.read(replica)).isEqualTo(replica.bytes));
        await(isPutting);
        it.cache.drop(replica.key());
        it.cache.dropBlockPool("BP-9");
        assertThat(it.read(other)).isEqualTo(other.bytes);
        it.passMs(SsdHealth.HUNG_MS + 1);
        it.cache.watch();
        assertThat(it.cache.status().isUsable()).isFalse();
        assertThat(it.cache.open(other, true)).isEmpty();
        mayGoOn.countDown();
        hanging.join();
        assertThat(failures).isEmpty();
        it.close();
    }

    private enum Pause {
        /** The tick that is late comes before the reads end. */
        TICK_FIRST,
        /** The reads end first. */
        READS_FIRST,
        /** There is none: the SSD takes so long. */
        NONE
    }

    /** Each of ten reads takes six seconds by the clock. */
    @ParameterizedTest
    @EnumSource
    void aPauseOfTheProcessIsNotTheSsds(Pause pause) throws Exception {
        List<FakeReplica> replicas = new ArrayList<>();
        for (int block = 0; block < 10; block++) {
            replicas.add(it.replica(block, PAGE));
            it.warm(replicas.get(block));
        }
        CountDownLatch areReading = new CountDownLatch(10);
        CountDownLatch mayGoOn = new CountDownLatch(1);
        it.cache.watch();
        it.store.onGet = () -> {
            areReading.countDown();
            await(mayGoOn);
        };
        List<Thread> readers = new ArrayList<>();
        for (FakeReplica replica : replicas) {
            readers.add(start(() -> assertThat(it.read(replica)).isEqualTo(replica.bytes)));
        }
        await(areReading);
        for (int tick = 0; tick < 12; tick++) {
            it.passMs(500);
            if (pause == Pause.NONE) {
                it.cache.watch();
            }
        }
        if (pause == Pause.TICK_FIRST) {
            it.cache.watch();
        }
        mayGoOn.countDown();
        for (Thread reader : readers) {
            reader.join();
        }
        it.cache.watch();

        assertThat(failures).isEmpty();
        assertThat(it.counts.get(Counter.SSD_ERRORS)).isEqualTo(pause == Pause.NONE ? 10 : 0);
        assertThat(it.cache.status().isUsable()).isEqualTo(pause != Pause.NONE);
        it.close();
    }

    /** It begins when the id of a file was taken, and ends when the file is there. */
    @Test
    @Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
    void theRemovalOfUnknownFilesSparesOneThatIsBeingMade() throws Exception {
        FakeReplica replica = it.replica(1, PAGE);
        CountDownLatch areListed = new CountDownLatch(1);
        CountDownLatch areMade = new CountDownLatch(1);
        AtomicReference<Thread> remover = new AtomicReference<>();
        it.store.onDeleteUnknown = () -> {
            areListed.countDown();
            await(areMade);
        };
        it.store.onNewFileId = () -> {
            it.store.onNewFileId = () -> {};
            remover.set(start(() -> it.cache.removeUnknownFiles(() -> false)));
            // It knows what it will delete, or waits until it can know that.
            while (areListed.getCount() > 0 && remover.get().getState() != Thread.State.BLOCKED) {
                Thread.onSpinWait();
            }
        };
        it.store.onPut = () -> {
            it.store.onPut = () -> {};
            areMade.countDown();
            join(remover.get());
        };
        it.warm(replica);

        assertThat(failures).isEmpty();
        assertThat(it.counts.get(Counter.SSD_ERRORS)).isZero();
        assertThat(it.files()).hasSize(2);
        it.close();
    }

    private static void join(Thread thread) {
        try {
            thread.join();
        } catch (InterruptedException unexpected) {
            throw new AssertionError(unexpected);
        }
    }

    /** Clients come and are interrupted all the time; the copies that the others read stay. */
    @Test
    void interruptedClientsCostTheOthersNothing() throws Exception {
        FakeReplica replica = it.replica(1, 3 * PAGE);
        it.warm(replica);
        List<Thread> threads = new ArrayList<>();
        for (int t = 0; t < 4; t++) {
            boolean isInterrupted = t % 2 == 0;
            threads.add(start(() -> {
                for (int read = 0; read < 200; read++) {
                    readOnce(replica, isInterrupted);
                }
            }));
        }
        for (Thread thread : threads) {
            thread.join();
        }
        assertThat(failures).isEmpty();
        assertThat(it.cache.status().blocks()).isEqualTo(1);
        assertThat(it.counts.get(Counter.DROPPED_BLOCKS)).isZero();
        assertThat(it.counts.get(Counter.SSD_ERRORS)).isZero();
        it.close();
    }

    private void readOnce(FakeReplica replica, boolean isInterrupted) throws IOException {
        try (CachedBlockReader data = it.cache.open(replica, true).orElseThrow().openData()) {
            if (isInterrupted) {
                Thread.currentThread().interrupt();
            }
            ByteBuffer target = ByteBuffer.allocate(100);
            assertThat(data.read(target, PAGE)).isEqualTo(100);
            assertThat(target.array()).isEqualTo(Arrays.copyOfRange(replica.bytes, PAGE, PAGE + 100));
        } catch (ClosedByInterruptException expected) {
            assertThat(isInterrupted).isTrue();
        } finally {
            Thread.interrupted();
        }
    }

    private static void await(CountDownLatch latch) {
        try {
            latch.await();
        } catch (InterruptedException unexpected) {
            throw new AssertionError(unexpected);
        }
    }
}
