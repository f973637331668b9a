// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.cli.view;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import org.junit.jupiter.api.Test;

class TableTest {

    private static final Table TABLE = new Table(
            List.of(
                    Table.Column.ofText("name", "NAME"),
                    Table.Column.ofFigures("bytes", "SIZE"),
                    Table.Column.ofText("why", ""),
                    Table.Column.inCsv("kind")),
            List.of(
                    List.of(
                            Table.Cell.of("a"),
                            new Table.Cell("1.0 KB", "1024"),
                            Table.Cell.of("it is \"hot\", and new"),
                            Table.Cell.inCsv("X")),
                    List.of(
                            Table.Cell.of("longer"),
                            new Table.Cell("9 B", "9"),
                            Table.Cell.of(""),
                            Table.Cell.inCsv("two\nlines"))));

    @Test
    void aPersonReadsColumnsUnderTheirHeadings() {
        assertThat(TABLE.lines("  "))
                .containsExactly("  NAME      SIZE", "  a       1.0 KB  it is \"hot\", and new", "  longer     9 B");
    }

    @Test
    void objectsAreRowsOfALineEach() {
        Table table = Table.of(
                List.of("a", "longer"),
                List.of(Table.left("name", word -> word), Table.right("size", word -> "" + word.length())));

        assertThat(table.text()).isEqualTo(" name    size\n a          1\n longer     6");
    }

    @Test
    void aProgramReadsCsvWithWhatHasToBeQuoted() {
        assertThat(TABLE.csv())
                .containsExactly(
                        "name,bytes,why,kind", "a,1024,\"it is \"\"hot\"\", and new\",X", "longer,9,,\"two\nlines\"");
    }

    @Test
    void aRowWithACellTooFewIsNone() {
        assertThatThrownBy(() -> new Table(TABLE.columns(), List.of(List.of(Table.Cell.of("a")))))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageStartingWith("a row has 1 cells, and there are 4 columns");
    }
}
