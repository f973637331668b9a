// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.cli;

import io.hearth.cli.view.Table;
import io.hearth.cli.view.Table.Cell;
import io.hearth.cli.view.Table.Column;
import io.hearth.cli.view.ViewText;
import io.hearth.slo.report.ServerReport;
import io.hearth.slo.report.ServerReport.Row;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.OptionalLong;
import org.apache.hbase.thirdparty.com.google.gson.JsonArray;
import org.apache.hbase.thirdparty.com.google.gson.JsonObject;

/** How fast each server answered, for a person and for programs. What is unknown is missing in JSON, and empty in CSV. Stateless. */
final class SloServersText {

    private SloServersText() {}

    static List<String> lines(ServerReport report) {
        List<String> lines = new ArrayList<>();
        lines.add(ViewText.dayAndTime(report.fromMs()) + " to " + ViewText.dayAndTime(report.toMs())
                + ", the worst first:");
        lines.add("");
        lines.addAll(table(report).lines(""));
        return lines;
    }

    static Table table(ServerReport report) {
        return new Table(
                List.of(
                        Column.ofText("server", "SERVER"),
                        Column.ofText("kind", "KIND"),
                        Column.ofFigures("due", "DUE"),
                        Column.ofFigures("good", "GOOD"),
                        Column.ofFigures("p50Micros", "P50"),
                        Column.ofFigures("p99Micros", "P99"),
                        Column.ofFigures("maxMicros", "MAX")),
                report.rows().stream().map(SloServersText::cells).toList());
    }

    private static List<Cell> cells(Row row) {
        return List.of(
                Cell.of(row.server()),
                Cell.of(row.kind().toString()),
                count(row.due()),
                count(row.good()),
                time(row.p50Micros()),
                time(row.p99Micros()),
                time(row.maxMicros()));
    }

    private static Cell count(long probes) {
        return new Cell(String.format(Locale.ROOT, "%,d", probes), String.valueOf(probes));
    }

    private static Cell time(OptionalLong micros) {
        return micros.isEmpty()
                ? new Cell("no answer", "")
                : new Cell(
                        String.format(Locale.ROOT, "%,.1f ms", micros.getAsLong() / 1_000.0),
                        String.valueOf(micros.getAsLong()));
    }

    static JsonObject json(ServerReport report) {
        JsonArray servers = new JsonArray();
        report.rows().forEach(row -> {
            JsonObject one = new JsonObject();
            one.addProperty("server", row.server());
            one.addProperty("kind", row.kind().toString());
            one.addProperty("due", row.due());
            one.addProperty("good", row.good());
            row.p50Micros().ifPresent(micros -> one.addProperty("p50Micros", micros));
            row.p99Micros().ifPresent(micros -> one.addProperty("p99Micros", micros));
            row.maxMicros().ifPresent(micros -> one.addProperty("maxMicros", micros));
            servers.add(one);
        });
        JsonObject json = new JsonObject();
        json.addProperty("fromMs", report.fromMs());
        json.addProperty("toMs", report.toMs());
        json.add("servers", servers);
        return json;
    }
}
