// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.doctor.capacity;

import static org.assertj.core.api.Assertions.assertThat;

import io.hearth.doctor.capacity.TableStore.Access;
import io.hearth.doctor.capacity.TableStore.Family;
import io.hearth.doctor.capacity.TableStore.Files;
import io.hearth.doctor.capacity.TableStore.Reads;
import io.hearth.doctor.model.ProbedCluster.ProbeResult;
import java.util.List;
import org.junit.jupiter.api.Test;

class BlockSizingTest {

    private static final long KILOBYTE = 1L << 10;
    private static final long MEGABYTE = 1L << 20;
    private static final long GIGABYTE = 1L << 30;
    private static final long CACHES = 10 * GIGABYTE;

    private static TableStore table(int blockBytes, long gets, long scans, long cellBytes, long indexBytes) {
        return new TableStore(
                "t",
                List.of(GIGABYTE),
                new Files(3, 0, 100 * GIGABYTE, indexBytes, MEGABYTE),
                List.of(new Family("f", blockBytes)),
                new Access(
                        ProbeResult.known(new Reads(gets, scans)),
                        ProbeResult.unknown("not asked"),
                        ProbeResult.known(cellBytes),
                        ProbeResult.unknown("not asked")));
    }

    private static BlockSizing sizing(int blockBytes, long gets, long scans, long cellBytes, long indexBytes) {
        return BlockSizing.of(table(blockBytes, gets, scans, cellBytes, indexBytes), CACHES);
    }

    @Test
    void theIndexGrowsFourfoldFromSixtyFourToSixteen() {
        BlockSizing sizing = sizing(65_536, 90_000, 10_000, 400, 100 * MEGABYTE);

        assertThat(sizing.index16Bytes()).isEqualTo(400 * MEGABYTE);
        assertThat(sizing.index32Bytes()).isEqualTo(200 * MEGABYTE);
    }

    @Test
    void aTableOfGetsAndSmallCellsGainsBySixteen() {
        BlockSizing sizing = sizing(65_536, 90_000, 10_000, 400, 100 * MEGABYTE);

        assertThat(sizing.advisedBytes()).contains(16_384);
        assertThat(sizing.why())
                .isEqualTo(
                        "a get that misses reads 16.0 KB instead of 64.0 KB, the cache holds 4 times as many of the rows"
                                + " asked for, and the index grows from 100.0 MB to 400.0 MB");
    }

    /** Four times 600 MB are more than a fifth of 10 GB, twice are not. */
    @Test
    void whereTheIndexOfSixteenIsTooLargeItIsThirtyTwo() {
        assertThat(sizing(65_536, 90_000, 10_000, 400, 600 * MEGABYTE).advisedBytes())
                .contains(32_768);
        assertThat(sizing(65_536, 90_000, 10_000, 400, 2 * GIGABYTE))
                .satisfies(none -> assertThat(none.advisedBytes()).isEmpty())
                .satisfies(none -> assertThat(none.why())
                        .isEqualTo("its index would take 8.0 GB of the 10.0 GB that all block caches have"));
    }

    @Test
    void aTableThatIsScannedKeepsItsBlocks() {
        BlockSizing sizing = sizing(65_536, 50_000, 50_000, 400, MEGABYTE);

        assertThat(sizing.advisedBytes()).isEmpty();
        assertThat(sizing.why()).isEqualTo("scans read one block after another: larger blocks serve them better");
    }

    @Test
    void smallBlocksAndLargeCellsAndFewReadsKeepThem() {
        assertThat(sizing(16_384, 90_000, 0, 400, MEGABYTE).why()).isEqualTo("its blocks are small");
        assertThat(sizing(65_536, 90_000, 0, 20 * KILOBYTE, MEGABYTE).why())
                .isEqualTo("its cells of 20.0 KB fill such blocks");
        // 4 cells of 6 KB fit into 32 KB, which it has, and not into 16.
        assertThat(sizing(32_768, 90_000, 0, 6 * KILOBYTE, MEGABYTE).why())
                .isEqualTo("its cells of 6.0 KB fill such blocks");
        assertThat(sizing(65_536, 999, 0, 400, MEGABYTE).why()).isEqualTo("it is hardly read");
        // 4 cells of 8 KB are 32 KB.
        assertThat(sizing(65_536, 90_000, 0, 8 * KILOBYTE, MEGABYTE).advisedBytes())
                .contains(32_768);
    }

    @Test
    void whatIsNotKnownIsSaidAndNothingIsAdvised() {
        TableStore known = table(65_536, 90_000, 0, 400, MEGABYTE);

        BlockSizing withoutReads = BlockSizing.of(
                new TableStore(
                        "t",
                        known.regionBytes(),
                        known.files(),
                        known.families(),
                        new Access(
                                ProbeResult.unknown("nobody counts"),
                                known.access().flushes(),
                                known.access().meanCellBytes(),
                                known.access().cacheHitShare())),
                CACHES);
        BlockSizing withoutCells = BlockSizing.of(
                new TableStore(
                        "t",
                        known.regionBytes(),
                        known.files(),
                        known.families(),
                        new Access(
                                known.access().reads(),
                                known.access().flushes(),
                                ProbeResult.unknown("Permission denied"),
                                known.access().cacheHitShare())),
                CACHES);

        assertThat(withoutReads.why()).isEqualTo("its reads are not known: nobody counts");
        assertThat(withoutCells.why()).isEqualTo("its cells are not known: Permission denied");
        assertThat(BlockSizing.of(known, 0).why()).isEqualTo("how large the block caches are is not known");
        assertThat(List.of(withoutReads, withoutCells))
                .allSatisfy(one -> assertThat(one.advisedBytes()).isEmpty());
    }
}
