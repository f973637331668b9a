// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.doctor.capacity;

import static org.assertj.core.api.Assertions.assertThat;

import io.hearth.doctor.model.ProcessConfig;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** The arithmetic of an operator's report on OpenTSDB, by hand. */
class MemstoreSizingTest {

    private static final long MEGABYTE = 1L << 20;
    private static final long GIGABYTE = 1L << 30;

    private static MemstoreSizing report(int regions, int families) {
        return MemstoreSizing.of(12 * GIGABYTE, regions, regions * families, new ProcessConfig(Map.of()));
    }

    @Test
    void memstoresMayFillFourTenthsOfTheHeap() {
        // 12 GB x 0.4 = 4.8 GB.
        assertThat(report(700, 1).roomBytes()).isEqualTo(Math.round(4.8 * GIGABYTE));
    }

    /** Broken (a share of the heap all the same): 4.8 GB, and a warning where there is room for four times as many regions. */
    @Test
    void memstoresOffTheHeapFillWhatIsThereForThem() {
        String megabytes = "hbase.regionserver.offheap.global.memstore.size";
        MemstoreSizing sizing =
                MemstoreSizing.of(12 * GIGABYTE, 600, 600, new ProcessConfig(Map.of(megabytes, "20480")));

        assertThat(sizing.roomBytes()).isEqualTo(20 * GIGABYTE);
        // 20,480 MB / 128 MB = 160; four times that.
        assertThat(sizing.regionsThatDoWell()).isEqualTo(640);
        assertThat(sizing.roomWords()).isEqualTo("20.0 GB off the heap");
        assertThat(sizing.withRegions(10).roomBytes()).isEqualTo(20 * GIGABYTE);
        assertThat(MemstoreSizing.of(
                                12 * GIGABYTE,
                                600,
                                600,
                                new ProcessConfig(
                                        Map.of(megabytes, "20480", "hbase.hregion.memstore.mslab.enabled", "false")))
                        .roomBytes())
                .as("as HBase has it: only with MSLAB")
                .isEqualTo(Math.round(4.8 * GIGABYTE));
    }

    @Test
    void chunksOfSevenHundredRegionsTakeOnePointFourGigabytes() {
        // 700 x 2 MB = 1,400 MB.
        assertThat(report(700, 1).chunksBytes()).isEqualTo(1_400 * MEGABYTE);
        assertThat(report(700, 3).chunksBytes()).isEqualTo(4_200 * MEGABYTE);
    }

    @Test
    void withoutMslabThereAreNoChunks() {
        MemstoreSizing sizing = MemstoreSizing.of(
                12 * GIGABYTE, 700, 700, new ProcessConfig(Map.of("hbase.hregion.memstore.mslab.enabled", "false")));

        assertThat(sizing.chunksBytes()).isZero();
    }

    @Test
    void thirtyEightRegionsFillTheirMemstores() {
        // 12,288 MB x 0.4 / 128 MB = 38.4; four times 38 = 152.
        assertThat(report(700, 1).regionsThatFill()).isEqualTo(38);
        assertThat(report(700, 1).regionsThatDoWell()).isEqualTo(152);
    }

    @Test
    void familiesShareThem() {
        // 38.4 / 2 = 19.2.
        assertThat(report(700, 2).regionsThatFill()).isEqualTo(19);
    }

    @Test
    void aFlushOfSevenHundredRegionsHasSevenMegabytes() {
        // 4,915.2 MB / 700 = 7.02 MB.
        assertThat(report(700, 1).flushBytesIfAlike(700)).isEqualTo(Math.round(4.8 * GIGABYTE) / 700);
        assertThat(report(700, 1).flushBytesIfAlike(700) / MEGABYTE).isEqualTo(7);
    }

    @Test
    void noFlushIsLargerThanAskedFor() {
        assertThat(report(10, 1).flushBytesIfAlike(10)).isEqualTo(128 * MEGABYTE);
        assertThat(report(10, 1).flushBytesIfAlike(0)).isEqualTo(128 * MEGABYTE);
    }

    @Test
    void aHeapThatIsTooSmallForOneMemstoreIsGoodForOneRegion() {
        assertThat(MemstoreSizing.of(100 * MEGABYTE, 3, 3, new ProcessConfig(Map.of()))
                        .regionsThatFill())
                .isEqualTo(1);
    }

    @Test
    void otherRegionsHaveAsManyFamilies() {
        assertThat(report(700, 2).withRegions(100).stores()).isEqualTo(200);
        assertThat(report(0, 1).withRegions(100).stores()).isEqualTo(100);
    }
}
