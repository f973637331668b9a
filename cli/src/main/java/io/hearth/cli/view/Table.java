// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.cli.view;

import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/**
 * Rows under names: in columns for a person, as CSV (RFC 4180) for a program. Immutable.
 *
 * @param rows each with a cell for every column
 */
public record Table(List<Column> columns, List<List<Cell>> rows) {

    private static final String BETWEEN = "  ";

    public Table {
        columns = List.copyOf(columns);
        rows = rows.stream().map(List::copyOf).toList();
        int width = columns.size();
        rows.forEach(row -> {
            if (row.size() != width) {
                throw new IllegalArgumentException(
                        "a row has " + row.size() + " cells, and there are " + width + " columns: " + row);
            }
        });
    }

    /**
     * What one column is called.
     *
     * @param name in CSV
     * @param heading for a person; empty for none
     * @param isFigure whether its cells end under one another
     */
    public record Column(String name, String heading, boolean isFigure) {

        public static Column ofText(String name, String heading) {
            return new Column(name, heading, false);
        }

        public static Column ofFigures(String name, String heading) {
            return new Column(name, heading, true);
        }

        /** A column that CSV alone has: its cells are made by {@link Cell#inCsv}. */
        public static Column inCsv(String name) {
            return new Column(name, "", false);
        }
    }

    /**
     * One value.
     *
     * @param shown for a person, with its unit
     * @param value for a program
     */
    public record Cell(String shown, String value) {

        public static Cell of(String text) {
            return new Cell(text, text);
        }

        public static Cell inCsv(String value) {
            return new Cell("", value);
        }
    }

    /**
     * A column of rows that are objects of one type.
     *
     * @param shown what of a row stands in it for a person
     * @param value the same for a program
     */
    public record RowColumn<T>(Column column, Function<T, String> shown, Function<T, String> value) {

        /** The same with this for a program. */
        public RowColumn<T> inCsv(Function<T, String> other) {
            return new RowColumn<>(column, shown, other);
        }
    }

    /** A column of texts, which begin under one another. */
    public static <T> RowColumn<T> left(String heading, Function<T, String> text) {
        return left(heading, heading, text);
    }

    /** A column of figures, which end under one another. */
    public static <T> RowColumn<T> right(String heading, Function<T, String> text) {
        return right(heading, heading, text);
    }

    /** As {@link #left(String, Function)}, with another name in CSV. */
    public static <T> RowColumn<T> left(String name, String heading, Function<T, String> text) {
        return new RowColumn<>(Column.ofText(name, heading), text, text);
    }

    /** As {@link #right(String, Function)}, with another name in CSV. */
    public static <T> RowColumn<T> right(String name, String heading, Function<T, String> text) {
        return new RowColumn<>(Column.ofFigures(name, heading), text, text);
    }

    /** A table for a person: a line for each of these objects. */
    public static <T> Table of(Collection<T> rows, List<RowColumn<T>> columns) {
        return new Table(
                columns.stream().map(RowColumn::column).toList(),
                rows.stream()
                        .map(row -> columns.stream()
                                .map(column -> new Cell(
                                        column.shown().apply(row),
                                        column.value().apply(row)))
                                .toList())
                        .toList());
    }

    /** The table under its headings as one text, each line behind a blank. */
    public String text() {
        return String.join("\n", lines(" "));
    }

    /** The table under its headings, each line behind {@code indent}. */
    public List<String> lines(String indent) {
        List<List<String>> all = new ArrayList<>();
        all.add(columns.stream().map(Column::heading).toList());
        rows.forEach(row -> all.add(row.stream().map(Cell::shown).toList()));
        int[] widths = IntStream.range(0, columns.size())
                .map(column -> all.stream()
                        .mapToInt(row -> row.get(column).length())
                        .max()
                        .orElse(0))
                .toArray();
        return all.stream()
                .map(row -> indent + line(row, widths))
                .map(String::stripTrailing)
                .toList();
    }

    private String line(List<String> row, int[] widths) {
        return IntStream.range(0, widths.length)
                .mapToObj(column -> {
                    String blanks = " ".repeat(widths[column] - row.get(column).length());
                    return columns.get(column).isFigure() ? blanks + row.get(column) : row.get(column) + blanks;
                })
                .collect(Collectors.joining(BETWEEN));
    }

    /** A line of names, and one for each row. */
    public List<String> csv() {
        List<String> lines = new ArrayList<>();
        lines.add(csv(columns, Column::name));
        rows.forEach(row -> lines.add(csv(row, Cell::value)));
        return lines;
    }

    private static <T> String csv(List<T> cells, Function<T, String> text) {
        return cells.stream().map(text).map(Table::quoted).collect(Collectors.joining(","));
    }

    private static String quoted(String value) {
        boolean isPlain = value.chars().noneMatch(letter -> "\",\r\n".indexOf(letter) >= 0);
        return isPlain ? value : '"' + value.replace("\"", "\"\"") + '"';
    }
}
