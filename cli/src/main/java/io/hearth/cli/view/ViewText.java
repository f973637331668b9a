// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.cli.view;

import io.hearth.common.config.HumanFormat;
import io.hearth.ui.model.PageInput.HealerStatus;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.Locale;
import java.util.Optional;

/** Small pieces of text that several views have in common. Pure. */
public final class ViewText {

    private static final DateTimeFormatter TIME =
            DateTimeFormatter.ofPattern("HH:mm:ss 'UTC'", Locale.ROOT).withZone(ZoneOffset.UTC);
    private static final DateTimeFormatter DAY_AND_TIME =
            DateTimeFormatter.ofPattern("yyyy-MM-dd HH:mm 'UTC'", Locale.ROOT).withZone(ZoneOffset.UTC);
    private static final long SECOND_MS = 1_000;

    static final String ACT = "act";
    static final String ADVISE = "advise";
    static final String OFF = "off";

    private ViewText() {}

    static String time(long ms) {
        return TIME.format(Instant.ofEpochMilli(ms));
    }

    /** {@code 2026-11-30 21:05 UTC}. */
    public static String dayAndTime(long ms) {
        return DAY_AND_TIME.format(Instant.ofEpochMilli(ms));
    }

    static String format(String pattern, Object... values) {
        return String.format(Locale.ROOT, pattern, values);
    }

    /** {@code 1 region}, {@code 2 regions}. */
    static String count(long count, String what) {
        return format("%,d %s%s", count, what, count == 1 ? "" : "s");
    }

    /** {@code 0.9871}; a dash where there are no bytes. */
    static String locality(long localBytes, long blockBytes) {
        return blockBytes <= 0 ? "-" : HumanFormat.share((double) Math.min(localBytes, blockBytes) / blockBytes);
    }

    /** {@code 0.9871, 12.0 MB remote}; the share is what servers report. */
    static String localityText(ClusterSummary cluster) {
        long remote = remoteBytes(cluster);
        String locality = locality(cluster.localBytes(), cluster.blockBytes());
        if (cluster.blockBytes() <= 0) {
            return "not known yet, or there is no data";
        }
        if (remote > 0) {
            return locality + ", " + HumanFormat.bytes(remote) + " remote";
        }
        return locality + (notReportedLocal(cluster) > 0 ? " reported, all local by the NameNode" : ", all local");
    }

    /** What is left to heal: without what is local by the NameNode's locations, where the healer in the master tells. */
    static long remoteBytes(ClusterSummary cluster) {
        return cluster.healing().remoteBytes().orElse(notReportedLocal(cluster));
    }

    private static long notReportedLocal(ClusterSummary cluster) {
        return Math.max(0, cluster.blockBytes() - cluster.localBytes());
    }

    /** As {@code hearth.balancer.mode} has it, where the balancer is Hearth's. */
    static String balancerMode(ClusterSummary.BalancerState balancer) {
        if (!balancer.installed()) {
            return "not Hearth's";
        }
        if (!balancer.enabled()) {
            return OFF;
        }
        return balancer.adviseOnly().isPresent() ? ADVISE : ACT;
    }

    /** As {@code hearth.heal.mode} has it, or {@code off}, where there is a healer in the master. */
    static String healerMode(ClusterSummary.HealingState healing) {
        if (!healing.installed()) {
            return "not in the master";
        }
        if (healing.state().equals(HealerStatus.State.ADVISING.text())) {
            return ADVISE;
        }
        return healing.state().equals(HealerStatus.State.OFF.text()) ? OFF : ACT;
    }

    /** {@code on: 3 regions queued, 5 blocks in flight, 12.1 MB/s of at most 50.0 MB/s, held back by bandwidth of DataNodes, 40 s left, most for host1:16020 (1.2 GB)}. */
    static String healing(ClusterSummary.HealingState healing) {
        if (!healing.installed()) {
            return "not in the master (bin/hearth healer run heals by itself)";
        }
        StringBuilder text = new StringBuilder(healing.state());
        healing.why().ifPresent(why -> text.append(" (").append(why).append(')'));
        text.append(": ").append(count(healing.queued(), "region")).append(" queued, ");
        text.append(count(healing.inFlight(), "block")).append(" in flight");
        healing.bytesPerSecond().ifPresent(rate -> text.append(", ")
                .append(HumanFormat.bytes(Math.round(rate)))
                .append("/s")
                .append(
                        healing.limitBytesPerSecond() > 0
                                ? " of at most " + HumanFormat.bytes(healing.limitBytesPerSecond()) + "/s"
                                : ""));
        healing.heldBackBy().ifPresent(limit -> text.append(", held back by ").append(limit));
        healing.estimatedHealMs().ifPresent(ms -> {
            if (ms > 0) {
                text.append(", ")
                        .append(HumanFormat.time((ms + SECOND_MS - 1) / SECOND_MS))
                        .append(" left");
            }
        });
        healing.busiest().ifPresent(most -> text.append(", most for ")
                .append(most.name())
                .append(" (")
                .append(HumanFormat.bytes(most.remoteBytes()))
                .append(')'));
        return text.append(healing.firstNotReported()
                        .map(first -> regionsNotReportedWithCommand(healing.localNotReported(), first))
                        .orElseGet(() -> regionsNotReported(healing.localNotReported())))
                .toString();
    }

    static String balancer(ClusterSummary.BalancerState balancer) {
        String off = balancer.switchedOn() ? "" : "; switched off (balance_switch)";
        if (!balancer.installed()) {
            return "not Hearth's" + off;
        }
        if (!balancer.enabled()) {
            return "off: the stock balancer plans and acts alone (hearth.balancer.mode)" + off;
        }
        Optional<String> advice = balancer.adviseOnly();
        return advice.map(why -> "advice only, because " + why + "; the stock balancer acts")
                        .or(() -> balancer.braked().map(why -> "BRAKED: " + why))
                        .orElse("acts")
                + balancer.canaries().map(canaries -> "; " + canaries).orElse("")
                + off;
    }

    /** Cut to this width. */
    static String cut(String text, int width) {
        return text.length() <= width ? text : text.substring(0, Math.max(0, width - 1)) + "~";
    }

    /** {@code , local by the NameNode, not reported yet: 2 regions (reopening them corrects the reports)}; empty for none. */
    public static String regionsNotReported(long regions) {
        return regions == 0
                ? ""
                : ", local by the NameNode, not reported yet: " + regions
                        + (regions == 1
                                ? " region (reopening it corrects the report)"
                                : " regions (reopening them corrects the reports)");
    }

    /**
     * The same with what makes their servers report it: a region that is reopened goes back to its server.
     *
     * @param first the encoded name of one of them
     */
    public static String regionsNotReportedWithCommand(long regions, String first) {
        return regionsNotReported(regions)
                + (regions == 0
                        ? ""
                        : "; in hbase shell: unassign '" + first + "'; assign '" + first + "'"
                                + (regions > 1 ? ", and so for " + (regions - 1) + " more" : ""));
    }
}
