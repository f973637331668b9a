// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.bench.slo;

import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * What the daemon says of a minute in its line. Immutable.
 *
 * @param due gets and puts of RegionServers
 * @param good those of them that were answered
 * @param late probes that were sent over 5 ms late
 * @param dropped probes that are not counted since the daemon itself stood still
 */
record SloMinute(long due, long good, long late, long dropped) {

    private static final Pattern OF_SERVERS = Pattern.compile("(?:^| )(?:get|put) ([0-9,]+) of ([0-9,]+) good");
    private static final Pattern LATE = Pattern.compile("(\\d+) sent over 5 ms late");
    private static final Pattern DROPPED = Pattern.compile("(\\d+) not counted since this process stood still");

    /** The minute of a line; empty if it is another line. */
    static Optional<SloMinute> parse(String line) {
        long due = 0;
        long good = 0;
        Matcher counts = OF_SERVERS.matcher(line);
        while (counts.find()) {
            good += number(counts.group(1));
            due += number(counts.group(2));
        }
        return due == 0
                ? Optional.empty()
                : Optional.of(new SloMinute(due, good, first(LATE, line), first(DROPPED, line)));
    }

    private static long first(Pattern pattern, String line) {
        Matcher found = pattern.matcher(line);
        return found.find() ? number(found.group(1)) : 0;
    }

    private static long number(String text) {
        return Long.parseLong(text.replace(",", ""));
    }

    SloMinute plus(SloMinute other) {
        return new SloMinute(due + other.due, good + other.good, late + other.late, dropped + other.dropped);
    }

    /** The share of the probes that were to be sent which were late, or not sent for the daemon's own sake. */
    double lateShare() {
        return (double) (late + dropped) / (due + dropped);
    }
}
