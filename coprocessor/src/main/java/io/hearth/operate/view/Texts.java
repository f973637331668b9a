package io.hearth.operate.view;

import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.Locale;
import java.util.Optional;

/** Small pieces of text that several views have in common. Pure. */
final class Texts {

    private static final DateTimeFormatter TIME =
            DateTimeFormatter.ofPattern("HH:mm:ss 'UTC'", Locale.ROOT).withZone(ZoneOffset.UTC);
    private static final DateTimeFormatter DAY_AND_TIME =
            DateTimeFormatter.ofPattern("yyyy-MM-dd HH:mm 'UTC'", Locale.ROOT).withZone(ZoneOffset.UTC);
    private static final long SECOND_MS = 1_000;

    private Texts() {}

    static String time(long ms) {
        return TIME.format(Instant.ofEpochMilli(ms));
    }

    static String dayAndTime(long ms) {
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
        return blockBytes <= 0 ? "-" : Sizes.share((double) Math.min(localBytes, blockBytes) / blockBytes);
    }

    /** {@code locality 0.9871, 12.0 MB away}. */
    static String home(ClusterWord cluster) {
        long away = Math.max(0, cluster.blockBytes() - cluster.localBytes());
        String locality = locality(cluster.localBytes(), cluster.blockBytes());
        if (cluster.blockBytes() <= 0) {
            return "not known yet, or there is no data";
        }
        return locality + (away == 0 ? ", all at home" : ", " + Sizes.bytes(away) + " away from home");
    }

    /** {@code on: 3 regions queued, 5 blocks in flight, 12.1 MB/s of at most 50.0 MB/s, 40 s left}. */
    static String healing(ClusterWord.HealingState healing) {
        if (!healing.installed()) {
            return "not in the master (bin/hearth heal heals by itself)";
        }
        StringBuilder text = new StringBuilder(healing.state());
        healing.why().ifPresent(why -> text.append(" (").append(why).append(')'));
        text.append(": ").append(count(healing.queued(), "region")).append(" queued, ");
        text.append(count(healing.inFlight(), "block")).append(" in flight");
        healing.bytesPerSecond().ifPresent(rate -> text.append(", ")
                .append(Sizes.bytes(Math.round(rate)))
                .append("/s")
                .append(
                        healing.limitBytesPerSecond() > 0
                                ? " of at most " + Sizes.bytes(healing.limitBytesPerSecond()) + "/s"
                                : ""));
        healing.msToHome().ifPresent(ms -> {
            if (ms > 0) {
                text.append(", ")
                        .append(Sizes.time((ms + SECOND_MS - 1) / SECOND_MS))
                        .append(" left");
            }
        });
        if (healing.localNotReported() > 0) {
            text.append(", local by the NameNode and not reported yet: ")
                    .append(count(healing.localNotReported(), "region"))
                    .append(" (reopening tells)");
        }
        return text.toString();
    }

    static String balancer(ClusterWord.BalancerState balancer) {
        String off = balancer.switchedOn() ? "" : "; switched off (balance_switch)";
        if (!balancer.installed()) {
            return "not Hearth's" + off;
        }
        if (!balancer.enabled()) {
            return "off: the stock balancer plans and acts alone (hearth.balancer.mode)" + off;
        }
        Optional<String> advice = balancer.adviseOnly();
        return advice.map(why -> "advice only, because " + why + "; the stock balancer acts")
                        .orElse("acts")
                + off;
    }

    /** Cut to this width. */
    static String cut(String text, int width) {
        return text.length() <= width ? text : text.substring(0, Math.max(0, width - 1)) + "~";
    }
}
