// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.demo.report;

import io.hearth.demo.report.DemoReport.HealSummary;
import io.hearth.demo.report.ServerTable.ServerTableRow;
import io.hearth.demo.threshold.Threshold;
import io.hearth.demo.threshold.Threshold.Unit;
import io.hearth.demo.threshold.ThresholdResults;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/**
 * The report as one page that needs nothing else: no network, no file beside it, no font, and for the
 * figures no script.
 *
 * <p>Only the pictures are drawn by a script, which is in the page too. It follows the reader's light
 * or dark setting.
 */
public final class HtmlReport {
    private static final String TEMPLATE = "report.html";
    private static final String CHART_JS = "/META-INF/resources/webjars/chart.js/4.4.3/dist/chart.umd.js";
    private static final DateTimeFormatter TIME =
            DateTimeFormatter.ofPattern("yyyy-MM-dd HH:mm 'UTC'").withZone(ZoneOffset.UTC);

    private HtmlReport() {}

    /** The page. */
    public static String page(DemoReport report) {
        String page = resource(TEMPLATE);
        Map<String, String> parts = Map.ofEntries(
                Map.entry("OUTCOME_CLASS", report.thresholdResults().holds() ? "good" : "bad"),
                Map.entry("SENTENCE", Html.escape(TextTables.sentence(report.thresholdResults()))),
                Map.entry("WHEN", when(report)),
                Map.entry("FIGURES", figures(report.thresholdResults())),
                Map.entry("WORTH", strong(TextTables.worth(report.thresholdResults()))),
                Map.entry(
                        "TABLES",
                        report.tables().stream().map(HtmlReport::servers).collect(Collectors.joining("\n"))),
                Map.entry("HEALS", heals(report.heals())),
                Map.entry("BARS", thresholds(report.thresholdResults())),
                Map.entry("FACTS", runInfo(report.runInfo())),
                Map.entry("DATA", ChartData.json(report)),
                Map.entry("CHART_JS", chartJs()));
        for (Map.Entry<String, String> part : parts.entrySet()) {
            page = page.replace("@@" + part.getKey() + "@@", part.getValue());
        }
        return page;
    }

    private static String when(DemoReport report) {
        return TIME.format(report.startedAt()) + ", " + report.durationMs() / 1000 + " seconds";
    }

    private static String figures(ThresholdResults thresholdResults) {
        return figure(
                        "Reads, max/mean over the servers",
                        thresholdResults,
                        Threshold.READ_SKEW_BEFORE,
                        Threshold.READ_SKEW_BALANCED)
                + figure(
                        "Writes, max/mean over the servers",
                        thresholdResults,
                        Threshold.WRITE_SKEW_BEFORE,
                        Threshold.WRITE_SKEW_BALANCED)
                + figure(
                        "Locality of a killed server's regions",
                        thresholdResults,
                        Threshold.LOCALITY_CRASHED,
                        Threshold.LOCALITY_HEALED)
                + figure("Bytes moved for each byte that was not local", thresholdResults, Threshold.BYTES_MOVED)
                + figure("Corrupt or missing blocks", thresholdResults, Threshold.CORRUPT_BLOCKS)
                + figure("Errors that clients saw", thresholdResults, Threshold.CLIENT_ERRORS);
    }

    private static String figure(String title, ThresholdResults thresholdResults, Threshold... thresholds) {
        List<String> values = new ArrayList<>();
        boolean holds = true;
        for (Threshold threshold : thresholds) {
            ThresholdResults.Result result = thresholdResults.results().get(threshold.ordinal());
            holds &= result.holds();
            values.add(Html.escape(result.shortText()));
        }
        String numbers = values.size() == 1
                ? values.get(0)
                : Html.element("span", "was", values.get(0))
                        + Html.element("span", "arrow", "&#8594;")
                        + Html.element("span", "is", values.get(1));
        return Html.element(
                        "div",
                        holds ? "figure" : "figure bad",
                        Html.element("div", "number", numbers) + Html.element("div", "name", Html.escape(title)))
                + "\n";
    }

    private static String servers(ServerTable table) {
        List<List<String>> rows = new ArrayList<>();
        double busiestReads = table.rows().stream()
                .mapToDouble(ServerTableRow::readsPerSecond)
                .max()
                .orElse(0);
        double busiestWrites = table.rows().stream()
                .mapToDouble(ServerTableRow::writesPerSecond)
                .max()
                .orElse(0);
        for (ServerTableRow row : table.rows()) {
            rows.add(List.of(
                    Html.escape(row.host()),
                    Integer.toString(row.regions()),
                    meter(row.readsPerSecond(), busiestReads),
                    meter(row.writesPerSecond(), busiestWrites),
                    TextTables.megabytes(row.storeBytes()),
                    Unit.SHARE.format(row.locality()),
                    TextTables.reported(row.reportedLocality())));
        }
        rows.add(List.of(
                "max / mean",
                "",
                strong(TextTables.skew(table.readSkew())),
                strong(TextTables.skew(table.writeSkew())),
                "",
                "",
                ""));
        return Html.table(
                table.title(),
                List.of("Server", "Regions", "Reads/s", "Writes/s", "Store files", "Locality", "As reported"),
                rows);
    }

    private static String strong(String text) {
        return Html.element("strong", "", Html.escape(text));
    }

    /** A number over a bar whose length is its share of the largest one in its column. */
    private static String meter(double value, double largest) {
        long percent = largest == 0 ? 0 : Math.round(100 * value / largest);
        return "<span class=\"meter\"><i style=\"width:" + percent + "%\"></i></span><span class=\"n\">"
                + TextTables.rate(value) + "</span>";
    }

    private static String heals(List<HealSummary> heals) {
        List<List<String>> rows = new ArrayList<>();
        for (HealSummary heal : heals) {
            rows.add(List.of(
                    Html.escape(heal.title()),
                    Integer.toString(heal.regions()),
                    Unit.SHARE.format(heal.localityBefore()) + " &#8594; " + Unit.SHARE.format(heal.localityAfter()),
                    TextTables.megabytes(heal.nonLocalBytes()),
                    TextTables.megabytes(heal.bytesMoved()),
                    Long.toString(heal.blocksMoved()),
                    TextTables.skew(heal.movedOverNonLocal()).replace("no load", "-"),
                    heal.durationMs() / 1000 + " s"));
        }
        return Html.table(
                "What was remote, and what Hearth moved",
                List.of(
                        "Cause",
                        "Regions",
                        "Locality",
                        "Not local",
                        "Moved",
                        "Blocks",
                        "Moved / not local",
                        "Until local"),
                rows);
    }

    private static String thresholds(ThresholdResults thresholdResults) {
        List<List<String>> rows = thresholdResults.results().stream()
                .map(result -> List.of(
                        Html.escape(result.threshold().title()),
                        Html.escape(result.valueText()),
                        Html.escape(result.threshold().limitText()),
                        Html.element("span", result.holds() ? "pass" : "fail", result.holds() ? "PASS" : "FAIL")))
                .toList();
        return Html.table("Every threshold of the run", List.of("Threshold", "Measured", "Wanted", ""), rows);
    }

    private static String runInfo(Map<String, String> runInfo) {
        return runInfo.entrySet().stream()
                .map(fact -> "<dt>" + Html.escape(fact.getKey()) + "</dt><dd>" + Html.escape(fact.getValue()) + "</dd>")
                .collect(Collectors.joining("\n"));
    }

    private static String chartJs() {
        return resource(CHART_JS)
                .replaceAll("(?m)^//# sourceMappingURL=.*$", "")
                .replace("</script", "<\\/script");
    }

    private static String resource(String name) {
        String path = name.startsWith("/") ? name : "/io/hearth/demo/" + name;
        try (InputStream in = HtmlReport.class.getResourceAsStream(path)) {
            if (in == null) {
                throw new IllegalStateException(path + " is not on the class path: build again with mvn package.");
            }
            return new String(in.readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new UncheckedIOException("Cannot read " + path + " from the class path.", e);
        }
    }

    /** Small pieces of well-formed HTML. */
    private static final class Html {

        private Html() {}

        /** Text that stands for itself between tags and in quoted attributes. */
        static String escape(String text) {
            return text.replace("&", "&amp;")
                    .replace("<", "&lt;")
                    .replace(">", "&gt;")
                    .replace("\"", "&quot;");
        }

        /** An element around HTML that is finished already. */
        static String element(String tag, String cssClass, String html) {
            String attribute = cssClass.isEmpty() ? "" : " class=\"" + escape(cssClass) + "\"";
            return "<" + tag + attribute + ">" + html + "</" + tag + ">";
        }

        /** A table; the first column is text, the others are numbers; cells are finished HTML. */
        static String table(String caption, List<String> header, List<List<String>> rows) {
            String head = header.stream()
                    .map(cell -> "<th scope=\"col\">" + escape(cell) + "</th>")
                    .collect(Collectors.joining());
            String body = rows.stream().map(Html::row).collect(Collectors.joining("\n"));
            return "<div class=\"scroll\"><table>\n<caption>" + escape(caption) + "</caption>\n<thead><tr>" + head
                    + "</tr></thead>\n<tbody>\n" + body + "\n</tbody>\n</table></div>";
        }

        private static String row(List<String> cells) {
            StringBuilder html = new StringBuilder("<tr>");
            for (int i = 0; i < cells.size(); i++) {
                html.append(i == 0 ? "<th scope=\"row\">" : "<td>")
                        .append(cells.get(i))
                        .append(i == 0 ? "</th>" : "</td>");
            }
            return html.append("</tr>").toString();
        }
    }
}
