// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.slo.event;

import static java.util.Objects.requireNonNull;

import io.hearth.common.config.HumanFormat;
import io.hearth.common.log.PrintableName;
import java.util.Locale;

/**
 * Something that happened in the cluster and may be why requests were slow: when, what, where, how many, and whether Hearth did it.
 * Immutable.
 *
 * @param atMs when it was seen, in ms since 1970: up to a minute after it began
 * @param where a RegionServer as {@code host:port}, {@code HDFS}, the HMaster, or how many others
 * @param detail why, where somebody said so; else empty
 */
public record ClusterEvent(long atMs, EventKind kind, String where, Amount amount, By by, String detail) {

    private static final int MOST_CHARACTERS = 200;

    /** Cuts texts, and makes them printable on one line. */
    public ClusterEvent {
        requireNonNull(kind);
        requireNonNull(by);
        where = line(where);
        detail = line(detail);
    }

    /** One of something, in one place. */
    public static ClusterEvent of(long atMs, EventKind kind, String where, By by) {
        return new ClusterEvent(atMs, kind, where, Amount.ONE, by, "");
    }

    private static String line(String text) {
        return PrintableName.of(text.length() <= MOST_CHARACTERS ? text : text.substring(0, MOST_CHARACTERS));
    }

    /** Who did it. The order is in stored files. */
    public enum By {
        /** Hearth. */
        HEARTH,
        /** Not Hearth: HBase itself, its stock balancer, or a person. */
        OTHERS,
        /** It can't be told, such as where the HMaster's Hearth can't be asked. */
        UNKNOWN;

        /** {@code by Hearth}, {@code not by Hearth}, {@code perhaps by Hearth}. */
        public String text() {
            return switch (this) {
                case HEARTH -> "by Hearth";
                case OTHERS -> "not by Hearth";
                case UNKNOWN -> "perhaps by Hearth";
            };
        }
    }

    /**
     * How many.
     *
     * @param count of what the kind names
     * @param size in the kind's unit; 0 where it has none
     */
    public record Amount(long count, long size) {

        /** Nothing. */
        public static final Amount NONE = new Amount(0, 0);

        /** One, without a size. */
        public static final Amount ONE = new Amount(1, 0);

        /** Both together. */
        public Amount plus(Amount other) {
            return new Amount(count + other.count, size + other.size);
        }
    }

    /** What happened on one line, without when: {@code 12 regions moved to host1:16020 (by Hearth)}. */
    public String text() {
        long count = amount.count();
        String what =
                switch (kind) {
                    case SERVER_GONE -> "RegionServer crashed or stopped: " + where;
                    case SERVER_RESTARTED -> "RegionServer restarted: " + where;
                    case SERVER_JOINED -> "RegionServer joined: " + where;
                    case MASTER_CHANGED -> where + " is the active HMaster now";
                    case NOT_KNOWN -> "the HMaster did not answer: what else happened is not known";
                    case BRAKED -> "healing and balancing rest";
                    case REGIONS_REASSIGNED -> number(count, "region") + " of " + where + " assigned elsewhere";
                    case REGIONS_MOVED -> number(count, "region") + " moved to " + where + " (" + by.text() + ")";
                    case BLOCKS_MOVED ->
                        number(count, "block") + ", " + HumanFormat.bytes(amount.size()) + ", moved in " + where
                                + " (by Hearth)";
                    case COMPACTIONS_REQUESTED ->
                        number(count, "major compaction") + " of a column family requested (by Hearth)";
                    case REGIONS_COMPACTED ->
                        number(count, "region") + " compacted on " + where + " (" + by.text() + ")";
                    case REGIONS_FLUSHED -> number(count, "region") + " flushed on " + where;
                };
        return detail.isEmpty() ? what : what + ": " + detail;
    }

    private static String number(long count, String one) {
        return String.format(Locale.ROOT, "%,d %s%s", count, one, count == 1 ? "" : "s");
    }
}
