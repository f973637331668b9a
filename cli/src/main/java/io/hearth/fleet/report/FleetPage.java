// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.fleet.report;

import io.hearth.cli.view.HtmlTemplate;
import io.hearth.common.model.LoadDimension;
import io.hearth.common.model.Quantiles;
import io.hearth.doctor.model.Finding.Severity;
import io.hearth.fleet.model.ClusterHealth;
import io.hearth.fleet.model.ClusterHealth.Balance;
import io.hearth.fleet.model.FleetRow;
import io.hearth.fleet.model.FleetRow.BudgetLeft;
import io.hearth.fleet.model.FleetRow.DoctorSummary;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;

/**
 * The clusters of a fleet on one page that needs nothing else: no network, no file beside it, no script. It follows the reader's light or
 * dark setting. Names and texts are escaped. Stateless.
 */
public final class FleetPage {

    private static final DateTimeFormatter TIME = DateTimeFormatter.ofPattern(
                    "d MMMM yyyy, HH:mm 'UTC'", Locale.ENGLISH)
            .withZone(ZoneOffset.UTC);
    private static final int TRACK_WIDTH = 120;
    private static final int TRACK_HEIGHT = 12;

    /** So little of a budget is left that somebody should look. */
    private static final double LOW_BUDGET = 0.25;

    private FleetPage() {}

    /**
     * The page.
     *
     * @param atMs when the clusters were asked, in milliseconds since 1970
     */
    public static String html(List<FleetRow> rows, long atMs) {
        List<ClusterHealth> known =
                rows.stream().flatMap(row -> row.health().ifKnown().stream()).toList();
        return HtmlTemplate.of(FleetPage.class, "fleet.html")
                .filled(Map.of(
                        "TIME", TIME.format(Instant.ofEpochMilli(atMs)),
                        "TILES", tiles(rows, known),
                        "DIMENSIONS",
                                LoadDimension.shown().stream()
                                        .map(dimension -> "<th scope=\"col\">" + dimension.title() + "</th>")
                                        .collect(Collectors.joining()),
                        "ROWS", rows.stream().map(FleetPage::row).collect(Collectors.joining("\n"))));
    }

    private static String tiles(List<FleetRow> rows, List<ClusterHealth> known) {
        int remote = known.stream()
                .mapToInt(health -> health.locality().below(ClusterHealth.LOCAL))
                .sum();
        long uneven = known.stream()
                .filter(health -> health.balance().values().stream().anyMatch(Balance::isUneven))
                .count();
        long spent = rows.stream()
                .filter(row ->
                        row.leastBudget().filter(left -> left.leftShare() < 0).isPresent())
                .count();
        long errors = rows.stream()
                .filter(row -> row.doctor()
                        .ifKnown()
                        .filter(found -> found.errors() > 0)
                        .isPresent())
                .count();
        return tile(rows.size(), rows.size() == 1 ? "cluster" : "clusters", false)
                + tile(rows.size() - known.size(), "did not answer", true)
                + tile(uneven, "with uneven load", true)
                + tile(spent, "with a spent error budget", true)
                + tile(errors, "with an error that the doctor found", true)
                + tile(remote, remote == 1 ? "server less than 80 % local" : "servers less than 80 % local", true);
    }

    private static String tile(long count, String of, boolean isBad) {
        return "<li%s><b>%d</b> %s</li>".formatted(isBad && count > 0 ? " class=\"bad\"" : "", count, of);
    }

    private static String row(FleetRow row) {
        String name = "<th scope=\"row\">" + HtmlTemplate.escaped(row.cluster()) + "</th>";
        String rest = budget(row) + doctor(row);
        return row.health()
                .ifKnown()
                .map(health -> "<tr>" + name + known(health) + rest + "</tr>")
                .orElseGet(() -> "<tr class=\"silent\">" + name
                        + "<td class=\"bad why\" colspan=\"%d\">%s</td>"
                                .formatted(
                                        5 + LoadDimension.shown().size(), HtmlTemplate.escaped(FleetTable.problem(row)))
                        + rest + "</tr>");
    }

    private static String known(ClusterHealth health) {
        Quantiles locality = health.locality();
        int silent = health.silentServers();
        StringBuilder cells = new StringBuilder("<td%s title=\"%s, %s\">%d%s</td>"
                .formatted(
                        silent > 0 ? " class=\"bad\"" : "",
                        HtmlTemplate.escaped(health.master()),
                        health.byMaster() ? "by Hearth in the master" : "seen from outside",
                        health.servers(),
                        silent > 0 ? ", " + silent + " silent" : ""));
        if (locality.count() == 0) {
            cells.append("<td class=\"u\" colspan=\"4\">no store files</td>");
        } else {
            double quartile = locality.quantile(ClusterHealth.LOWER_QUARTILE).orElseThrow();
            int remote = locality.below(ClusterHealth.LOCAL);
            cells.append("<td>").append(track(locality, quartile)).append("</td>");
            cells.append(cell(quartile < ClusterHealth.LOCAL ? "bad" : "", FleetTable.percent(quartile)));
            double min = locality.min().orElseThrow();
            cells.append(cell(min < ClusterHealth.LOCAL ? "warn" : "", FleetTable.percent(min)));
            cells.append(cell(remote > 0 ? "warn" : "", String.valueOf(remote)));
        }
        for (LoadDimension dimension : LoadDimension.shown()) {
            Optional<Balance> balance = Optional.ofNullable(health.balance().get(dimension));
            cells.append(balance.map(one ->
                            cell(one.isUneven() ? "bad" : "", String.format(Locale.ROOT, "%.2f", one.maxOverMean())))
                    .orElseGet(() -> cell("u", "unknown")));
        }
        return cells.toString();
    }

    /** From the least local server to the most local one, with a line at the lower quartile and one at 80 %. */
    private static String track(Quantiles locality, double quartile) {
        int from = pixels(locality.min().orElseThrow());
        int to = pixels(locality.quantile(1).orElseThrow());
        return "<svg width=\"%d\" height=\"%d\" role=\"img\" aria-label=\"locality of servers\">"
                        .formatted(TRACK_WIDTH, TRACK_HEIGHT)
                + "<rect class=\"track\" width=\"%d\" height=\"%d\"/>".formatted(TRACK_WIDTH, TRACK_HEIGHT)
                + "<rect class=\"range\" x=\"%d\" width=\"%d\" height=\"%d\"/>"
                        .formatted(from, Math.max(1, to - from), TRACK_HEIGHT)
                + line("limit", pixels(ClusterHealth.LOCAL))
                + line("quartile", pixels(quartile))
                + "</svg>";
    }

    private static String line(String cssClass, int x) {
        return "<line class=\"%s\" x1=\"%d\" x2=\"%d\" y1=\"0\" y2=\"%d\"/>".formatted(cssClass, x, x, TRACK_HEIGHT);
    }

    private static int pixels(double share) {
        return (int) Math.round(share * TRACK_WIDTH);
    }

    private static String budget(FleetRow row) {
        String all = row.budgets().ifKnown().stream()
                .flatMap(List::stream)
                .map(BudgetLeft::toString)
                .collect(Collectors.joining(", "));
        return row.leastBudget()
                .map(left -> titled(
                        left.leftShare() < 0 ? "bad" : left.leftShare() < LOW_BUDGET ? "warn" : "",
                        left.toString(),
                        all))
                .orElseGet(() -> unknown(row.budgets()
                        .whyUnknown()
                        .map(why -> why.isEmpty() ? "not watched" : why)
                        .orElse("no probe")));
    }

    private static String doctor(FleetRow row) {
        Optional<DoctorSummary> found = row.doctor().ifKnown();
        return found.map(doctor -> doctor.worst()
                        .map(worst -> titled(
                                worst.severity() == Severity.ERROR ? "bad" : "warn", doctor.toString(), worst.what()))
                        .orElseGet(() -> titled("", doctor.toString(), "")))
                .orElseGet(() -> unknown(row.doctor().whyUnknown().orElse("")));
    }

    private static String unknown(String why) {
        return titled("u", why, "");
    }

    private static String cell(String cssClass, String text) {
        return "<td" + (cssClass.isEmpty() ? "" : " class=\"" + cssClass + "\"") + ">" + HtmlTemplate.escaped(text)
                + "</td>";
    }

    private static String titled(String cssClass, String text, String title) {
        return "<td class=\"text" + (cssClass.isEmpty() ? "" : " " + cssClass) + "\""
                + (title.isEmpty() ? "" : " title=\"" + HtmlTemplate.escaped(title) + "\"") + ">"
                + HtmlTemplate.escaped(text) + "</td>";
    }
}
