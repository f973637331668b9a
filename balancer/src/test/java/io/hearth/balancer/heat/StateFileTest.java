// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.balancer.heat;

import static org.assertj.core.api.Assertions.assertThat;

import io.hearth.balancer.heat.HeatSnapshot.RegionEntry;
import io.hearth.balancer.heat.StateFile.Reason;
import io.hearth.balancer.heat.StateFile.Sections;
import io.hearth.balancer.heat.StateFile.Unusable;
import io.hearth.balancer.heat.ingest.Rates;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.zip.CRC32C;
import org.junit.jupiter.api.Test;

class StateFileTest {

    private static final HeatSnapshot SNAPSHOT = new HeatSnapshot(
            1_700_000_000_000L,
            List.of(
                    new RegionEntry(1, 2, new InheritedRates(60_000, TestRates.of(1.5, 2), TestRates.of(3, 4))),
                    new RegionEntry(-1, 0, new InheritedRates(1, Rates.NONE, Rates.NONE))));

    /** Not static: each test has it written by the code that it tests. */
    private final byte[] file =
            StateFile.encode(Map.of("heat", HeatCodec.encode(SNAPSHOT), "pins", new byte[] {7, 8, 9}));

    @Test
    void whatWasWrittenIsRead() {
        assertThat(StateFile.decode(file)).isInstanceOfSatisfying(Sections.class, sections -> {
            assertThat(sections.bytesByName()).containsOnlyKeys("heat", "pins");
            assertThat(HeatCodec.decode(sections.bytesByName().get("heat"))).contains(SNAPSHOT);
            assertThat(sections.bytesByName().get("pins")).containsExactly(7, 8, 9);
        });
    }

    @Test
    void aSnapshotTakesEightyBytesARegionOfTwoCounters() {
        assertThat(HeatCodec.encode(SNAPSHOT)).hasSize(13 + 2 * (48 + 16 * Rates.COUNTERS));
    }

    @Test
    void aFileThatIsCutOffAnywhereIsTorn() {
        for (int length = 0; length < file.length; length++) {
            assertThat(StateFile.decode(Arrays.copyOf(file, length)))
                    .as("%d bytes", length)
                    .isEqualTo(new Unusable(Reason.CORRUPT));
        }
    }

    @Test
    void aBitThatChangedAnywhereIsNoticed() {
        for (int bit = 0; bit < file.length * 8; bit++) {
            byte[] changed = file.clone();
            changed[bit / 8] ^= (byte) (1 << bit % 8);
            assertThat(StateFile.decode(changed)).as("bit %d", bit).isInstanceOf(Unusable.class);
        }
    }

    @Test
    void aNewerVersionIsNotRead() {
        byte[] newer = file.clone();
        newer[11] = 2;

        assertThat(StateFile.decode(newer)).isEqualTo(new Unusable(Reason.NEWER));
    }

    @Test
    void eachReasonHasItsWords() {
        assertThat(List.of(
                        Reason.UNRECOGNIZED.text(),
                        Reason.NEWER.text(),
                        Reason.CORRUPT.text(),
                        Reason.TOO_LARGE.text()))
                .containsExactly(
                        "it is not a file of Hearth",
                        "it was written by a newer version of Hearth",
                        "it is cut off or damaged",
                        "it is larger than a state file may be");
    }

    @Test
    void aFileWithoutSectionsIsOne() {
        assertThat(StateFile.decode(StateFile.encode(Map.of())))
                .isInstanceOfSatisfying(Sections.class, sections -> assertThat(sections.bytesByName())
                        .isEmpty());
        assertThat(StateFile.decode(StateFile.encode(Map.of("empty", new byte[0]))))
                .isInstanceOfSatisfying(Sections.class, sections -> assertThat(sections.bytesByName())
                        .containsOnlyKeys("empty"));
    }

    /** Whole by its checksum, and yet a section is longer than what is left, or than nothing. */
    @Test
    void aSectionThatIsLongerThanTheFileIsTorn() {
        for (int length : new int[] {8, -1, Integer.MAX_VALUE}) {
            ByteBuffer bytes = ByteBuffer.wrap(StateFile.encode(Map.of("s", new byte[] {7, 8, 9})));
            bytes.putInt(19, length);
            CRC32C checksum = new CRC32C();
            checksum.update(bytes.array(), 0, bytes.capacity() - 4);
            bytes.putInt(bytes.capacity() - 4, (int) checksum.getValue());
            assertThat(StateFile.decode(bytes.array())).as("%d", length).isEqualTo(new Unusable(Reason.CORRUPT));
        }
    }

    @Test
    void aForeignFileIsNotRead() {
        assertThat(StateFile.decode("# a text of somebody's".getBytes(StandardCharsets.UTF_8)))
                .isEqualTo(new Unusable(Reason.UNRECOGNIZED));
        assertThat(StateFile.decode(new byte[8])).isEqualTo(new Unusable(Reason.UNRECOGNIZED));
        assertThat(StateFile.decode(new byte[7])).as("too short to say").isEqualTo(new Unusable(Reason.CORRUPT));
    }

    @Test
    void aSnapshotOfAnotherVersionOrOfImpossibleRatesIsNotRead() {
        byte[] otherVersion = HeatCodec.encode(SNAPSHOT);
        otherVersion[0] = HeatCodec.VERSION + 1;
        byte[] negative = HeatCodec.encode(new HeatSnapshot(
                1, List.of(new RegionEntry(1, 2, new InheritedRates(5, TestRates.of(-1, 0), TestRates.of(0, 0))))));
        byte[] notANumber = HeatCodec.encode(new HeatSnapshot(
                1,
                List.of(new RegionEntry(
                        1, 2, new InheritedRates(5, TestRates.of(Double.NaN, 0), TestRates.of(0, 0))))));

        assertThat(HeatCodec.decode(otherVersion)).isEmpty();
        assertThat(HeatCodec.decode(negative)).isEmpty();
        assertThat(HeatCodec.decode(notANumber)).isEmpty();
        assertThat(HeatCodec.decode(new byte[3])).isEmpty();
    }
}
