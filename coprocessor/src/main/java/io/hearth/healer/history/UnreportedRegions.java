// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.healer.history;

import io.hearth.common.model.EncodedRegionName;
import io.hearth.healer.model.ServedRegion;
import io.hearth.healer.model.ServedRegion.ReportedLocality;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.Function;

/**
 * The regions that are local according to the NameNode and whose servers report less: a server locates a file's blocks when it
 * opens it, and one that has a file open which was archived since may report the locality of before for ever. Reopening such a
 * region makes its server locate them again. Thread-safe.
 */
public final class UnreportedRegions {

    /** Flushes, and rounding to megabytes on the way. */
    private static final double TOLERANCE = 0.01;

    private final Map<EncodedRegionName, ServedRegion> unreportedById = new TreeMap<>();

    /** All of this region's blocks are on its server's host, according to the NameNode. */
    public synchronized void local(ServedRegion region) {
        if (reportsLess(region)) {
            unreportedById.put(region.region(), region);
        } else {
            unreportedById.remove(region.region());
        }
    }

    /** Something of this region is not on its server's host, according to the NameNode. */
    public synchronized void notLocal(EncodedRegionName region) {
        unreportedById.remove(region);
    }

    /** Takes a poll of the cluster in: forgets who has reported it since, and who is elsewhere. */
    public synchronized void follow(Function<EncodedRegionName, Optional<ServedRegion>> latest) {
        unreportedById.values().removeIf(region -> latest.apply(region.region())
                .filter(now -> now.server().equals(region.server()))
                .filter(UnreportedRegions::reportsLess)
                .isEmpty());
    }

    /** All of them, by region. */
    public synchronized List<ServedRegion> all() {
        return List.copyOf(unreportedById.values());
    }

    public synchronized int size() {
        return unreportedById.size();
    }

    private static boolean reportsLess(ServedRegion region) {
        return region.reported().map(ReportedLocality::ratio).orElse(1.0) < 1 - TOLERANCE;
    }
}
