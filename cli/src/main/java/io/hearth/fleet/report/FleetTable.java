// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.fleet.report;

import io.hearth.cli.view.Table;
import io.hearth.cli.view.Table.Cell;
import io.hearth.cli.view.Table.Column;
import io.hearth.common.model.LoadDimension;
import io.hearth.common.model.Quantiles;
import io.hearth.doctor.model.ProbedCluster.ProbeResult;
import io.hearth.fleet.model.ClusterHealth;
import io.hearth.fleet.model.ClusterHealth.Balance;
import io.hearth.fleet.model.FleetRow;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.OptionalDouble;

/** A row for each cluster of a fleet. What is not known is a dash, and empty in CSV. Stateless. */
public final class FleetTable {

    private static final Cell UNKNOWN = new Cell("-", "");
    private static final int MOST_OF_A_REASON = 120;

    private FleetTable() {}

    /** The rows, in this order. */
    public static Table of(List<FleetRow> rows) {
        List<Column> columns = new ArrayList<>(List.of(
                Column.ofText("cluster", "cluster"),
                Column.ofFigures("servers", "servers"),
                Column.ofFigures("localityLowerQuartile", "local p25"),
                Column.ofFigures("localityMin", "min"),
                Column.ofFigures("serversBelow80Percent", "<80 %")));
        LoadDimension.shown()
                .forEach(dimension -> columns.add(Column.ofFigures(dimension.jsonName(), dimension.label())));
        columns.addAll(List.of(
                Column.ofText("budgetLeft", "budget left"),
                Column.ofText("doctor", "doctor"),
                Column.ofText("problem", "")));
        return new Table(columns, rows.stream().map(FleetTable::row).toList());
    }

    /** How many clusters have answered, in one line. */
    public static String summary(List<FleetRow> rows) {
        long answered =
                rows.stream().filter(row -> row.health().ifKnown().isPresent()).count();
        long silent = rows.size() - answered;
        return rows.size() + (rows.size() == 1 ? " cluster" : " clusters")
                + (silent == 0 ? ", all answered" : ", " + silent + " did not answer")
                + "; reads, writes and store size are max/mean over servers, * what is uneven";
    }

    private static List<Cell> row(FleetRow row) {
        Optional<ClusterHealth> health = row.health().ifKnown();
        Optional<Quantiles> locality = health.map(ClusterHealth::locality);
        List<Cell> cells = new ArrayList<>(List.of(
                Cell.of(row.cluster()),
                health.map(known -> Cell.of(String.valueOf(known.servers()))).orElse(UNKNOWN),
                percent(locality.map(known -> known.quantile(ClusterHealth.LOWER_QUARTILE))),
                percent(locality.map(Quantiles::min)),
                locality.filter(known -> known.count() > 0)
                        .map(known -> Cell.of(String.valueOf(known.below(ClusterHealth.LOCAL))))
                        .orElse(UNKNOWN)));
        LoadDimension.shown()
                .forEach(dimension ->
                        cells.add(health.map(known -> known.balance().get(dimension))
                                .map(FleetTable::balance)
                                .orElse(UNKNOWN)));
        cells.add(row.leastBudget().map(left -> Cell.of(left.toString())).orElse(UNKNOWN));
        cells.add(row.doctor().ifKnown().map(found -> Cell.of(found.toString())).orElse(UNKNOWN));
        cells.add(Cell.of(problem(row)));
        return cells;
    }

    private static Cell balance(Balance balance) {
        return new Cell(
                String.format(Locale.ROOT, "%.2f%s", balance.maxOverMean(), balance.isUneven() ? "*" : " "),
                String.valueOf(balance.maxOverMean()));
    }

    private static Cell percent(Optional<OptionalDouble> share) {
        return share.filter(OptionalDouble::isPresent)
                .map(known -> new Cell(percent(known.getAsDouble()), String.valueOf(known.getAsDouble())))
                .orElse(UNKNOWN);
    }

    /** Cut off, never rounded up to what was not reached. */
    static String percent(double share) {
        return String.format(Locale.ROOT, "%.1f %%", Math.floor(share * 1_000 + 1e-9) / 10);
    }

    /** Why something of a row is not known; of a cluster that has not answered that alone. Empty where all is known. */
    static String problem(FleetRow row) {
        Optional<String> silent = row.health().whyUnknown();
        if (silent.isPresent()) {
            return "NO ANSWER: " + cut(silent.get());
        }
        List<String> unknown = new ArrayList<>();
        row.health()
                .ifKnown()
                .filter(health -> health.silentServers() > 0)
                .ifPresent(health -> unknown.add("servers that have not answered: " + health.silentServers()));
        addWhy(unknown, "budget", row.budgets());
        addWhy(unknown, "doctor", row.doctor());
        return String.join("; ", unknown);
    }

    private static void addWhy(List<String> unknown, String of, ProbeResult<?> result) {
        result.whyUnknown().filter(why -> !why.isEmpty()).ifPresent(why -> unknown.add(of + ": " + cut(why)));
    }

    private static String cut(String reason) {
        return reason.length() <= MOST_OF_A_REASON ? reason : reason.substring(0, MOST_OF_A_REASON - 1) + "\u2026";
    }
}
