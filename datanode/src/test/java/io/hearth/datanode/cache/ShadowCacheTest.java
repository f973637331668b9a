// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.datanode.cache;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.hearth.datanode.cache.BlockKey.ReplicaVersion;
import io.hearth.datanode.cache.ShadowCache.ShadowRead;
import io.hearth.datanode.cache.ShadowCache.ShadowResult;
import io.hearth.datanode.config.ReadCacheSettings.Admission;
import io.hearth.datanode.config.ReadCacheSettings.ShadowVariant;
import io.hearth.datanode.config.ReadCacheSettings.Storage;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

class ShadowCacheTest {

    private static final int PAGE = 1 << 20;
    private static final Storage STORAGE = new Storage(1L << 40, 0, 1_000, PAGE, 1_000);
    private static final long MB = 1L << 20;

    private final BlockAccessCounter accesses = new BlockAccessCounter(10, 60, MB);

    private static ReplicaVersion replica(long id, long length) {
        return new ReplicaVersion(new BlockKey("BP-1", id), 1_001, length);
    }

    private static ShadowVariant variant(int reads, int minutes, long bytes) {
        return new ShadowVariant(new Admission(reads, minutes), bytes);
    }

    private static ShadowCache shadow(ShadowVariant... variants) {
        return new ShadowCache(List.of(variants), STORAGE);
    }

    private void read(ShadowCache shadow, ReplicaVersion replica, long from, long to, int minute) {
        accesses.record(replica.key(), minute);
        ShadowRead read = shadow.opened(accesses, replica, minute, minute * 60_000L);
        shadow.delivered(read, from, to, minute * 60_000L);
    }

    @Test
    void eachVariantHasItsOwnAdmission() {
        ShadowCache shadow = shadow(variant(0, 60, 100 * MB), variant(2, 60, 100 * MB), variant(2, 1, 100 * MB));
        for (int minute = 1; minute <= 5; minute++) {
            read(shadow, replica(1, 10 * MB), 0, MB, minute);
        }
        assertThat(shadow.results()).extracting(ShadowResult::clientBytes).containsOnly(5 * MB);
        assertThat(shadow.results()).extracting(ShadowResult::ssdBytes).containsExactly(4 * MB, 2 * MB, 0L);
        assertThat(shadow.results()).extracting(ShadowResult::fills).containsExactly(1L, 1L, 0L);
        long metaBytes = 7 + 4 * 20_480;
        assertThat(shadow.results())
                .extracting(ShadowResult::writtenBytes)
                .containsExactly(MB + metaBytes, MB + metaBytes, 0L);
        assertThat(shadow.results())
                .extracting(ShadowResult::usedBytes)
                .containsExactly(MB + metaBytes, MB + metaBytes, 0L);
        assertThat(shadow.results().get(0).hitRate()).isCloseTo(0.8, within(1e-9));
        assertThat(shadow().results()).isEmpty();
    }

    @Test
    void onlyThePagesThatWereReadAreThere() {
        ShadowCache shadow = shadow(variant(0, 60, 100 * MB));
        read(shadow, replica(1, 10 * MB), MB + 5, 3 * MB + 5, 1);
        read(shadow, replica(1, 10 * MB), 0, 10 * MB, 1);

        ShadowResult result = shadow.results().get(0);
        assertThat(result.hits()).isEqualTo(3);
        assertThat(result.ssdBytes()).isEqualTo(3 * MB);
        assertThat(result.fills()).isEqualTo(10);
        assertThat(result.clientBytes()).isEqualTo(12 * MB);
    }

    @Test
    void wholeBlocksAreFilledByTheReadThatIsAdmitted() {
        ShadowCache shadow =
                new ShadowCache(List.of(variant(1, 60, 100 * MB)), new Storage(1L << 40, 0, 1_000, 0, 1_000));
        read(shadow, replica(1, 10 * MB), 0, MB, 1);
        assertThat(shadow.results().get(0).fills()).isZero();
        read(shadow, replica(1, 10 * MB), 0, MB, 1);
        assertThat(shadow.results().get(0).fills()).isEqualTo(10);
        assertThat(shadow.results().get(0).hits()).isZero();
        read(shadow, replica(1, 10 * MB), 5 * MB, 7 * MB, 200);

        ShadowResult result = shadow.results().get(0);
        assertThat(result.hits()).isEqualTo(2);
        assertThat(result.ssdBytes()).isEqualTo(2 * MB);
        assertThat(result.fills()).isEqualTo(10);
        assertThat(result.writtenBytes()).isEqualTo(10 * MB + 7 + 4 * 20_480);
    }

    @Test
    void aWholeBlockIsFilledAsFarAsTheWriteBudgetGoes() {
        ShadowCache shadow = new ShadowCache(List.of(variant(0, 60, 100 * MB)), new Storage(1, 0, 1_000, 0, 0.02));
        read(shadow, replica(1, 10 * MB), 0, MB, 1);
        assertThat(shadow.results().get(0).fills()).isEqualTo(1);
        read(shadow, replica(1, 10 * MB), 0, MB, 1 + 24 * 60);
        assertThat(shadow.results().get(0).fills()).isEqualTo(3);
    }

    @Test
    void eachVariantHasItsOwnSize() {
        ShadowCache shadow = shadow(variant(0, 60, 3 * MB), variant(0, 60, 100 * MB));
        for (int round = 0; round < 2; round++) {
            for (int block = 0; block < 4; block++) {
                read(shadow, replica(block, MB), 0, MB, 1);
            }
        }
        ShadowResult small = shadow.results().get(0);
        assertThat(small.ssdBytes()).isZero();
        assertThat(small.evictedBlocks()).isEqualTo(6);
        assertThat(small.usedBytes()).isLessThanOrEqualTo(3 * MB);
        assertThat(shadow.results().get(1).ssdBytes()).isEqualTo(4 * MB);
    }

    @Test
    void theWriteBudgetHoldsHereToo() {
        ShadowCache shadow = new ShadowCache(List.of(variant(0, 60, 100 * MB)), new Storage(1, 0, 1_000, PAGE, 0.02));
        read(shadow, replica(1, 10 * MB), 0, 10 * MB, 1);
        assertThat(shadow.results().get(0).fills()).isEqualTo(1);
        read(shadow, replica(1, 10 * MB), 0, 10 * MB, 1 + 24 * 60);
        assertThat(shadow.results().get(0).fills()).isEqualTo(3);
    }

    @Test
    void whatIsDroppedIsNotThere() {
        ShadowCache shadow = shadow(variant(0, 60, 100 * MB));
        ReplicaVersion other = new ReplicaVersion(new BlockKey("BP-2", 1), 1_001, MB);
        read(shadow, replica(1, MB), 0, MB, 1);
        read(shadow, replica(2, MB), 0, MB, 1);
        read(shadow, other, 0, MB, 1);
        shadow.drop(new BlockKey("BP-1", 1));
        read(shadow, replica(1, MB), 0, MB, 1);
        assertThat(shadow.results().get(0).hits()).isZero();
        shadow.dropBlockPool("BP-1");
        read(shadow, replica(2, MB), 0, MB, 1);
        assertThat(shadow.results().get(0).hits()).isZero();
        read(shadow, other, 0, MB, 1);
        assertThat(shadow.results().get(0).hits()).isEqualTo(1);
    }

    @Test
    @Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
    void bytesBeyondTheBlocksEndAreInNoPage() {
        ShadowCache shadow = shadow(variant(0, 60, 100 * MB));
        read(shadow, replica(1, MB + 5), 0, MB + 9, 1);
        read(shadow, replica(1, MB + 5), MB + 7, MB + 9, 1);
        read(shadow, replica(2, MB), 0, MB + 9, 1);
        assertThat(shadow.results().get(0).fills()).isEqualTo(3);
        assertThat(shadow.results().get(0).hits()).isZero();
    }

    @Test
    void anotherGenerationIsAnotherBlock() {
        ShadowCache shadow = shadow(variant(0, 60, 100 * MB));
        read(shadow, replica(1, MB), 0, MB, 1);
        read(shadow, new ReplicaVersion(new BlockKey("BP-1", 1), 1_002, MB), 0, MB, 1);
        assertThat(shadow.results().get(0).hits()).isZero();
        assertThat(shadow.results().get(0).fills()).isEqualTo(2);
    }
}
