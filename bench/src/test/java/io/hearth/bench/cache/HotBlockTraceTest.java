// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.bench.cache;

import static org.assertj.core.api.Assertions.assertThat;

import io.hearth.bench.cache.HotBlockTrace.Profile;
import io.hearth.bench.cache.HotBlockTrace.Shape;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

class HotBlockTraceTest {

    private static final Shape SMALL = new Shape(500, 20_000, 1.1, 0.1, 0);

    private record Read(long nowMs, long block, long position, long length) {}

    private static List<Read> play(Shape shape, long seed, int hours) {
        List<Read> reads = new ArrayList<>();
        new HotBlockTrace(shape, seed)
                .play(hours, (nowMs, block, position, length) -> reads.add(new Read(nowMs, block, position, length)));
        return reads;
    }

    @Test
    void theSameSeedGivesTheSameReads() {
        assertThat(play(SMALL, 7, 1)).isEqualTo(play(SMALL, 7, 1)).isNotEqualTo(play(SMALL, 8, 1));
    }

    @Test
    void readsAreInTheOrderOfTimeAndWithinTheirBlocks() {
        List<Read> reads = play(SMALL, 1, 2);

        assertThat(reads).hasSize(40_000);
        assertThat(reads).extracting(Read::nowMs).isSorted();
        assertThat(reads.get(0).nowMs()).isZero();
        assertThat(reads.get(39_999).nowMs()).isEqualTo(7_199_820);
        assertThat(reads)
                .allMatch(read -> read.position() >= 0
                        && read.length() >= 4_096
                        && read.position() + read.length() <= HotBlockTrace.BLOCK_BYTES);
    }

    /** A tenth of 500 blocks is new each hour. */
    @Test
    void newBlocksTakeThePlaceOfOthers() {
        Set<Long> first = blocks(play(SMALL, 1, 1));
        Set<Long> all = blocks(play(SMALL, 1, 10));

        assertThat(first).hasSizeBetween(480, 560);
        assertThat(all).hasSizeBetween(900, 1_050);
        assertThat(blocks(play(new Shape(500, 20_000, 1.1, 0, 0), 1, 10))).hasSizeLessThanOrEqualTo(500);
    }

    private static Set<Long> blocks(List<Read> reads) {
        Set<Long> blocks = new HashSet<>();
        reads.forEach(read -> blocks.add(read.block()));
        return blocks;
    }

    @Test
    void aBlockHasEightRangesThatAreReadAgain() {
        long mostRead = play(SMALL, 1, 1).get(0).block();

        assertThat(ranges(play(SMALL, 1, 1), mostRead)).hasSizeBetween(1, HotBlockTrace.RANGES);
        assertThat(ranges(play(SMALL.elsewhere(1), 1, 1), mostRead)).hasSizeGreaterThan(HotBlockTrace.RANGES);
    }

    private static Set<List<Long>> ranges(List<Read> reads, long block) {
        Set<List<Long>> ranges = new HashSet<>();
        reads.stream()
                .filter(read -> read.block() == block)
                .forEach(read -> ranges.add(List.of(read.position(), read.length())));
        return ranges;
    }

    /** What Uber has said of Host1: 89 % of an hour's reads are of its top 10,000 blocks. */
    @Test
    void tenThousandBlocksOfHost1GetNineReadsInTen() {
        Profile profile = new HotBlockTrace(Shape.HOST1, 1).profile(2, 10_000);

        assertThat(profile.topShare()).isBetween(0.89, 0.91);
        assertThat(profile.shareBelowMebibyte()).isBetween(0.88, 0.92);
        assertThat(profile.meanBytes()).isBetween(400e3, 550e3);
    }

    @Test
    void theProfileIsThatOfEachHour() {
        Profile profile = new HotBlockTrace(new Shape(4, 1_000, 0, 0, 0), 1).profile(3, 4);

        assertThat(profile.topShare()).isEqualTo(1);
        assertThat(profile.blocksPerHour()).isEqualTo(4);
    }
}
