// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.slo.report;

import io.hearth.cli.view.HtmlTemplate;
import io.hearth.common.config.HumanFormat;
import io.hearth.slo.event.ClusterEvent.Amount;
import io.hearth.slo.event.ClusterEvent.By;
import io.hearth.slo.event.EventKind;
import io.hearth.slo.objective.WindowCounts;
import io.hearth.slo.probe.ProbeKind;
import io.hearth.slo.report.MonthReport.Availability;
import io.hearth.slo.report.MonthReport.Cell;
import io.hearth.slo.report.MonthReport.Day;
import io.hearth.slo.report.MonthReport.HeatMap;
import io.hearth.slo.report.MonthReport.KindInMinute;
import io.hearth.slo.report.MonthReport.Minute;
import io.hearth.slo.report.MonthReport.Server;
import io.hearth.slo.report.MonthReport.Sla;
import io.hearth.slo.report.MonthReport.Timeline;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.OptionalDouble;
import java.util.OptionalLong;
import java.util.TreeMap;
import java.util.stream.Collectors;

/**
 * The report of a month as one page that needs nothing else: no network, no file beside it, no script. Its pictures are SVG. It follows
 * the reader's light or dark setting. Names of servers and texts of events are escaped. Stateless.
 */
public final class MonthReportPage {

    private static final DateTimeFormatter TIME =
            DateTimeFormatter.ofPattern("d MMM HH:mm", Locale.ROOT).withZone(ZoneOffset.UTC);
    private static final int DAY_WIDTH = 34;
    private static final int BAR_HEIGHT = 60;
    private static final int NAME_WIDTH = 250;
    private static final int COLUMN_WIDTH = 7;
    private static final int ROW_HEIGHT = 14;
    private static final double LEAST_SHARE = 1e-6;

    /** From which share of bad probes on a cell has the next color. */
    private static final double[] CLASSES = {0, 0.001, 0.01, 0.1};

    private static final List<String> CLASS_NAMES =
            List.of("none bad", "less than 0.1 %", "0.1 to 1 %", "1 to 10 %", "10 % and more");

    private static final List<String> DAY_HEADER = List.of(
            "Day",
            "p99 of gets",
            "p99 of puts",
            "Servers gone or restarted",
            "Regions moved by Hearth",
            "not by Hearth",
            "perhaps by Hearth",
            "Regions assigned after crashes",
            "Blocks moved by Hearth",
            "Regions compacted",
            "Regions flushed",
            "Minutes of rest");

    private static final List<String> TIMELINE_HEADER =
            List.of("Primary-call timeout", "Reads", "Stale", "Share stale", "p50", "p99", "p999", "Not answered");

    private MonthReportPage() {}

    /** The page. */
    public static String html(MonthReport report) {
        Map<String, String> parts = Map.of(
                "MONTH", report.month().toString(),
                "AVAILABILITY",
                        report.availability().stream()
                                .map(MonthReportPage::availability)
                                .collect(Collectors.joining("\n")),
                "SLA", sla(report.sla()),
                "LEFT_OUT",
                        report.heatMap().leftOut() == 0
                                ? ""
                                : "; " + report.heatMap().leftOut() + " are not shown",
                "HEAT_MAP", heatMap(report.heatMap()),
                "DAYS", days(report.days()),
                "TIMELINE", timeline(report.timeline()),
                "WORST", worst(report.worstMinutes()));
        return HtmlTemplate.of(MonthReportPage.class, "month.html").filled(parts);
    }

    private static String availability(Availability row) {
        StringBuilder bars = new StringBuilder();
        for (int day = 0; day < row.days().size(); day++) {
            bars.append(bar(row, day));
        }
        int width = row.days().size() * DAY_WIDTH;
        String limit = row.objective()
                .map(objective -> BAR_HEIGHT - height(objective.badShare().doubleValue()))
                .map(y -> "<line class=\"limit\" x1=\"0\" x2=\"%d\" y1=\"%d\" y2=\"%d\"/>".formatted(width, y, y))
                .orElse("");
        return "<div class=\"card\"><h3>%s <span>%s</span>%s</h3>\n%s%s%s</svg></div>"
                .formatted(
                        HtmlTemplate.escaped(row.label()),
                        percent(row.month().goodShare()),
                        budget(row.budgetLeftShare()),
                        svg(width, BAR_HEIGHT + 16),
                        bars,
                        limit);
    }

    private static String budget(OptionalDouble leftShare) {
        if (leftShare.isEmpty()) {
            return "";
        }
        double left = leftShare.getAsDouble();
        return left >= 0
                ? String.format(Locale.ROOT, "<span>, %.1f %% of the error budget is left</span>", 100 * left)
                : String.format(
                        Locale.ROOT,
                        "<span>, </span><span class=\"spent\">the error budget is spent %.1f times</span>",
                        1 - left);
    }

    private static String bar(Availability row, int day) {
        WindowCounts counts = row.days().get(day);
        double badShare = counts.due() == 0 ? 1 : (double) counts.bad() / counts.due();
        int height = height(badShare);
        String color = row.objective()
                .filter(objective -> counts.due() > 0)
                .map(objective -> badShare <= objective.badShare().doubleValue() ? "kept" : "missed")
                .orElseGet(() -> color(counts.due(), counts.bad()));
        return "<rect class=\"%s\" x=\"%d\" y=\"%d\" width=\"%d\" height=\"%d\"><title>%d: %s, %d of %d good</title></rect>"
                        .formatted(
                                color,
                                day * DAY_WIDTH + 2,
                                BAR_HEIGHT - height,
                                DAY_WIDTH - 4,
                                height,
                                day + 1,
                                percent(counts.goodShare()),
                                counts.good(),
                                counts.due())
                + "<text x=\"%d\" y=\"%d\" text-anchor=\"middle\">%d</text>\n"
                        .formatted(day * DAY_WIDTH + DAY_WIDTH / 2, BAR_HEIGHT + 13, day + 1);
    }

    /** Of a bar, in pixels; at least two where anything was bad. */
    private static int height(double badShare) {
        if (badShare <= 0) {
            return 0;
        }
        double decades = Math.log10(badShare / LEAST_SHARE) / -Math.log10(LEAST_SHARE);
        return (int) Math.max(2, Math.round(BAR_HEIGHT * decades));
    }

    private static String sla(List<Sla> days) {
        StringBuilder rows = new StringBuilder();
        for (int day = 0; day < days.size(); day++) {
            Sla sla = days.get(day);
            if (sla.minutes() > 0) {
                rows.append(
                        "<tr><th scope=\"row\">%d</th><td>%d</td><td>%s</td><td>%s</td><td>%s</td><td>%d</td></tr>\n"
                                .formatted(
                                        day + 1,
                                        sla.minutes(),
                                        percent(OptionalDouble.of(sla.write())),
                                        percent(OptionalDouble.of(sla.read())),
                                        percent(sla.total()),
                                        sla.mostFaulty()));
            }
        }
        return rows.isEmpty()
                ? "<p>No DataNode was probed.</p>"
                : table("days", List.of("Day", "Minutes", "Write", "Read", "Total", "Most faulty DataNodes"), rows);
    }

    private static String days(List<Day> days) {
        StringBuilder rows = new StringBuilder();
        for (int number = 0; number < days.size(); number++) {
            Day day = days.get(number);
            if (day.eventMinutes() > 0 || !day.p99Micros().isEmpty()) {
                rows.append("<tr><th scope=\"row\">%d</th>".formatted(number + 1));
                cells(day).forEach(cell -> rows.append("<td>").append(cell).append("</td>"));
                rows.append("</tr>\n");
            }
        }
        return rows.isEmpty() ? "<p>Nothing is known.</p>" : table("days", DAY_HEADER, rows);
    }

    private static String timeline(List<Timeline> timeouts) {
        StringBuilder rows = new StringBuilder();
        for (Timeline row : timeouts) {
            rows.append("<tr><th scope=\"row\">%s ms</th><td>%s</td><td>%s</td><td>%s</td>"
                    .formatted(
                            number(row.timeoutMs()),
                            number(row.reads()),
                            number(row.stale()),
                            staleShare(row.staleShare())));
            for (OptionalLong micros :
                    List.of(row.micros().p50(), row.micros().p99(), row.micros().p999())) {
                rows.append("<td>").append(milliseconds(micros)).append("</td>");
            }
            rows.append("<td>%s</td></tr>\n".formatted(number(row.unanswered())));
        }
        return rows.isEmpty()
                ? "<p>None was made: bin/hearth slo run --timeline-timeouts makes them.</p>"
                : table("days", TIMELINE_HEADER, rows);
    }

    /** Rounded up, so that one stale answer is never none. */
    private static String staleShare(OptionalDouble share) {
        return share.isEmpty()
                ? "unknown"
                : String.format(Locale.ROOT, "%.4f %%", Math.ceil(share.getAsDouble() * 1e6 - 1e-9) / 1e4);
    }

    private static List<String> cells(Day day) {
        List<String> cells = new ArrayList<>(List.of(p99(day, ProbeKind.GET), p99(day, ProbeKind.PUT)));
        if (day.eventMinutes() == 0) {
            cells.addAll(Collections.nCopies(DAY_HEADER.size() - cells.size() - 1, "unknown"));
            return cells;
        }
        cells.add(number(day.amount(EventKind.SERVER_GONE).count()
                + day.amount(EventKind.SERVER_RESTARTED).count()));
        for (By by : By.values()) {
            cells.add(number(day.amount(EventKind.REGIONS_MOVED, by).count()));
        }
        cells.add(number(day.amount(EventKind.REGIONS_REASSIGNED).count()));
        Amount blocks = day.amount(EventKind.BLOCKS_MOVED);
        cells.add(blocks.count() == 0 ? "0" : number(blocks.count()) + ", " + HumanFormat.bytes(blocks.size()));
        cells.add(number(day.amount(EventKind.REGIONS_COMPACTED).count()));
        cells.add(number(day.amount(EventKind.REGIONS_FLUSHED).count()));
        cells.add(number(day.amount(EventKind.BRAKED).count()));
        return cells;
    }

    private static String p99(Day day, ProbeKind kind) {
        OptionalLong micros = day.p99Micros().get(kind);
        return micros == null ? "unknown" : milliseconds(micros);
    }

    private static String number(long count) {
        return String.format(Locale.ROOT, "%,d", count);
    }

    private static String table(String cssClass, List<String> header, CharSequence rows) {
        return "<div class=\"card\"><table class=\"" + cssClass + "\"><thead><tr>"
                + header.stream()
                        .map(cell -> "<th scope=\"col\">" + cell + "</th>")
                        .collect(Collectors.joining())
                + "</tr></thead>\n<tbody>\n" + rows + "</tbody></table></div>";
    }

    private static String heatMap(HeatMap map) {
        if (map.servers().isEmpty()) {
            return "<p>No server was probed.</p>";
        }
        StringBuilder picture = new StringBuilder();
        for (int row = 0; row < map.servers().size(); row++) {
            row(picture, map.servers().get(row), row * ROW_HEIGHT);
        }
        int days = (int) (map.columns() * map.columnMs() / 86_400_000L);
        int bottom = map.servers().size() * ROW_HEIGHT;
        int dayWidth = map.columns() / days * COLUMN_WIDTH;
        for (int day = 0; day < days; day++) {
            picture.append(
                    "<text x=\"%d\" y=\"%d\">%d</text>".formatted(NAME_WIDTH + day * dayWidth, bottom + 13, day + 1));
        }
        StringBuilder legend = new StringBuilder("<ul class=\"legend\">");
        legend.append(legendItem("u", "not known"));
        for (int each = 0; each < CLASS_NAMES.size(); each++) {
            legend.append(legendItem("c" + each, CLASS_NAMES.get(each)));
        }
        return "<div class=\"card\">" + svg(NAME_WIDTH + map.columns() * COLUMN_WIDTH, bottom + 18) + picture + "</svg>"
                + legend + "</ul></div>";
    }

    private static String legendItem(String color, String text) {
        return "<li>" + svg(14, 14) + "<rect class=\"" + color + "\" width=\"14\" height=\"14\"/></svg>" + text
                + "</li>";
    }

    /** Columns of the same color that follow each other are one rectangle: a healthy month is one. */
    private static void row(StringBuilder picture, Server server, int y) {
        picture.append("<text x=\"0\" y=\"%d\"><title>%s: %d bad</title>%s</text>"
                .formatted(
                        y + ROW_HEIGHT - 3,
                        HtmlTemplate.escaped(server.name()),
                        server.bad(),
                        HtmlTemplate.escaped(shortened(server.name()))));
        int from = 0;
        for (int column = 1; column <= server.cells().size(); column++) {
            String color = color(server.cells().get(from));
            if (column == server.cells().size()
                    || !color(server.cells().get(column)).equals(color)) {
                picture.append("<rect class=\"%s\" x=\"%d\" y=\"%d\" width=\"%d\" height=\"%d\"/>"
                        .formatted(
                                color,
                                NAME_WIDTH + from * COLUMN_WIDTH,
                                y,
                                (column - from) * COLUMN_WIDTH,
                                ROW_HEIGHT - 1));
                from = column;
            }
        }
        picture.append('\n');
    }

    private static String shortened(String name) {
        return name.length() <= 38 ? name : name.substring(0, 37) + "\u2026";
    }

    private static String color(Cell cell) {
        return color(cell.due(), cell.bad());
    }

    /** By the share of bad probes alone. */
    private static String color(long due, long bad) {
        if (due == 0) {
            return "u";
        }
        double badShare = (double) bad / due;
        int place = badShare > 0 ? 1 : 0;
        while (place > 0 && place < CLASSES.length && badShare >= CLASSES[place]) {
            place++;
        }
        return "c" + place;
    }

    private static String worst(List<Minute> minutes) {
        StringBuilder rows = new StringBuilder();
        for (Minute minute : minutes) {
            String kinds = new TreeMap<>(minute.kinds())
                    .entrySet().stream()
                            .filter(kind -> kind.getValue().bad() > 0)
                            .map(kind -> kind(kind.getKey(), kind.getValue()))
                            .collect(Collectors.joining("<br/>"));
            rows.append("<tr><th scope=\"row\">%s</th><td>%s</td><td>%s</td>"
                    .formatted(time(minute.startMs()), kinds, lines(minute.servers())));
            List<String> events = new ArrayList<>(minute.events().stream()
                    .map(event -> time(event.atMs()) + " " + event.text())
                    .toList());
            if (minute.eventsLeftOut() > 0) {
                events.add("and " + minute.eventsLeftOut() + " more");
            }
            rows.append("<td>%s</td></tr>\n".formatted(lines(events)));
        }
        return rows.isEmpty()
                ? "<p>No probe was bad.</p>"
                : table("worst", List.of("Minute", "Probes", "Servers with the most bad ones", "What happened"), rows);
    }

    private static String kind(ProbeKind kind, KindInMinute counts) {
        return "%s: %d of %d bad, p99 %s".formatted(kind, counts.bad(), counts.due(), milliseconds(counts.p99Micros()));
    }

    private static String milliseconds(OptionalLong micros) {
        return micros.isEmpty() ? "not answered" : String.format(Locale.ROOT, "%.1f ms", micros.getAsLong() / 1_000.0);
    }

    private static String lines(List<String> texts) {
        return texts.stream().map(HtmlTemplate::escaped).collect(Collectors.joining("<br/>"));
    }

    private static String time(long ms) {
        return TIME.format(Instant.ofEpochMilli(ms));
    }

    /** Cut off, never rounded up to what was not reached. */
    private static String percent(OptionalDouble share) {
        return share.isEmpty()
                ? "unknown"
                : String.format(Locale.ROOT, "%.4f %%", Math.floor(share.getAsDouble() * 1e6 + 1e-9) / 1e4);
    }

    private static String svg(int width, int height) {
        return "<svg width=\"%d\" height=\"%d\" viewBox=\"0 0 %d %d\" role=\"img\">\n"
                .formatted(width, height, width, height);
    }
}
