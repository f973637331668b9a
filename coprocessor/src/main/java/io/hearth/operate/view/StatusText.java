package io.hearth.operate.view;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/** How a cluster stands, in a few lines. Pure. */
public final class StatusText {

    private static final String EVENNESS = "  %-12s %14s %14s %9s %12s %9s  %s";

    private StatusText() {}

    /**
     * The lines.
     *
     * @param source where it is known from, as the end of the first line
     */
    public static List<String> of(ClusterWord cluster, String source) {
        List<String> lines = new ArrayList<>();
        lines.add(Texts.count(cluster.servers().size(), "server") + drained(cluster) + ", "
                + Texts.count(cluster.regions(), "region") + ", as of " + Texts.time(cluster.atMs()) + " " + source);
        lines.add("");
        lines.add(Texts.format(EVENNESS, "", "total", "last", "max/mean", "at best", "trigger", "")
                .stripTrailing());
        cluster.evenness().forEach(one -> lines.add(line(one)));
        if (cluster.unknownHeat() > 0) {
            lines.add("  " + Texts.count(cluster.unknownHeat(), "region")
                    + " of which the heat is not known yet, counted at the first rates");
        }
        if (cluster.halfLifeMs() > 0) {
            lines.add(
                    "  total and max/mean have a half-life of " + cluster.halfLifeMs() / 1_000
                            + " s (hearth.balancer.heat.half.life.ms), as in plans; last is between the servers' last two reports");
        }
        lines.add("");
        lines.add("  locality     " + Texts.home(cluster));
        lines.add("  balancer     " + Texts.balancer(cluster.balancer()));
        cluster.lastPlan().ifPresent(plan -> lines.add("  last plan    " + line(plan)));
        lines.add("  healing      " + Texts.healing(cluster.healing()));
        if (!cluster.pins().isEmpty()) {
            lines.add("  pins         " + Texts.count(cluster.pins().size(), "region")
                    + " not to be moved now (bin/hearth pins says why)");
        }
        return lines;
    }

    private static String drained(ClusterWord cluster) {
        return cluster.draining() == 0 ? "" : " (" + cluster.draining() + " decommissioned, in no share below)";
    }

    private static String line(ClusterWord.Evenness one) {
        String total = one.isBytes() ? Sizes.bytes(Math.round(one.total())) : rate(one.total());
        return Texts.format(
                EVENNESS,
                one.label(),
                total,
                one.isBytes() ? "" : rate(one.last()),
                Texts.format("%.2f", one.maxOverMean()),
                Texts.format("%.2f", one.lowerBound()),
                Texts.format("%.2f", one.trigger()),
                verdict(one));
    }

    private static String rate(double perSecond) {
        return Texts.format("%,.0f/s", Math.rint(perSecond));
    }

    private static String verdict(ClusterWord.Evenness one) {
        Optional<String> on = one.hottest().map(server -> ", most on " + server);
        return switch (one.verdict()) {
            case "EVEN" -> "even";
            case "UNEVEN" -> "UNEVEN" + on.orElse("");
            case "AS_EVEN_AS_CAN_BE" -> "as even as can be: " + why(one) + on.orElse("");
            case "TOO_LITTLE" -> "too little to matter";
            case "NOT_WEIGHED" -> "its weight is 0: nothing is moved for it";
            default -> one.verdict().toLowerCase(Locale.ROOT);
        };
    }

    private static String why(ClusterWord.Evenness one) {
        return one.boundTogether() > 1
                ? one.boundTogether() + " of the hottest regions have to share a server"
                : "one region is that hot";
    }

    private static String line(ClusterWord.LastPlan plan) {
        return Texts.time(plan.atMs()) + ": " + plan.summary()
                + plan.adviseOnly()
                        .map(why -> "; not carried out, because " + why)
                        .orElse("");
    }
}
