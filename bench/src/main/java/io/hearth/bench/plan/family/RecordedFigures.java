// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.bench.plan.family;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;

/**
 * Figures of plans that were measured once and are kept beside the code: one line for each cluster, tab by tab under a line with
 * the columns' names; lines that begin with # say where they come from. Immutable.
 */
final class RecordedFigures {

    private static final List<String> KEY = List.of("family", "servers", "regions_per_server", "seed");

    private final Map<List<String>, Figures> byInstance = new HashMap<>();

    /** What was measured on one cluster. Immutable. */
    static final class Figures {

        private final Map<String, String> byColumn;

        private Figures(Map<String, String> byColumn) {
            this.byColumn = Map.copyOf(byColumn);
        }

        /**
         * The number in this column.
         *
         * @throws IllegalArgumentException if there is none
         */
        double number(String column) {
            String text = byColumn.get(column);
            if (text == null) {
                throw new IllegalArgumentException("There is no column " + column + " in " + byColumn.keySet() + ".");
            }
            return Double.parseDouble(text);
        }
    }

    private RecordedFigures() {}

    /** Meta's Rebalancer on the clusters of the same names. */
    static RecordedFigures ofSolver() {
        return read("solver.tsv");
    }

    /** Hearth's planner before it was made for these clusters. */
    static RecordedFigures ofBaseline() {
        return read("baseline.tsv");
    }

    private static RecordedFigures read(String resource) {
        try (InputStream stream = Objects.requireNonNull(
                        RecordedFigures.class.getResourceAsStream(resource), () -> resource + " is missing");
                BufferedReader reader = new BufferedReader(new InputStreamReader(stream, StandardCharsets.UTF_8))) {
            return of(reader.lines().filter(line -> !line.startsWith("#")).toList());
        } catch (IOException failure) {
            throw new UncheckedIOException(failure);
        }
    }

    static RecordedFigures of(List<String> lines) {
        RecordedFigures figures = new RecordedFigures();
        String[] columns = lines.get(0).split("\t", -1);
        for (String line : lines.subList(1, lines.size())) {
            String[] values = line.split("\t", -1);
            if (values.length != columns.length) {
                throw new IllegalArgumentException(
                        "A line of figures has " + values.length + " columns, not " + columns.length + ": " + line);
            }
            Map<String, String> byColumn = new HashMap<>();
            for (int column = 0; column < columns.length; column++) {
                byColumn.put(columns[column], values[column]);
            }
            figures.byInstance.put(KEY.stream().map(byColumn::get).toList(), new Figures(byColumn));
        }
        return figures;
    }

    /** What was measured on this cluster; empty where nothing was. */
    Optional<Figures> of(FamilyInstance instance) {
        return Optional.ofNullable(byInstance.get(List.of(
                instance.family().label(),
                Integer.toString(instance.size().servers()),
                Integer.toString(instance.size().regionsPerServer()),
                Long.toString(instance.seed()))));
    }
}
