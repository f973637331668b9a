// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.testkit.measure;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import org.junit.jupiter.api.Test;

class KeySpaceTest {
    private final KeySpace keys = new KeySpace(60, 1_000);

    @Test
    void a_table_is_split_once_less_than_it_has_regions() {
        assertThat(keys.splitKeys()).hasNumberOfRows(59);
        assertThat(keys.splitKeys()[0]).asString(StandardCharsets.US_ASCII).isEqualTo("0001-");
        assertThat(keys.rows()).isEqualTo(60_000);
    }

    @Test
    void every_row_lies_in_the_region_that_its_key_names() {
        for (int region = 0; region < 60; region++) {
            for (int row : new int[] {0, 999}) {
                assertThat(regionOf(keys.row(region, row))).isEqualTo(region);
            }
        }
    }

    @Test
    void the_start_key_says_which_region_it_is() {
        assertThat(keys.regionStartingWith(new byte[0])).isZero();
        assertThat(keys.regionStartingWith(keys.splitKeys()[41])).isEqualTo(42);
    }

    private int regionOf(byte[] row) {
        return (int) Arrays.stream(keys.splitKeys())
                .filter(split -> Arrays.compareUnsigned(split, row) <= 0)
                .count();
    }
}
