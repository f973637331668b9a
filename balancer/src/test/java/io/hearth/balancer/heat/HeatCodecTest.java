// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.balancer.heat;

import static org.assertj.core.api.Assertions.assertThat;

import io.hearth.balancer.heat.HeatSnapshot.RegionEntry;
import java.nio.ByteBuffer;
import java.util.List;
import org.junit.jupiter.api.Test;

class HeatCodecTest {

    private static RegionEntry entry(long number, double readsPerSecond) {
        Rates rates = new Rates(readsPerSecond, 1);
        return new RegionEntry(0, number, new InheritedRates(60_000, rates, rates));
    }

    @Test
    void aRateThatNoServerCanHaveIsNotTakenOverAndTheOthersAre() {
        HeatSnapshot kept = new HeatSnapshot(1_000, List.of(entry(1, 100), entry(2, 1e13), entry(3, 300)));

        assertThat(HeatCodec.decode(HeatCodec.encode(kept)))
                .contains(new HeatSnapshot(1_000, List.of(entry(1, 100), entry(3, 300))));
    }

    @Test
    void whatARegionCarriesInTheLongRunIsKept() {
        LongTermRates.Prior longTerm =
                new LongTermRates.Prior(new Rates(90, 2), new Rates(400, 0.5), 7_200_000, 6_600_000, 55_000);
        HeatSnapshot kept = new HeatSnapshot(
                1_000,
                List.of(new RegionEntry(
                        0, 1, new InheritedRates(60_000, new Rates(100, 1), new Rates(140, 3), longTerm))));

        assertThat(HeatCodec.decode(HeatCodec.encode(kept))).contains(kept);
    }

    @Test
    void aLongRunThatIsNoneIsRefusedWithTheWholeOfIt() {
        Rates rates = new Rates(1, 1);
        for (LongTermRates.Prior broken : List.of(
                new LongTermRates.Prior(new Rates(-1, 0), Rates.NONE, 1, 1, 0),
                new LongTermRates.Prior(Rates.NONE, new Rates(0, Double.NaN), 1, 1, 0),
                new LongTermRates.Prior(Rates.NONE, Rates.NONE, -1, 1, 0),
                new LongTermRates.Prior(Rates.NONE, Rates.NONE, 1, -1, 0))) {
            HeatSnapshot kept = new HeatSnapshot(
                    1_000, List.of(new RegionEntry(0, 1, new InheritedRates(1, rates, rates, broken))));
            assertThat(HeatCodec.decode(HeatCodec.encode(kept)))
                    .as("%s", broken)
                    .isEmpty();
        }
    }

    /** Of a master before this one, as it wrote them: 40 bytes for each region. */
    @Test
    void snapshotsOfTheFirstVersionAreRead() {
        ByteBuffer first =
                ByteBuffer.allocate(13 + 40).put((byte) 1).putLong(1_000).putInt(1);
        first.putLong(0)
                .putLong(7)
                .putLong(60_000)
                .putFloat(100)
                .putFloat(1)
                .putFloat(140)
                .putFloat(3);

        assertThat(HeatCodec.decode(first.array()))
                .contains(new HeatSnapshot(
                        1_000,
                        List.of(new RegionEntry(
                                0, 7, new InheritedRates(60_000, new Rates(100, 1), new Rates(140, 3))))));
        first.put(0, (byte) 3);
        assertThat(HeatCodec.decode(first.array())).as("of a later one").isEmpty();
    }

    @Test
    void aSnapshotOfNoRegionsIsOne() {
        HeatSnapshot none = new HeatSnapshot(1_000, List.of());

        assertThat(HeatCodec.decode(HeatCodec.encode(none))).contains(none);
    }

    @Test
    void aRegionThatWasNotSeenIsNone() {
        HeatSnapshot unseen =
                new HeatSnapshot(1_000, List.of(new RegionEntry(0, 1, new InheritedRates(0, Rates.NONE, Rates.NONE))));
        HeatSnapshot endless = new HeatSnapshot(
                1_000,
                List.of(new RegionEntry(
                        0, 1, new InheritedRates(1, Rates.NONE, new Rates(0, Float.POSITIVE_INFINITY)))));

        assertThat(HeatCodec.decode(HeatCodec.encode(unseen))).isEmpty();
        assertThat(HeatCodec.decode(HeatCodec.encode(endless))).isEmpty();
    }
}
