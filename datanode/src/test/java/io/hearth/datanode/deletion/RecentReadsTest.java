// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.datanode.deletion;

import static org.assertj.core.api.Assertions.assertThat;

import io.hearth.datanode.deletion.ReplicaDeletionDelay.RecentReads;
import java.util.HashMap;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class RecentReadsTest {

    private final RecentReads reads = new RecentReads();

    @Test
    void whatWasNeverOpenedIsNotRead() {
        assertThat(reads.isOpenedWithin("BP-1", 7, 3_600_000, 10)).isFalse();
        reads.opened("BP-1", 7, 10);
        assertThat(reads.isOpenedWithin("BP-2", 7, 3_600_000, 10)).isFalse();
    }

    @Test
    void atTheBeginningOfTheClockToo() {
        reads.opened("BP-1", 7, 0);
        assertThat(reads.isOpenedWithin("BP-1", 7, 30_000, 30_000)).isTrue();
        assertThat(reads.isOpenedWithin("BP-1", 7, 30_000, 30_513)).isFalse();
    }

    /** Beside a map of everything: what is read is never missed, and little passes for read that is not. */
    @ParameterizedTest(name = "seed {0}")
    @ValueSource(longs = {1, 2, 3, 4, 5})
    void nothingThatIsReadIsMissed(long seed) {
        Random random = new Random(seed);
        Map<Long, Long> openedMs = new HashMap<>();
        long firstBlock = 1_073_741_825L + random.nextInt(1_000_000);
        long nowMs = random.nextInt(1_000_000_000);
        for (int read = 0; read < 10_000; read++) {
            nowMs += random.nextInt(20);
            long block = firstBlock + random.nextInt(20_000);
            reads.opened("BP-1", block, nowMs);
            openedMs.put(block, nowMs);
        }
        int wrongly = 0;
        for (long block = firstBlock; block < firstBlock + 20_000; block++) {
            boolean isRead = nowMs - openedMs.getOrDefault(block, -1_000_000L) <= 30_000;
            boolean said = reads.isOpenedWithin("BP-1", block, 30_000, nowMs);
            assertThat(said || !isRead).as("seed %s block %s", seed, block).isTrue();
            wrongly += said && !isRead ? 1 : 0;
        }
        assertThat(wrongly).as("seed %s", seed).isLessThan(1_000);
    }
}
