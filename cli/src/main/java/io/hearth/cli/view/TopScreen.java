// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.cli.view;

import io.hearth.common.model.LoadDimension;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.function.Function;

/**
 * A cluster on one screen of a terminal: healing, servers by their load, each with a bar against its fair share, and the hottest
 * regions, each with the reason why it is where it is. Pure.
 */
public final class TopScreen {

    /** The bar's cells for twice the fair share; the mark is in the middle. */
    static final int BAR = 12;

    private static final int HEAD_LINES = 6;
    private static final int MIN_ROWS = 3;
    private static final int RATE_WIDTH = 9;
    private static final List<LoadDimension> COUNTERS =
            LoadDimension.shown().stream().filter(LoadDimension::isCounter).toList();

    private TopScreen() {}

    /**
     * The lines of the screen: at most {@code height} of them, each cut at {@code width}.
     *
     * @param source where it is known from, as the end of the first line
     * @param width of the screen, in characters, above 0
     * @param height of the screen, in lines, above 0
     */
    public static List<String> of(ClusterSummary cluster, String source, int width, int height) {
        int rows = Math.max(2 * MIN_ROWS, height - HEAD_LINES);
        int serverRows = Math.min(cluster.servers().size(), Math.max(MIN_ROWS, rows * 3 / 5));
        int regionRows = Math.min(cluster.hottest().size(), Math.max(MIN_ROWS, rows - serverRows));
        List<String> lines = new ArrayList<>();
        lines.add(head(cluster, source));
        lines.add("locality " + ViewText.localityText(cluster) + "; healing " + ViewText.healing(cluster.healing()));
        lines.add("");
        lines.add(serverLine("SERVER", "REGIONS", TopScreen::head, counter -> "", "NOW/s", "LOCAL"));
        cluster.servers().stream()
                .sorted(Comparator.comparingDouble(TopScreen::share)
                        .reversed()
                        .thenComparing(ClusterSummary.Server::name))
                .limit(serverRows)
                .forEach(server -> lines.add(line(server)));
        lines.add("");
        lines.add(
                regionLine("HOTTEST REGIONS", "TABLE", "SERVER", TopScreen::head, "SHARE", "LOCAL", "WHY IT IS THERE"));
        cluster.hottest().stream().limit(regionRows).forEach(region -> lines.add(line(region)));
        return lines.stream()
                .limit(height)
                .map(line -> ViewText.cut(line, width).stripTrailing())
                .toList();
    }

    private static String head(ClusterSummary cluster, String source) {
        return ViewText.format(
                "%s  %s, %s  %,.0f requests/s  %s",
                ViewText.time(cluster.atMs()),
                ViewText.count(cluster.servers().size(), "server"),
                ViewText.count(cluster.regions(), "region"),
                cluster.requestsPerSecond(),
                source);
    }

    private static double share(ClusterSummary.Server server) {
        return COUNTERS.stream().mapToDouble(server::share).max().orElse(0);
    }

    private static String line(ClusterSummary.Server server) {
        return serverLine(
                ViewText.cut(server.name(), 24),
                ViewText.format("%,d", server.totals().regions()),
                counter -> rate(server.totals().measuredLoad().get(counter)),
                counter -> bar(server.share(counter)),
                rate(server.totals().recentRequestsPerSecond()),
                ViewText.locality(
                        server.totals().reported().localBytes(),
                        server.totals().reported().blockBytes()));
    }

    private static String line(ClusterSummary.HotRegion region) {
        return regionLine(
                region.region(),
                ViewText.cut(region.table(), 20),
                ViewText.cut(region.server(), 24),
                counter -> rate(region.load().get(counter)),
                ViewText.format("%.2f", region.share()),
                ViewText.locality(region.localBytes(), region.blockBytes()),
                region.why());
    }

    /** {@code READS/s}: the head of a counter's column. */
    private static String head(LoadDimension counter) {
        return counter.label().toUpperCase(Locale.ROOT) + "/s";
    }

    private static String serverLine(
            String server,
            String regions,
            Function<LoadDimension, String> rate,
            Function<LoadDimension, String> bar,
            String now,
            String local) {
        StringBuilder line = new StringBuilder(ViewText.format("%-24s %7s", server, regions));
        for (LoadDimension counter : COUNTERS) {
            line.append(column(counter, rate)).append(ViewText.format(" %-13s", bar.apply(counter)));
        }
        return line.append(ViewText.format(" %9s %7s", now, local)).toString();
    }

    private static String regionLine(
            String region,
            String table,
            String server,
            Function<LoadDimension, String> rate,
            String share,
            String local,
            String why) {
        StringBuilder line = new StringBuilder(ViewText.format("%-32s %-20s %-24s", region, table, server));
        COUNTERS.forEach(counter -> line.append(column(counter, rate)));
        return line.append(ViewText.format(" %6s %7s  %s", share, local, why)).toString();
    }

    private static String column(LoadDimension counter, Function<LoadDimension, String> rate) {
        int width = Math.max(RATE_WIDTH, head(counter).length());
        return ViewText.format(" %" + width + "s", rate.apply(counter));
    }

    private static String rate(double perSecond) {
        return ViewText.format(perSecond < 10 ? "%.1f" : "%,.0f", perSecond);
    }

    /** A share as a bar: the mark is the fair share, an arrow at the end says that it is more than twice that. */
    static String bar(double share) {
        int filled = (int) Math.min(BAR, Math.round(share * BAR / 2));
        StringBuilder bar = new StringBuilder();
        for (int cell = 0; cell < BAR; cell++) {
            if (cell == BAR / 2) {
                bar.append('|');
            }
            bar.append(cell < filled ? '#' : ' ');
        }
        if (share > 2) {
            bar.setCharAt(BAR, '>');
        }
        return bar.toString();
    }
}
