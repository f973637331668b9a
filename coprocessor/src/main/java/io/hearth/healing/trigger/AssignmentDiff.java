package io.hearth.healing.trigger;

import io.hearth.balancer.load.RegionId;
import io.hearth.healing.model.ServedRegion;
import io.hearth.healing.observe.ClusterLook;
import java.util.Collections;
import java.util.SortedSet;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * What has changed between two looks. Immutable.
 *
 * @param moved regions that are served by another server than before, or that were not served and are now
 * @param left regions that are no longer served where they were: moved, in transition or gone
 * @param gone regions that don't exist any more
 */
public record AssignmentDiff(SortedSet<RegionId> moved, SortedSet<RegionId> left, SortedSet<RegionId> gone) {

    /** Nothing has changed. */
    static final AssignmentDiff NOTHING = new AssignmentDiff(
            Collections.emptySortedSet(), Collections.emptySortedSet(), Collections.emptySortedSet());

    /**
     * Before the first look nothing is known, so that nothing in it counts as moved. Where nothing has changed every region is
     * met once.
     */
    public static AssignmentDiff between(ClusterLook before, ClusterLook after) {
        if (before == after) {
            return NOTHING;
        }
        SortedSet<RegionId> moved = new TreeSet<>();
        SortedSet<RegionId> left = new TreeSet<>();
        SortedSet<RegionId> gone = new TreeSet<>();
        int stayed = 0;
        for (ServedRegion now : after.servedById().values()) {
            if (!isElsewhere(before.servedById().get(now.region()), now)) {
                stayed++;
            } else if (before != ClusterLook.NOTHING) {
                moved.add(now.region());
            }
        }
        if (stayed < before.servedById().size()) {
            for (ServedRegion then : before.servedById().values()) {
                if (isElsewhere(after.servedById().get(then.region()), then)) {
                    left.add(then.region());
                    noteIfGone(then.region(), after, gone);
                }
            }
        }
        before.unserved().forEach(region -> noteIfGone(region, after, gone));
        return new AssignmentDiff(
                Collections.unmodifiableSortedSet(moved),
                Collections.unmodifiableSortedSet(left),
                Collections.unmodifiableSortedSet(gone));
    }

    private static void noteIfGone(RegionId region, ClusterLook after, SortedSet<RegionId> gone) {
        if (!after.servedById().containsKey(region) && !after.unserved().contains(region)) {
            gone.add(region);
        }
    }

    private static boolean isElsewhere(@Nullable ServedRegion one, ServedRegion other) {
        return one == null || !one.server().equals(other.server());
    }
}
