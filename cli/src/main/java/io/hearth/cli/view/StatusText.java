// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.cli.view;

import io.hearth.common.config.HumanFormat;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/** The lines that {@code bin/hearth status} prints. Pure. */
public final class StatusText {

    private StatusText() {}

    /**
     * The lines.
     *
     * @param source where it is known from, as the end of the first line
     */
    public static List<String> of(ClusterSummary cluster, String source) {
        List<String> lines = new ArrayList<>(head(cluster, source));
        addLoad(cluster, lines);
        lines.add("");
        lines.add("  mode         " + mode(cluster));
        lines.add("  locality     " + ViewText.localityText(cluster));
        addBalancer(cluster, lines);
        lines.add("  healing      " + ViewText.healing(cluster.healing()));
        addPins(cluster, lines);
        return lines;
    }

    /** The lines that are about load and the balancer. */
    public static List<String> ofBalancer(ClusterSummary cluster, String source) {
        List<String> lines = new ArrayList<>(head(cluster, source));
        addLoad(cluster, lines);
        lines.add("");
        lines.add("  mode         " + ViewText.balancerMode(cluster.balancer()));
        addBalancer(cluster, lines);
        addPins(cluster, lines);
        return lines;
    }

    /** The lines that are about locality and healing. */
    public static List<String> ofHealer(ClusterSummary cluster, String source) {
        List<String> lines = new ArrayList<>(head(cluster, source));
        lines.add("  mode         " + ViewText.healerMode(cluster.healing()));
        lines.add("  locality     " + ViewText.localityText(cluster));
        lines.add("  healing      " + ViewText.healing(cluster.healing()));
        return lines;
    }

    /** {@code act}, {@code advise} or {@code off}; {@code not Hearth's} where the balancer is another. */
    public static String balancerMode(ClusterSummary.BalancerState balancer) {
        return ViewText.balancerMode(balancer);
    }

    private static List<String> head(ClusterSummary cluster, String source) {
        return List.of(
                ViewText.count(cluster.servers().size(), "server") + drained(cluster) + ", "
                        + ViewText.count(cluster.regions(), "region") + ", as of " + ViewText.time(cluster.atMs()) + " "
                        + source,
                "");
    }

    private static void addLoad(ClusterSummary cluster, List<String> lines) {
        lines.addAll(balance(cluster).lines("  "));
        if (cluster.unknownHeat() > 0) {
            lines.add("  " + ViewText.count(cluster.unknownHeat(), "region")
                    + " of which the heat is not known yet, counted at the first rates");
        }
        if (cluster.halfLifeMs() > 0) {
            lines.add(
                    "  total and max/mean have a half-life of " + cluster.halfLifeMs() / 1_000
                            + " s (hearth.balancer.heat.half.life.ms), as in plans; last is between the servers' last two reports");
        }
    }

    private static void addBalancer(ClusterSummary cluster, List<String> lines) {
        lines.add("  balancer     " + ViewText.balancer(cluster.balancer()));
        cluster.balancer().excluded().forEach(server -> lines.add("  no target    " + line(server)));
        cluster.lastPlan().ifPresent(plan -> lines.add("  last plan    " + line(plan)));
    }

    private static void addPins(ClusterSummary cluster, List<String> lines) {
        int pins = cluster.pins().size() + cluster.pinsLeftOut();
        if (pins > 0) {
            lines.add("  pins         " + ViewText.count(pins, "region")
                    + " not to be moved now (bin/hearth balancer pins says why)");
        }
    }

    /** Who acts, and what would be done if all of Hearth did. */
    private static String mode(ClusterSummary cluster) {
        String balancer = ViewText.balancerMode(cluster.balancer());
        String healer = ViewText.healerMode(cluster.healing());
        String modes = "balancer " + balancer + ", healer " + healer;
        List<String> idle = new ArrayList<>();
        List<String> would = new ArrayList<>();
        boolean hasPlan = cluster.lastPlan().isPresent();
        if (balancer.equals(ViewText.ADVISE) || balancer.equals(ViewText.OFF)) {
            idle.add("no region");
        }
        if (healer.equals(ViewText.ADVISE) || healer.equals(ViewText.OFF)) {
            idle.add("no block");
        }
        if (balancer.equals(ViewText.ADVISE) && hasPlan) {
            would.add("carry out the last plan");
        }
        if (healer.equals(ViewText.ADVISE)) {
            would.add("make " + HumanFormat.bytes(ViewText.remoteBytes(cluster)) + " local");
        }
        return modes
                + (idle.isEmpty() ? "" : ": Hearth moves " + String.join(" and ", idle))
                + (would.isEmpty() ? "" : "; it would " + String.join(" and ", would))
                + (balancer.equals(ViewText.ADVISE) && !hasPlan ? "; no plan of its own has had a move yet" : "");
    }

    private static String drained(ClusterSummary cluster) {
        return cluster.draining() == 0 ? "" : " (" + cluster.draining() + " decommissioned, in no share below)";
    }

    /** A row for each dimension of load: how much there is of it, and how evenly it is spread. */
    public static Table balance(ClusterSummary cluster) {
        return new Table(
                List.of(
                        Table.Column.ofText("dimension", ""),
                        Table.Column.ofFigures("total", "total"),
                        Table.Column.ofFigures("last", "last"),
                        Table.Column.ofFigures("maxOverMean", "max/mean"),
                        Table.Column.ofFigures("lowerBound", "at best"),
                        Table.Column.ofFigures("trigger", "trigger"),
                        Table.Column.ofText("state", ""),
                        Table.Column.inCsv("hottest")),
                cluster.balance().stream().map(StatusText::row).toList());
    }

    private static List<Table.Cell> row(ClusterSummary.BalanceSummary one) {
        return List.of(
                Table.Cell.of(one.label()),
                new Table.Cell(
                        one.isBytes() ? HumanFormat.bytes(Math.round(one.total())) : rate(one.total()),
                        String.valueOf(one.total())),
                new Table.Cell(one.isBytes() ? "" : rate(one.last()), String.valueOf(one.last())),
                ratio(one.maxOverMean()),
                ratio(one.lowerBound()),
                ratio(one.trigger()),
                new Table.Cell(state(one), one.state()),
                Table.Cell.inCsv(one.hottest().orElse("")));
    }

    private static Table.Cell ratio(double ratio) {
        return new Table.Cell(ViewText.format("%.2f", ratio), String.valueOf(ratio));
    }

    private static String line(ClusterSummary.ExcludedServer server) {
        String since = server.sinceMs().isPresent()
                ? ", since " + ViewText.time(server.sinceMs().getAsLong())
                : "";
        return server.name() + " is given no regions" + since + ": " + server.why();
    }

    private static String rate(double perSecond) {
        return ViewText.format("%,.0f/s", Math.rint(perSecond));
    }

    private static String state(ClusterSummary.BalanceSummary one) {
        Optional<String> on = one.hottest().map(server -> ", most on " + server);
        return switch (one.state()) {
            case "BALANCED" -> "even";
            case "UNBALANCED" -> "UNEVEN" + on.orElse("");
            case "AT_LOWER_BOUND" -> "as even as can be: " + why(one) + on.orElse("");
            case "BELOW_MIN_LOAD" -> "too little to matter";
            case "ZERO_WEIGHT" -> "its weight is 0: nothing is moved for it";
            default -> one.state().toLowerCase(Locale.ROOT);
        };
    }

    private static String why(ClusterSummary.BalanceSummary one) {
        return one.lowerBoundRegions() > 1
                ? one.lowerBoundRegions() + " of the hottest regions have to share a server"
                : "one region is that hot";
    }

    private static String line(ClusterSummary.LastPlan plan) {
        return ViewText.time(plan.atMs()) + ": " + plan.summary()
                + plan.adviseOnly()
                        .map(why -> "; not carried out, because " + why)
                        .orElse("");
    }
}
