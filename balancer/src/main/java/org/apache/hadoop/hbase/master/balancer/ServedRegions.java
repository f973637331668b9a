package org.apache.hadoop.hbase.master.balancer;

import io.hearth.balancer.hbase.Names;
import io.hearth.balancer.load.RegionId;
import java.util.Collection;
import java.util.HashSet;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.hbase.client.RegionInfo;

/**
 * The regions that are followed, by name, with the locality that was last reported of each: a report has the name of a region
 * and not what it takes to ask about it. A region that no server has reported, now and an hour ago, is forgotten: those of a
 * dead server are missing for minutes. Regions may be added and looked up by any thread; reports come one at a time.
 */
final class ServedRegions {

    private static final long FORGET_EVERY_MS = TimeUnit.HOURS.toMillis(1);
    private static final float LEAST_CHANGE = 0.0001f;

    private final Map<RegionId, RegionInfo> regionById = new ConcurrentHashMap<>();
    private final Map<RegionId, Float> localityById = new ConcurrentHashMap<>();
    private Set<RegionId> unreported = Set.of();
    private long forgetFromMs = Long.MIN_VALUE;

    /** Follows this region; says whether it is new. */
    boolean add(RegionInfo region) {
        return regionById.putIfAbsent(Names.region(region), region) == null;
    }

    Optional<RegionInfo> get(RegionId id) {
        return Optional.ofNullable(regionById.get(id));
    }

    boolean areAll(Set<RegionId> ids) {
        return regionById.keySet().containsAll(ids);
    }

    Collection<RegionInfo> all() {
        return regionById.values();
    }

    /** Takes what was reported of a region that is followed; says whether it is another locality than before. */
    boolean hasChanged(RegionId id, float locality) {
        Float before = localityById.put(id, locality);
        return before != null && Math.abs(before - locality) > LEAST_CHANGE;
    }

    /** Forgets what is no longer served, once an hour; says whether it was time. */
    boolean forget(Set<RegionId> reported, long nowMs) {
        if (nowMs < forgetFromMs) {
            return false;
        }
        forgetFromMs = nowMs + FORGET_EVERY_MS;
        Set<RegionId> gone = new HashSet<>(regionById.keySet());
        gone.removeAll(reported);
        Set<RegionId> forgotten = new HashSet<>(gone);
        forgotten.retainAll(unreported);
        unreported = gone;
        regionById.keySet().removeAll(forgotten);
        localityById.keySet().removeAll(forgotten);
        return true;
    }
}
