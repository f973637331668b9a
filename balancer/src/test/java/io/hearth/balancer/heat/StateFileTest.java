package io.hearth.balancer.heat;

import static org.assertj.core.api.Assertions.assertThat;

import io.hearth.balancer.heat.HeatSnapshot.RegionEntry;
import io.hearth.balancer.heat.StateFile.Reason;
import io.hearth.balancer.heat.StateFile.Sections;
import io.hearth.balancer.heat.StateFile.Unusable;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class StateFileTest {

    private static final HeatSnapshot SNAPSHOT = new HeatSnapshot(
            1_700_000_000_000L,
            List.of(
                    new RegionEntry(1, 2, new PastHeat(60_000, new Rates(1.5, 2), new Rates(3, 4))),
                    new RegionEntry(-1, 0, new PastHeat(1, Rates.NONE, Rates.NONE))));

    private static final byte[] FILE =
            StateFile.encode(Map.of("heat", HeatCodec.encode(SNAPSHOT), "pins", new byte[] {7, 8, 9}));

    @Test
    void whatWasWrittenIsRead() {
        assertThat(StateFile.decode(FILE)).isInstanceOfSatisfying(Sections.class, sections -> {
            assertThat(sections.bytesByName()).containsOnlyKeys("heat", "pins");
            assertThat(HeatCodec.decode(sections.bytesByName().get("heat"))).contains(SNAPSHOT);
            assertThat(sections.bytesByName().get("pins")).containsExactly(7, 8, 9);
        });
    }

    @Test
    void aSnapshotTakesFortyBytesARegion() {
        assertThat(HeatCodec.encode(SNAPSHOT)).hasSize(13 + 2 * 40);
    }

    @Test
    void aFileThatIsCutOffAnywhereIsTorn() {
        for (int length = 0; length < FILE.length; length++) {
            assertThat(StateFile.decode(Arrays.copyOf(FILE, length)))
                    .as("%d bytes", length)
                    .isEqualTo(new Unusable(Reason.TORN));
        }
    }

    @Test
    void aBitThatChangedAnywhereIsNoticed() {
        for (int bit = 0; bit < FILE.length * 8; bit++) {
            byte[] changed = FILE.clone();
            changed[bit / 8] ^= (byte) (1 << bit % 8);
            assertThat(StateFile.decode(changed)).as("bit %d", bit).isInstanceOf(Unusable.class);
        }
    }

    @Test
    void aNewerVersionIsNotRead() {
        byte[] newer = FILE.clone();
        newer[11] = 2;

        assertThat(StateFile.decode(newer)).isEqualTo(new Unusable(Reason.NEWER));
    }

    @Test
    void aForeignFileIsNotRead() {
        assertThat(StateFile.decode("# a text of somebody's".getBytes(StandardCharsets.UTF_8)))
                .isEqualTo(new Unusable(Reason.FOREIGN));
    }

    @Test
    void aSnapshotOfAnotherVersionOrOfImpossibleRatesIsNotRead() {
        byte[] otherVersion = HeatCodec.encode(SNAPSHOT);
        otherVersion[0] = 2;
        byte[] negative = HeatCodec.encode(new HeatSnapshot(
                1, List.of(new RegionEntry(1, 2, new PastHeat(5, new Rates(-1, 0), new Rates(0, 0))))));
        byte[] notANumber = HeatCodec.encode(new HeatSnapshot(
                1, List.of(new RegionEntry(1, 2, new PastHeat(5, new Rates(Double.NaN, 0), new Rates(0, 0))))));

        assertThat(HeatCodec.decode(otherVersion)).isEmpty();
        assertThat(HeatCodec.decode(negative)).isEmpty();
        assertThat(HeatCodec.decode(notANumber)).isEmpty();
        assertThat(HeatCodec.decode(new byte[3])).isEmpty();
    }
}
