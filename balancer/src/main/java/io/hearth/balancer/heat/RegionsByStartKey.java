// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.balancer.heat;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * The regions of one table in the order of their start keys, those that live and those that are no longer reported. Made for
 * one look; not thread-safe.
 */
final class RegionsByStartKey {

    private static final Comparator<RegionLoadTracker> BY_START_KEY =
            (one, other) -> Arrays.compareUnsigned(one.startKey(), other.startKey());

    private final List<RegionLoadTracker> regions;

    private RegionsByStartKey(List<RegionLoadTracker> regions) {
        this.regions = regions;
    }

    /** @param regions of one table, each with a start key */
    static RegionsByStartKey of(Collection<RegionLoadTracker> regions) {
        List<RegionLoadTracker> sorted = new ArrayList<>(regions);
        sorted.sort(BY_START_KEY);
        return new RegionsByStartKey(sorted);
    }

    /** Takes these out. */
    void removeAll(Set<RegionLoadTracker> gone) {
        regions.removeIf(gone::contains);
    }

    /** The region that began with the same key and is no longer reported; of several, the one that was last. */
    Optional<RegionLoadTracker> missingAt(RegionLoadTracker region) {
        return lastMissing(firstAt(region), endOf(region), region);
    }

    private Optional<RegionLoadTracker> lastMissing(int from, int to, RegionLoadTracker but) {
        return regions.subList(from, to).stream()
                .filter(other -> other != but && other.isMissing())
                .max(Comparator.comparingLong(RegionLoadTracker::seenAtMs));
    }

    /** The region that begins next, if it is the only one that begins there. */
    Optional<RegionLoadTracker> next(RegionLoadTracker region) {
        int next = endOf(region);
        return next < regions.size() && endOf(regions.get(next)) == next + 1
                ? Optional.of(regions.get(next))
                : Optional.empty();
    }

    /** The regions that are no longer reported from this one's start key on, one for each key, up to the next that lives. */
    List<RegionLoadTracker> missingFrom(RegionLoadTracker region) {
        List<RegionLoadTracker> missing = new ArrayList<>();
        missingAt(region).ifPresent(missing::add);
        int at = endOf(region);
        while (at < regions.size()) {
            int end = endOf(regions.get(at));
            if (!regions.subList(at, end).stream().allMatch(RegionLoadTracker::isMissing)) {
                break;
            }
            lastMissing(at, end, region).ifPresent(missing::add);
            at = end;
        }
        return missing;
    }

    private int firstAt(RegionLoadTracker region) {
        int at = Collections.binarySearch(regions, region, BY_START_KEY);
        while (at > 0 && BY_START_KEY.compare(regions.get(at - 1), region) == 0) {
            at--;
        }
        return at;
    }

    private int endOf(RegionLoadTracker region) {
        int at = firstAt(region);
        while (at < regions.size() && BY_START_KEY.compare(regions.get(at), region) == 0) {
            at++;
        }
        return at;
    }
}
