// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.healer.queue;

import io.hearth.common.model.EncodedRegionName;
import io.hearth.healer.model.ServedRegion;
import io.hearth.healer.spi.Assignments.AssignmentSnapshot;
import java.util.Collections;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * What has changed between two polls. Immutable.
 *
 * @param moved regions that are served by another server than before, or that were not served and are now
 * @param hostLeftByRegion regions that are no longer served where they were, moved, in transition or gone, with the host of the server
 *     that they left
 * @param gone regions that don't exist any more
 * @param hosts of the servers that regions have come to or left, as those call themselves
 */
public record AssignmentDiff(
        SortedSet<EncodedRegionName> moved,
        SortedMap<EncodedRegionName, String> hostLeftByRegion,
        SortedSet<EncodedRegionName> gone,
        SortedSet<String> hosts) {

    /** Nothing has changed. */
    static final AssignmentDiff EMPTY = new AssignmentDiff(
            Collections.emptySortedSet(),
            Collections.emptySortedMap(),
            Collections.emptySortedSet(),
            Collections.emptySortedSet());

    /**
     * Before the first poll nothing is known, so that nothing in it counts as moved. Where nothing has changed every region is
     * met once.
     */
    public static AssignmentDiff between(AssignmentSnapshot before, AssignmentSnapshot after) {
        if (before == after) {
            return EMPTY;
        }
        SortedSet<EncodedRegionName> moved = new TreeSet<>();
        SortedMap<EncodedRegionName, String> hostLeftByRegion = new TreeMap<>();
        SortedSet<EncodedRegionName> gone = new TreeSet<>();
        SortedSet<String> hosts = new TreeSet<>();
        int stayed = 0;
        for (ServedRegion now : after.servedById().values()) {
            if (!isElsewhere(before.servedById().get(now.region()), now)) {
                stayed++;
            } else if (before != AssignmentSnapshot.EMPTY) {
                moved.add(now.region());
                hosts.add(now.server().host());
            }
        }
        if (stayed < before.servedById().size()) {
            for (ServedRegion then : before.servedById().values()) {
                if (isElsewhere(after.servedById().get(then.region()), then)) {
                    hostLeftByRegion.put(then.region(), then.server().host());
                    hosts.add(then.server().host());
                    noteIfGone(then.region(), after, gone);
                }
            }
        }
        before.unserved().forEach(region -> noteIfGone(region, after, gone));
        return new AssignmentDiff(
                Collections.unmodifiableSortedSet(moved),
                Collections.unmodifiableSortedMap(hostLeftByRegion),
                Collections.unmodifiableSortedSet(gone),
                Collections.unmodifiableSortedSet(hosts));
    }

    private static void noteIfGone(
            EncodedRegionName region, AssignmentSnapshot after, SortedSet<EncodedRegionName> gone) {
        if (!after.servedById().containsKey(region) && !after.unserved().contains(region)) {
            gone.add(region);
        }
    }

    private static boolean isElsewhere(@Nullable ServedRegion one, ServedRegion other) {
        return one == null || !one.server().equals(other.server());
    }
}
