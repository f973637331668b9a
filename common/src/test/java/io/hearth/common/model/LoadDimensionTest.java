// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.common.model;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Arrays;
import java.util.List;
import java.util.function.Function;
import org.junit.jupiter.api.Test;

class LoadDimensionTest {

    private static final List<LoadDimension> ALL = List.of(LoadDimension.values());

    private static <T> List<T> of(Function<LoadDimension, T> name) {
        return ALL.stream().map(name).toList();
    }

    /** Operators' dashboards, scripts and site files have them. */
    @Test
    void namesStayAsTheyAre() {
        assertThat(of(LoadDimension::jsonName))
                .containsSubsequence("readsPerSecond", "writesPerSecond", "storeBytes", "memstoreBytes");
        assertThat(of(LoadDimension::costName))
                .containsSubsequence("readHeatCost", "writeHeatCost", "storeSizeCost", "memstoreHeatCost");
        assertThat(of(LoadDimension::gauge))
                .containsSubsequence(
                        "readsMaxOverMean", "writesMaxOverMean", "storeSizeMaxOverMean", "memstoreMaxOverMean");
        assertThat(of(LoadDimension::tableWeight)).containsSubsequence("READ", "WRITE", "SIZE", "WRITE");
        assertThat(LoadDimension.shown().stream().flatMap(dimension -> dimension.shareName().stream()))
                .containsSubsequence("readShare", "writeShare", "storeShare");
        assertThat(of(LoadDimension::title)).containsSubsequence("Reads", "Writes", "Store size", "Memstore");
        assertThat(of(LoadDimension::unit)).containsSubsequence("ops/s", "ops/s", "bytes", "bytes");
    }

    @Test
    void noTwoDimensionsHaveOneName() {
        for (Function<LoadDimension, Object> name : List.<Function<LoadDimension, Object>>of(
                LoadDimension::label, LoadDimension::jsonName, LoadDimension::costName, LoadDimension::gauge)) {
            assertThat(of(name)).doesNotHaveDuplicates();
        }
    }

    @Test
    void countersComeFirst() {
        assertThat(Arrays.stream(LoadDimension.values()).limit(LoadDimension.counters()))
                .allMatch(LoadDimension::isCounter);
        assertThat(Arrays.stream(LoadDimension.values()).skip(LoadDimension.counters()))
                .noneMatch(LoadDimension::isCounter);
    }
}
