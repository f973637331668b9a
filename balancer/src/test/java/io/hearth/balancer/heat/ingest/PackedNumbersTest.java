// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.balancer.heat.ingest;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;

class PackedNumbersTest {

    private final byte[] packed = new byte[25];

    @Test
    void numbersOfAllTypesStandSideBySideAtAnyOffset() {
        PackedNumbers.putLong(packed, 0, Long.MIN_VALUE + 7);
        PackedNumbers.putFloat(packed, 8, 1.5f);
        PackedNumbers.putDouble(packed, 12, -Math.PI);
        PackedNumbers.putInt(packed, 20, -12);
        packed[24] = 99;

        assertThat(PackedNumbers.getLong(packed, 0)).isEqualTo(Long.MIN_VALUE + 7);
        assertThat(PackedNumbers.getFloat(packed, 8)).isEqualTo(1.5f);
        assertThat(PackedNumbers.getDouble(packed, 12)).isEqualTo(-Math.PI);
        assertThat(PackedNumbers.getInt(packed, 20)).isEqualTo(-12);
        assertThat(packed[24]).isEqualTo((byte) 99);
    }

    @Test
    void aNumberThatDoesNotFitIsRefused() {
        assertThatThrownBy(() -> PackedNumbers.putLong(packed, 18, 1)).isInstanceOf(IndexOutOfBoundsException.class);
        assertThatThrownBy(() -> PackedNumbers.getInt(packed, -1)).isInstanceOf(IndexOutOfBoundsException.class);
    }

    @Test
    void ratesAreKeptAsDoublesOrRoundedToFloats() {
        Rates rates = Rates.of(counter -> 1.0 / (3 + counter));
        byte[] room = new byte[1 + Rates.COUNTERS * (Double.BYTES + Float.BYTES)];
        int floats = 1 + Rates.COUNTERS * Double.BYTES;
        rates.putDoubles(room, 1);
        rates.putFloats(room, floats);

        assertThat(Rates.doublesIn(room, 1)).isEqualTo(rates);
        assertThat(Rates.floatsIn(room, floats)).isEqualTo(Rates.of(counter -> (float) (1.0 / (3 + counter))));

        Rates newer = Rates.of(counter -> 5);
        newer.blendDoubles(room, 1, 0.25);
        newer.blendFloats(room, floats, 0.25);
        Rates blended = rates.towards(newer, 0.25);
        assertThat(Rates.doublesIn(room, 1)).isEqualTo(blended);
        assertThat(Rates.floatsIn(room, floats)).isEqualTo(Rates.of(counter ->
                (float) ((float) (1.0 / (3 + counter)) + (5 - (double) (float) (1.0 / (3 + counter))) * 0.25)));
    }
}
