// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.balancer.heat;

import static org.assertj.core.api.Assertions.assertThat;

import io.hearth.balancer.heat.HeatSnapshot.RegionEntry;
import io.hearth.balancer.heat.ingest.Rates;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;

class HeatCodecTest {

    private static RegionEntry entry(long number, double readsPerSecond) {
        Rates rates = TestRates.of(readsPerSecond, 1);
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
                new LongTermRates.Prior(TestRates.of(90, 2), TestRates.of(400, 0.5), 7_200_000, 6_600_000, 55_000);
        HeatSnapshot kept = new HeatSnapshot(
                1_000,
                List.of(new RegionEntry(
                        0, 1, new InheritedRates(60_000, TestRates.of(100, 1), TestRates.of(140, 3), longTerm))));

        assertThat(HeatCodec.decode(HeatCodec.encode(kept))).contains(kept);
    }

    @Test
    void aLongRunThatIsNoneIsRefusedWithTheWholeOfIt() {
        Rates rates = TestRates.of(1, 1);
        for (LongTermRates.Prior broken : List.of(
                new LongTermRates.Prior(TestRates.of(-1, 0), Rates.NONE, 1, 1, 0),
                new LongTermRates.Prior(Rates.NONE, TestRates.of(0, Double.NaN), 1, 1, 0),
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
                                0, 7, new InheritedRates(60_000, TestRates.of(100, 1), TestRates.of(140, 3))))));
        first.put(0, (byte) 3);
        assertThat(HeatCodec.decode(first.array())).as("of a later one").isEmpty();
    }

    /** A version of Hearth with another number of counters has left its state; what it counts in addition is left out. */
    @Test
    void asManyCountersAreReadAsBothVersionsHave() {
        for (int counters : new int[] {1, 2, 3}) {
            HeatSnapshot read =
                    HeatCodec.decode(ofCounters(counters, 2).array()).orElseThrow();
            int written = counters;
            Rates rates = Rates.of(counter -> counter < written ? 100 + counter : 0);
            LongTermRates.Prior longTerm = new LongTermRates.Prior(rates, rates, 9, 8, 7);
            InheritedRates heat = new InheritedRates(60_000, rates, rates, longTerm);
            assertThat(read)
                    .isEqualTo(
                            new HeatSnapshot(1_000, List.of(new RegionEntry(0, 0, heat), new RegionEntry(0, 1, heat))));
        }
        byte[] cutOff = ofCounters(2, 2).array();
        assertThat(HeatCodec.decode(Arrays.copyOf(cutOff, cutOff.length - 8))).isEmpty();
    }

    private static ByteBuffer ofCounters(int counters, int regions) {
        ByteBuffer bytes = ByteBuffer.allocate(13 + regions * (48 + counters * 16))
                .put(HeatCodec.VERSION)
                .putLong(1_000)
                .putInt(regions);
        for (int region = 0; region < regions; region++) {
            bytes.putLong(0).putLong(region).putLong(60_000);
            for (int value = 0; value < 4 * counters; value++) {
                bytes.putFloat(100 + value % counters);
            }
            bytes.putLong(9).putLong(8).putLong(7);
        }
        return bytes;
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
                        0, 1, new InheritedRates(1, Rates.NONE, TestRates.of(0, Float.POSITIVE_INFINITY)))));

        assertThat(HeatCodec.decode(HeatCodec.encode(unseen))).isEmpty();
        assertThat(HeatCodec.decode(HeatCodec.encode(endless))).isEmpty();
    }
}
