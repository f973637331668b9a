// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.testkit.load;

import static org.assertj.core.api.Assertions.assertThat;

import io.hearth.testkit.load.LoadDriver.RowOrder;
import io.hearth.testkit.measure.KeySpace;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;

class RowOrderTest {

    private final KeySpace keys = new KeySpace(4, 10);

    private static String text(byte[] row) {
        return new String(row, StandardCharsets.US_ASCII);
    }

    @Test
    void theLowestNumbersAreInTheRegionsThatComeFirst() {
        RowOrder order = RowOrder.shuffled(keys, 5).startingWith(List.of(2, 0));

        assertThat(text(order.row(0))).isEqualTo("0002-000000");
        assertThat(text(order.row(19))).isEqualTo("0000-000009");
        assertThat(order.regions()).hasSize(4).containsExactlyInAnyOrder(0, 1, 2, 3);
    }

    @Test
    void everyNumberIsARowOfItsOwnAlsoThoseThatAreInserted() {
        RowOrder order = RowOrder.shuffled(keys, 7);
        TreeSet<String> rows = new TreeSet<>();
        for (long number = 0; number < 60; number++) {
            rows.add(text(order.row(number)));
        }

        assertThat(rows).hasSize(60);
        assertThat(rows.last()).as("inserts go to the table's end").isEqualTo("0003-000029");
    }

    @Test
    void aSeedMakesTheSameOrderAgain() {
        assertThat(RowOrder.shuffled(keys, 3)).isEqualTo(RowOrder.shuffled(keys, 3));
    }
}
