// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.datanode.cache;

import static org.assertj.core.api.Assertions.assertThat;

import io.hearth.datanode.cache.BlockKey.ReplicaVersion;
import io.hearth.datanode.cache.PageStore.PageFile;
import io.hearth.datanode.cache.ReplicaMeta.Header;
import io.hearth.datanode.cache.ReplicaMeta.SumType;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class CacheIndexTest {

    private static final int META_BYTES = 11;
    private static final long PLENTY = 1L << 40;
    private final CacheIndex index = new CacheIndex();
    private final List<CachedBlock> evicted = new ArrayList<>();
    private long lastId;

    /** A block of 250 bytes in pages of 100, with a meta file of 11. */
    private CachedBlock block(String blockPool, long id) {
        ReplicaMeta.Builder meta = new ReplicaMeta.Builder(new Header(SumType.CRC32C, 512), 250);
        meta.add(ByteBuffer.allocate(META_BYTES));
        return CachedBlock.created(
                new ReplicaVersion(new BlockKey(blockPool, id), 1_001, 250),
                new PageFile(++lastId, 250, 100),
                new PageFile(++lastId, META_BYTES, 1 << 20),
                meta.build());
    }

    private CachedBlock added(long id) {
        CachedBlock block = block("BP-1", id);
        assertThat(index.reserve(META_BYTES, PLENTY, null, evicted)).isTrue();
        assertThat(index.add(block, 1_000, evicted)).isTrue();
        return block;
    }

    private void fill(CachedBlock block, int page) {
        assertThat(block.claim(page)).isTrue();
        assertThat(index.reserve(block.dataFile().lengthOf(page), PLENTY, block, evicted))
                .isTrue();
        assertThat(index.filled(block, page)).isTrue();
        block.unclaim(page);
    }

    /** Others may take of an SSD that is full: the limit is lower then, and nothing waits for its deletion. */
    @Test
    void whatIsAboveALoweredLimitWaitsForNoDeletion() {
        for (long id = 1; id <= 10; id++) {
            added(id);
        }
        assertThat(index.isAheadOfDeletions(50, 20))
                .as("110 bytes, none to be deleted")
                .isFalse();

        index.drop(block("BP-1", 1).key());
        index.drop(block("BP-1", 2).key());
        assertThat(index.isAheadOfDeletions(50, 20))
                .as("88 and 22 to be deleted")
                .isTrue();
        assertThat(index.isAheadOfDeletions(90, 20))
                .as("as much as may be there")
                .isFalse();
        index.deleted(11);
        assertThat(index.isAheadOfDeletions(50, 20)).isFalse();
    }

    @Test
    void everyByteIsCounted() {
        CachedBlock block = added(1);
        assertThat(index.usage().bytes()).isEqualTo(11);
        fill(block, 0);
        fill(block, 2);
        assertThat(block.bytes()).isEqualTo(11 + 100 + 50);
        assertThat(index.usage().bytes()).isEqualTo(161);
        assertThat(index.drop(block.key())).contains(block);
        assertThat(index.usage())
                .isEqualTo(new CacheIndex.Usage(0, 0, index.usage().changes()));
    }

    @Test
    void aPageIsFilledByOneThread() {
        CachedBlock block = added(1);
        assertThat(block.claim(1)).isTrue();
        assertThat(block.claim(1)).isFalse();
        assertThat(block.nextAbsent(1)).isEqualTo(2);
        block.unclaim(1);
        assertThat(block.nextAbsent(1)).isEqualTo(1);
        fill(block, 1);
        assertThat(block.claim(1)).isFalse();
        assertThat(block.has(1)).isTrue();
        fill(block, 0);
        fill(block, 2);
        assertThat(block.nextAbsent(0)).isEqualTo(-1);
    }

    @Test
    void theLeastRecentlyReadBlockGoesFirst() {
        CachedBlock first = added(1);
        CachedBlock second = added(2);
        CachedBlock third = added(3);
        index.touch(first.key());

        assertThat(index.reserve(100, 22 + 100, first, evicted)).isTrue();
        assertThat(evicted).containsExactly(second);
        assertThat(second.isDropped()).isTrue();
        assertThat(third.isDropped()).isFalse();
        assertThat(index.usage().bytes()).isEqualTo(22 + 100);
    }

    @Test
    void theBlockThatIsFilledIsNotEvictedForItself() {
        CachedBlock first = added(1);
        CachedBlock second = added(2);

        assertThat(index.reserve(100, 111, first, evicted)).isTrue();
        assertThat(evicted).containsExactly(second);
        assertThat(index.filled(first, 0)).isTrue();
        assertThat(index.reserve(100, 111, first, evicted)).isFalse();
        assertThat(first.isDropped()).isFalse();
    }

    @Test
    void nothingIsEvictedForWhatDoesNotFitAnyway() {
        CachedBlock block = added(1);
        assertThat(index.reserve(101, 100, null, evicted)).isFalse();
        assertThat(index.reserve(60, 100, null, evicted)).isTrue();
        assertThat(index.reserve(41, 100, null, evicted)).isFalse();
        assertThat(evicted).isEmpty();
        assertThat(block.isDropped()).isFalse();
        index.release(60);
        assertThat(index.reserve(89, 100, null, evicted)).isTrue();
        assertThat(evicted).isEmpty();
    }

    @Test
    void aPageOfADroppedBlockIsNotThere() {
        CachedBlock block = added(1);
        block.claim(0);
        index.reserve(100, PLENTY, block, evicted);
        index.drop(block);

        assertThat(index.filled(block, 0)).isFalse();
        assertThat(block.has(0)).isFalse();
        assertThat(block.claim(1)).isFalse();
        assertThat(index.usage().bytes()).isEqualTo(100);
        index.release(100);
        assertThat(index.usage().bytes()).isZero();
    }

    @Test
    void aDropMeansThatVeryBlock() {
        CachedBlock old = added(1);
        index.drop(old.key());
        CachedBlock fresh = added(1);

        assertThat(index.drop(old)).isFalse();
        assertThat(index.touch(fresh.key())).contains(fresh);
        assertThat(index.add(block("BP-1", 1), 1_000, evicted)).isFalse();
        assertThat(index.touch(new BlockKey("BP-2", 1))).isEmpty();
    }

    @Test
    void theNumberOfBlocksHasALimit() {
        CachedBlock first = added(1);
        CachedBlock second = added(2);
        index.reserve(META_BYTES, PLENTY, null, evicted);
        index.add(block("BP-2", 1), 2, evicted);

        assertThat(evicted).containsExactly(first);
        assertThat(index.usage().bytes()).isEqualTo(22);
        assertThat(index.shrink(PLENTY, 1)).containsExactly(second);
        assertThat(index.shrink(0, 1)).hasSize(1);
        assertThat(index.usage().bytes()).isZero();
    }

    @Test
    void aRestoredBlockCountsWithItsPagesAndOnlyIfThereIsRoom() {
        BitSet pages = new BitSet();
        pages.set(0);
        pages.set(2);
        CachedBlock like = block("BP-1", 7);
        CachedBlock restored = CachedBlock.restored(like.version(), like.dataFile(), like.metaFile(), pages);

        assertThat(index.addRestored(restored, 160, 10)).isFalse();
        assertThat(index.addRestored(restored, 161, 0)).isFalse();
        assertThat(index.addRestored(restored, 161, 10)).isTrue();
        assertThat(index.addRestored(restored, 10_000, 10)).isFalse();
        assertThat(index.usage().bytes()).isEqualTo(161);
        assertThat(restored.isRestored()).isTrue();
    }

    @Test
    void aRestoredBlockIsConfirmedByOneThread() {
        CachedBlock like = block("BP-1", 7);
        CachedBlock restored = CachedBlock.restored(like.version(), like.dataFile(), like.metaFile(), new BitSet());

        assertThat(restored.meta()).isEmpty();
        assertThat(restored.beginConfirm()).isTrue();
        assertThat(restored.beginConfirm()).isFalse();
        restored.endConfirm(Optional.empty());
        assertThat(restored.beginConfirm()).isTrue();
        restored.endConfirm(like.meta());
        assertThat(restored.beginConfirm()).isFalse();
        assertThat(restored.meta()).isPresent();
    }

    /** Whatever happens: what is counted is what the blocks have, and no more than the limit. */
    @ParameterizedTest(name = "seed {0}")
    @ValueSource(longs = {1, 2, 3, 4, 5, 6})
    void theCountIsThatOfTheBlocks(long seed) {
        Random random = new Random(seed);
        long maxBytes = 2_000;
        for (int step = 0; step < 20_000; step++) {
            BlockKey key = new BlockKey("BP-" + random.nextInt(2), random.nextInt(20));
            Optional<CachedBlock> there = index.touch(key);
            if (there.isEmpty()) {
                if (index.reserve(META_BYTES, maxBytes, null, evicted)) {
                    assertThat(index.add(block(key.blockPool(), key.blockId()), 15, evicted))
                            .isTrue();
                }
            } else if (random.nextInt(10) == 0) {
                index.drop(key);
            } else {
                step(there.get(), random, maxBytes);
            }
            long bytes = index.blocks().stream().mapToLong(CachedBlock::bytes).sum();
            assertThat(index.usage().bytes()).as("seed %s step %s", seed, step).isEqualTo(bytes);
            assertThat(bytes).as("seed %s step %s", seed, step).isLessThanOrEqualTo(maxBytes);
            assertThat(index.usage().blocks()).isLessThanOrEqualTo(15);
        }
        assertThat(evicted).as("seed %s", seed).isNotEmpty().allMatch(CachedBlock::isDropped);
    }

    private void step(CachedBlock block, Random random, long maxBytes) {
        int page = random.nextInt(3);
        int length = block.dataFile().lengthOf(page);
        if (!block.claim(page)) {
            return;
        }
        if (index.reserve(length, maxBytes, block, evicted)) {
            boolean isDroppedMeanwhile = random.nextInt(8) == 0 && index.drop(block);
            boolean isPut = random.nextInt(8) > 0;
            if (!isPut || !index.filled(block, page)) {
                index.release(length);
            }
            assertThat(isDroppedMeanwhile && block.has(page)).isFalse();
        }
        block.unclaim(page);
    }
}
