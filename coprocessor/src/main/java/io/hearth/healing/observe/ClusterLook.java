package io.hearth.healing.observe;

import io.hearth.balancer.load.RegionId;
import io.hearth.healing.model.ServedRegion;
import java.util.Collection;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;

/**
 * One look at the assignments: every region that is served, and those that exist but are not served just now (in
 * transition, splitting, offline). Immutable; not sorted, because with 100,000 regions a sort costs more than all else that
 * is done with a look.
 */
public final class ClusterLook {

    /** What is known before the first look: nothing. */
    public static final ClusterLook NOTHING = of(Set.of(), Set.of());

    private final Map<RegionId, ServedRegion> servedById;
    private final Set<RegionId> unserved;

    private ClusterLook(Map<RegionId, ServedRegion> servedById, Set<RegionId> unserved) {
        this.servedById = servedById;
        this.unserved = unserved;
    }

    public static ClusterLook of(Collection<ServedRegion> served, Collection<RegionId> unserved) {
        Map<RegionId, ServedRegion> servedById = new HashMap<>(served.size() * 4 / 3 + 1);
        served.forEach(region -> servedById.put(region.region(), region));
        return new ClusterLook(
                Collections.unmodifiableMap(servedById), Collections.unmodifiableSet(new HashSet<>(unserved)));
    }

    public Map<RegionId, ServedRegion> servedById() {
        return servedById;
    }

    public Set<RegionId> unserved() {
        return unserved;
    }
}
