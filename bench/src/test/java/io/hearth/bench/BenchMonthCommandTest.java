// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.bench;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.gson.JsonObject;
import com.google.gson.JsonParser;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.HashMap;
import java.util.Map;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import picocli.CommandLine;

/** What {@code bench month} measures does what it says; how long it takes is no test's business. */
@Tag("computing")
class BenchMonthCommandTest {

    private final StringWriter out = new StringWriter();
    private final StringWriter err = new StringWriter();

    @BeforeAll
    static void recordsCanBeMeasured() {
        System.setProperty("jol.magicFieldOffset", "true");
    }

    private int run(String... arguments) {
        CommandLine command =
                BenchCommand.commandLine().setOut(new PrintWriter(out, true)).setErr(new PrintWriter(err, true));
        return command.execute(arguments);
    }

    @Test
    void everyKindOfWorkIsMeasuredAndStockStandsBesideIt() {
        int exitCode = run(
                "month",
                "--servers",
                "10",
                "--regions",
                "300",
                "--days",
                "4",
                "--points",
                "1",
                "--stock-runs",
                "1",
                "--output",
                "json");

        assertThat(out.toString().lines()).hasSize(1);
        JsonObject report = JsonParser.parseString(out.toString()).getAsJsonObject();
        Map<String, Double> figures = new HashMap<>();
        report.getAsJsonArray("figures").forEach(element -> {
            JsonObject figure = element.getAsJsonObject();
            figures.put(
                    figure.get("of").getAsString() + "/" + figure.get("figure").getAsString(),
                    figure.get("value").getAsDouble());
        });
        assertThat(figures.entrySet().stream().filter(figure -> figure.getKey().endsWith("/each")))
                .hasSize(11)
                .allSatisfy(figure ->
                        assertThat(figure.getValue()).as(figure.getKey()).isPositive());
        assertThat(figures)
                .containsEntry("reports, read each minute/a month", 43_200.0)
                .containsEntry("saved states, each 5 min/a month", 8_640.0)
                .containsEntry("regions looked up, each 4 h/a month", 54_000.0)
                .hasEntrySatisfying(
                        "/moves of regions", moves -> assertThat(moves).isPositive())
                .hasEntrySatisfying("/threads of the balancer", threads -> assertThat(threads)
                        .isBetween(1.0, 12.0))
                .hasEntrySatisfying("/longest stretch under the balancer's lock", ms -> assertThat(ms)
                        .isNotNegative())
                .containsKeys(
                        "/processor time of Hearth, of one core",
                        "/heap after a collection, most of all days",
                        "/growth after the second day",
                        "The stock balancer, as HBase comes/of one update",
                        "The stock balancer, as HBase comes/of one run");
        assertThat(report.get("holds").getAsBoolean()).isEqualTo(exitCode == 0);
        assertThat(err.toString()).startsWith("10 servers, 300 regions; 4 days, 1 points of each");
    }

    @Test
    void aWrongArgumentIsOneLine() {
        assertThat(run("month", "--days", "2")).isEqualTo(2);
        assertThat(err.toString()).startsWith("hearth bench month: --days is 2; allowed are 3 to 31 (");
    }
}
