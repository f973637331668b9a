// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.datanode.cache;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.hearth.datanode.config.ReadCacheSettings.Admission;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class BlockAccessCounterTest {

    private static final long PLENTY = 1L << 30;

    private static BlockKey block(long id) {
        return new BlockKey("BP-1", id);
    }

    @Test
    void accessesOfOneMinuteAreAddedUp() {
        BlockAccessCounter counter = new BlockAccessCounter(100, 60, PLENTY);

        assertThat(counter.record(block(1), 7)).isEqualTo(1);
        assertThat(counter.record(block(1), 7)).isEqualTo(2);
        assertThat(counter.record(block(2), 7)).isEqualTo(1);
        assertThat(counter.record(block(1), 7)).isEqualTo(3);
    }

    /** Three buckets: the current minute and the two before. */
    @Test
    void whatIsOlderThanTheWindowDoesNotCount() {
        BlockAccessCounter counter = new BlockAccessCounter(100, 3, PLENTY);

        assertThat(counter.record(block(1), 10)).isEqualTo(1);
        assertThat(counter.record(block(1), 11)).isEqualTo(2);
        assertThat(counter.record(block(1), 12)).isEqualTo(3);
        assertThat(counter.record(block(1), 13)).isEqualTo(3);
        assertThat(counter.record(block(1), 15)).isEqualTo(2);
        assertThat(counter.record(block(1), 18)).isEqualTo(1);
    }

    @Test
    void theSameIdInTwoBlockPoolsIsTwoBlocks() {
        BlockAccessCounter counter = new BlockAccessCounter(100, 60, PLENTY);

        counter.record(new BlockKey("BP-1", 5), 1);
        assertThat(counter.record(new BlockKey("BP-2", 5), 1)).isEqualTo(1);
        counter.forgetBlockPool("BP-1");
        assertThat(counter.record(new BlockKey("BP-1", 5), 1)).isEqualTo(1);
        assertThat(counter.record(new BlockKey("BP-2", 5), 1)).isEqualTo(2);
    }

    @Test
    void zeroAndNegativeIdsAreBlocksToo() {
        BlockAccessCounter counter = new BlockAccessCounter(100, 60, PLENTY);

        for (long id : new long[] {0, -1, Long.MIN_VALUE, Long.MAX_VALUE}) {
            assertThat(counter.record(block(id), 1)).isEqualTo(1);
            assertThat(counter.record(block(id), 2)).isEqualTo(2);
        }
        assertThat(counter.footprint().blocks()).isEqualTo(4);
    }

    @Test
    void aThreadThatIsLateCountsIntoTheCurrentMinute() {
        BlockAccessCounter counter = new BlockAccessCounter(100, 2, PLENTY);

        counter.record(block(1), 10);
        assertThat(counter.record(block(1), 9)).isEqualTo(2);
        assertThat(counter.record(block(1), 11)).isEqualTo(3);
        assertThat(counter.record(block(1), 12)).isEqualTo(2);
    }

    /** Stamps are kept modulo 65,536 minutes. */
    @Test
    void aCounterThatSleptForMonthsRemembersNothing() {
        BlockAccessCounter counter = new BlockAccessCounter(100, 60, PLENTY);

        counter.record(block(1), 10);
        assertThat(counter.record(block(1), 10 + 65_536)).isEqualTo(1);
        counter.record(block(2), 10 + 65_536);
        assertThat(counter.record(block(2), 10 + 65_536 + 59)).isEqualTo(2);
    }

    @Test
    void everyAccessOfABlockThatIsReadAllTheTimeIsExact() {
        BlockAccessCounter counter = new BlockAccessCounter(1_000, 60, PLENTY);
        int last = 0;
        for (int minute = 0; minute < 70_000; minute++) {
            last = counter.record(block(1), minute);
            assertThat(last).isEqualTo(Math.min(minute + 1, 60));
        }
        assertThat(last).isEqualTo(60);
    }

    /** Beside a list of every access of each block. */
    @ParameterizedTest(name = "seed {0}")
    @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8})
    void everyCountIsExact(long seed) {
        Random random = new Random(seed);
        int maxCount = 1 + random.nextInt(30);
        int window = 1 + random.nextInt(90);
        int[] windows = {window, 1 + random.nextInt(window)};
        int[] counts = new int[2];
        BlockAccessCounter counter = new BlockAccessCounter(maxCount, window, PLENTY);
        Map<BlockKey, List<Integer>> minutesByBlock = new HashMap<>();
        int minute = random.nextInt(200_000);
        for (int access = 0; access < 100_000; access++) {
            minute += nextGap(random);
            BlockKey block = new BlockKey("BP-" + random.nextInt(2), (long) (random.nextGaussian() * 200));
            List<Integer> minutes = minutesByBlock.computeIfAbsent(block, any -> new ArrayList<>());
            minutes.add(minute);
            int recorded = counter.record(block, minute, windows[1]);
            counter.count(block, minute, windows, counts);
            assertThat(counts[1]).as("seed %s, access %s", seed, access).isEqualTo(recorded);
            for (int i = 0; i < 2; i++) {
                assertThat(counts[i])
                        .as("seed %s, access %s, %s, minute %s, window %s", seed, access, block, minute, windows[i])
                        .isEqualTo(within(minutes, minute, windows[i], maxCount));
            }
            if (random.nextInt(500) == 0) {
                counter.sweep(minute);
            }
        }
    }

    private static int nextGap(Random random) {
        int kind = random.nextInt(20_000);
        return kind == 0 ? random.nextInt(140_000) : kind < 20 ? random.nextInt(100) : kind < 600 ? 1 : 0;
    }

    private static int within(List<Integer> minutes, int now, int window, int maxCount) {
        minutes.removeIf(minute -> now - minute >= 90);
        return Math.min(maxCount, (int)
                minutes.stream().filter(minute -> now - minute < window).count());
    }

    /** 10 million blocks may take 256 MiB: 26.8 bytes a block. */
    @Test
    void aBlockThatIsReadOnceTakesAtMostTwentySixBytes() {
        BlockAccessCounter counter = new BlockAccessCounter(21, 60, PLENTY);
        for (int blocks = 1; blocks <= 1_000_000; blocks++) {
            counter.record(block(1_073_741_825L + blocks), 1);
            if (blocks >= 100_000 && blocks % 50_000 == 0) {
                assertThat(counter.footprint().bytes()).as("%s blocks", blocks).isLessThanOrEqualTo(26L * blocks);
            }
        }
        assertThat(counter.footprint().blocks()).isEqualTo(1_000_000);
    }

    @Test
    void theSweepGivesMemoryBack() {
        BlockAccessCounter counter = new BlockAccessCounter(21, 60, PLENTY);
        counter.record(block(-1), 1);
        long empty = counter.footprint().bytes();
        for (int block = 0; block < 100_000; block++) {
            counter.record(block(block), 1 + block % 2);
            counter.record(block(block), 2);
        }
        counter.record(block(-2), 30);
        counter.sweep(61);
        assertThat(counter.footprint().blocks()).isEqualTo(100_001);
        counter.sweep(62);
        assertThat(counter.footprint().blocks()).isEqualTo(1);
        assertThat(counter.footprint().bytes()).isEqualTo(empty);
        counter.forgetBlockPool("BP-1");
        assertThat(counter.footprint().bytes()).isZero();
    }

    @Test
    void aboveItsLimitItCountsTooLowAndNeverTooHigh() {
        long limit = 200_000;
        BlockAccessCounter counter = new BlockAccessCounter(21, 60, limit);
        for (int round = 1; round <= 3; round++) {
            for (int block = 0; block < 50_000; block++) {
                assertThat(counter.record(block(block), round)).isBetween(1, round);
            }
        }
        assertThat(counter.footprint().bytes()).isLessThanOrEqualTo(limit);
        assertThat(counter.footprint().untrackedReads()).isGreaterThan(100_000);
        int[] counts = {0};
        counter.count(block(-1), 3, new int[] {60}, counts);
        assertThat(counts[0]).as("the access that was not tracked").isEqualTo(1);
        counter.sweep(200);
        for (int minute = 200; minute < 205; minute++) {
            assertThat(counter.record(block(1), minute)).isEqualTo(minute - 199);
        }
    }

    @Test
    void threadsLoseNothing() throws InterruptedException {
        BlockAccessCounter counter = new BlockAccessCounter(30_000, 60, PLENTY);
        List<Thread> threads = new ArrayList<>();
        for (int t = 0; t < 4; t++) {
            threads.add(new Thread(() -> {
                for (int access = 0; access < 40_000; access++) {
                    counter.record(block(access % 8), access / 1_000);
                }
            }));
        }
        threads.forEach(Thread::start);
        for (Thread thread : threads) {
            thread.join();
        }
        for (int block = 0; block < 8; block++) {
            assertThat(counter.record(block(block), 40)).isEqualTo(20_001);
        }
    }

    @Test
    void admissionIsMoreThanSoManyReads() {
        BucketTimeRateLimit admission = new BucketTimeRateLimit(new Admission(2, 60), PLENTY);

        assertThat(admission.admits(block(1), 1)).isFalse();
        assertThat(admission.admits(block(1), 2)).isFalse();
        assertThat(admission.admits(block(1), 3)).isTrue();
        assertThat(admission.admits(block(1), 61)).isTrue();
        assertThat(admission.admits(block(1), 63)).isFalse();
        assertThat(new BucketTimeRateLimit(new Admission(0, 60), PLENTY).admits(block(1), 1))
                .isTrue();
    }

    @Test
    void limitsThatDoNotFitIntoASlotAreRefused() {
        assertThatThrownBy(() -> new BlockAccessCounter(32_768, 60, PLENTY))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("maxCount 32768, windowMinutes 60");
        assertThatThrownBy(() -> new BlockAccessCounter(1, 1_441, PLENTY))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("maxCount 1, windowMinutes 1441");
    }
}
