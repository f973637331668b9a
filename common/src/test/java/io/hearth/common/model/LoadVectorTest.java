// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.common.model;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;

class LoadVectorTest {

    @Test
    void holdsOneValueADimension() {
        LoadVector load = LoadVector.ofReads(1).withWrites(2).withStoreBytes(3).with(LoadDimension.MEMSTORE, 4);

        assertThat(load.get(LoadDimension.READS)).isEqualTo(1);
        assertThat(load.get(LoadDimension.WRITES)).isEqualTo(2);
        assertThat(load.get(LoadDimension.STORE_SIZE)).isEqualTo(3);
        assertThat(load.get(LoadDimension.MEMSTORE)).isEqualTo(4);
        assertThat(load.requestsPerSecond()).as("reads and writes").isEqualTo(3);
        assertThat(load)
                .isEqualTo(LoadVector.ofReads(1).withWrites(2).withStoreBytes(3).with(LoadDimension.MEMSTORE, 4))
                .isNotEqualTo(LoadVector.ofReads(1).withWrites(2).withStoreBytes(3))
                .isNotEqualTo(LoadVector.ZERO);
        assertThat(load.toString())
                .startsWith("[reads 1.0 ops/s, writes 2.0 ops/s, ")
                .endsWith("store size 3.0 bytes, memstore 4.0 bytes]");
    }

    @Test
    void changesOneDimensionAndLeavesTheOthers() {
        LoadVector load = LoadVector.ofReads(1).withWrites(2).withStoreBytes(3).with(LoadDimension.MEMSTORE, 4);

        assertThat(load.withReads(5))
                .isEqualTo(LoadVector.ofReads(5).withWrites(2).withStoreBytes(3).with(LoadDimension.MEMSTORE, 4));
        assertThat(load.get(LoadDimension.READS)).isEqualTo(1);
        assertThat(LoadVector.of(dimension -> 10.0 * load.get(dimension)))
                .isEqualTo(
                        LoadVector.ofReads(10).withWrites(20).withStoreBytes(30).with(LoadDimension.MEMSTORE, 40));
    }

    @Test
    void refusesWhatIsNoLoad() {
        assertThatThrownBy(() -> LoadVector.ofWrites(-1))
                .hasMessage("The load in writes is -1.0: it must be finite and at least 0.");
        assertThatThrownBy(() -> LoadVector.ofReads(Double.NaN))
                .hasMessage("The load in reads is NaN: it must be finite and at least 0.");
        assertThatThrownBy(() -> LoadVector.of(dimension -> -1))
                .hasMessage("The load in reads is -1.0: it must be finite and at least 0.");
        assertThatThrownBy(() -> LoadVector.ZERO.withStoreBytes(Double.POSITIVE_INFINITY))
                .hasMessage("The load in store size is Infinity: it must be finite and at least 0.");
    }
}
