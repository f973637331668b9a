// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package org.apache.hadoop.hbase.master.balancer;

import io.hearth.balancer.hbase.HBaseNames;
import io.hearth.common.model.EncodedRegionName;
import java.util.Collection;
import java.util.HashSet;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.hbase.HDFSBlocksDistribution;
import org.apache.hadoop.hbase.client.RegionInfo;
import org.jspecify.annotations.NullMarked;

/**
 * The regions that are followed, by name, with the host and the locality that were last reported of each: a report has the name
 * of a region and not what it takes to ask about it. A region that no server has reported, now and an hour ago, is forgotten:
 * those of a dead server are missing for minutes. Regions may be added and looked up by any thread; reports come one at a time.
 */
@NullMarked
final class ServedRegions {

    private static final long FORGET_EVERY_MS = TimeUnit.HOURS.toMillis(1);
    private static final float LEAST_CHANGE = 0.0001f;

    private final Map<EncodedRegionName, RegionInfo> regionById = new ConcurrentHashMap<>();
    private final Map<EncodedRegionName, Reported> reportedById = new ConcurrentHashMap<>();
    private Set<EncodedRegionName> unreported = Set.of();
    private boolean hasLooked;
    private long lookedMs;

    /**
     * A server's word on a region.
     *
     * @param host of the server
     * @param locality local bytes per byte
     */
    record Reported(String host, float locality) {}

    /** Follows this region; says whether it is new. */
    boolean add(RegionInfo region) {
        return regionById.putIfAbsent(HBaseNames.region(region), region) == null;
    }

    Optional<RegionInfo> get(EncodedRegionName id) {
        return Optional.ofNullable(regionById.get(id));
    }

    Collection<RegionInfo> all() {
        return regionById.values();
    }

    /** Takes what was reported of a region that is followed; says whether it is another locality than before. */
    boolean hasChanged(EncodedRegionName id, Reported now) {
        Reported before = reportedById.put(id, now);
        return before != null && Math.abs(before.locality() - now.locality()) > LEAST_CHANGE;
    }

    /** The host whose server reports that all of this region is local, where this says that it is not. */
    Optional<String> hostWithStaleLocality(EncodedRegionName id, HDFSBlocksDistribution blocks) {
        return Optional.ofNullable(reportedById.get(id))
                .filter(word -> word.locality() >= 1)
                .map(Reported::host)
                .filter(host -> blocks.getWeight(host) < blocks.getUniqueBlocksTotalWeight());
    }

    /** Whether {@link #forget} has something to do: once an hour. */
    boolean isTimeToForget(long nowMs) {
        return !hasLooked || nowMs < lookedMs || nowMs - lookedMs >= FORGET_EVERY_MS;
    }

    /** Forgets what is no longer served; says whether it was time. */
    boolean forget(Set<EncodedRegionName> reported, long nowMs) {
        if (!isTimeToForget(nowMs)) {
            return false;
        }
        hasLooked = true;
        lookedMs = nowMs;
        Set<EncodedRegionName> gone = new HashSet<>(regionById.keySet());
        gone.removeAll(reported);
        Set<EncodedRegionName> forgotten = new HashSet<>(gone);
        forgotten.retainAll(unreported);
        unreported = gone;
        regionById.keySet().removeAll(forgotten);
        reportedById.keySet().removeAll(forgotten);
        return true;
    }
}
