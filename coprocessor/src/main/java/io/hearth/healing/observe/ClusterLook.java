package io.hearth.healing.observe;

import io.hearth.balancer.load.RegionId;
import io.hearth.healing.model.ServedRegion;
import java.util.Collection;
import java.util.Collections;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * One look at the assignments: every region that is served, and those that exist but are not served just now (in
 * transition, splitting, offline). Immutable; sorted.
 */
public record ClusterLook(SortedMap<RegionId, ServedRegion> servedById, SortedSet<RegionId> unserved) {

    /** What is known before the first look: nothing. */
    public static final ClusterLook NOTHING = new ClusterLook(new TreeMap<>(), new TreeSet<>());

    public ClusterLook {
        servedById = Collections.unmodifiableSortedMap(new TreeMap<>(servedById));
        unserved = Collections.unmodifiableSortedSet(new TreeSet<>(unserved));
    }

    public static ClusterLook of(Collection<ServedRegion> served, Collection<RegionId> unserved) {
        SortedMap<RegionId, ServedRegion> servedById = new TreeMap<>();
        served.forEach(region -> servedById.put(region.region(), region));
        return new ClusterLook(servedById, new TreeSet<>(unserved));
    }
}
