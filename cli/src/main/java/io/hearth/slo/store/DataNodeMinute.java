// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.slo.store;

import io.hearth.common.log.PrintableName;
import java.util.Collections;
import java.util.Set;
import java.util.SortedSet;
import java.util.TreeSet;

/**
 * Which DataNodes in service the NameNode called live and which dead, as one instance of the watch was told in one minute. One that an
 * operator takes out of service is in neither. A minute may have several parts: then a DataNode may be in both. A minute without any is
 * unknown. Immutable.
 *
 * @param startMs the minute's start, in ms since 1970, by the clock at the time
 * @param live by the names that their probes have
 * @param dead by the names that their probes had
 */
public record DataNodeMinute(long startMs, SortedSet<String> live, SortedSet<String> dead) {

    /** Copies the sets. */
    public DataNodeMinute {
        live = Collections.unmodifiableSortedSet(new TreeSet<>(live));
        dead = Collections.unmodifiableSortedSet(new TreeSet<>(dead));
    }

    /** Of the minute in which this time is. */
    public static DataNodeMinute at(long nowMs, Set<String> live, Set<String> dead) {
        return new DataNodeMinute(
                Math.floorDiv(nowMs, ProbeAggregator.MINUTE_MS) * ProbeAggregator.MINUTE_MS,
                printable(live),
                printable(dead));
    }

    private static SortedSet<String> printable(Set<String> names) {
        SortedSet<String> printable = new TreeSet<>();
        names.forEach(name -> printable.add(PrintableName.of(name)));
        return printable;
    }
}
